// SPDX-License-Identifier: Apache-2.0
/*
 * ce_members.h - ports and registers of what collective engines know of their children: whom they are, and where the endpoints' results go.
 */
#ifndef CE_MEMBERS_H
#define CE_MEMBERS_H

#include "nic/ce/ce_types.h"

#define ECC      endpoint_ecc
#define ECC_DATA 59
#define ECC_BITS 8
#include "common/ecc.inc"

#define CE_ENDPOINT_BITS 118
#define CE_RECORD_BITS   (59 + 8)
typedef uint(CE_ENDPOINT_BITS) ce_endpoint_word;
typedef uint(2 * CE_RECORD_BITS) ce_record;

/* A round over children of an engine: those of the set, from the lowest on. */
struct ce_round {
    u1 begins; /* for one clock; the last one is over */
    ce_engine engine;
    u1 turn; /* where the records of its endpoints are */
    ce_children set;
};

/* The next child of a round; stands until it is taken. */
struct ce_member {
    u1 valid;
    ce_child child;
    u1 fatal; /* two bits of what is known of it are wrong */
    struct ce_relative relative;
    struct ce_endpoint endpoint;
};

struct ce_members_in {
    struct ce_entry entry;   /* ce_gather's: a child of an engine, by the driver */
    struct ce_joined joined; /* ... an endpoint, by its join */
    struct ce_round round;
    u1 take;
};

struct ce_members_out {
    struct ce_member member;
    u1 over;      /* no child of the round is left, from the second clock behind round.begins on */
    u1 corrected; /* a single-bit error in a member */
};

struct ce_members {
    struct ce_members_out out;
    ce_engine engine;
    u1 turn;
    ce_children left;

    /* A child whose words are read. */
    u1 asked;
    ce_child child;
    child_ecc_word code;
    ce_record record;

    HLS_BRAM_READ_FIRST child_ecc_word children[CE_ENGINES * CE_CHILDREN];
    HLS_BRAM_READ_FIRST ce_record records[2 * CE_ENGINES * CE_CHILDREN];
};

HLS_RESET void ce_members_reset(struct ce_members *self);
HLS_MODULE void ce_members(struct ce_members *self, const struct ce_members_in *in);

#endif
