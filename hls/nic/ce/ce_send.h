// SPDX-License-Identifier: Apache-2.0
/*
 * ce_send.h - ports and registers of what collective engines send: partial results up, results down, words and events of endpoints.
 */
#ifndef CE_SEND_H
#define CE_SEND_H

#include "common/beat/beat.h"
#include "nic/ce/ce_fold.h"
#include "nic/ce/ce_gather.h"

/* Bits of out.count. */
enum ce_send_count {
    SEND_CORRECTED, /* a single-bit error in a memory: CORRECTABLE_MEMORY */
    SEND_DONE,      /* a reduction ended OK here: INFORMATIONAL */
    SEND_FAILED,    /* ... or otherwise: TRANSACTION */
    SEND_UNTOLD,    /* a child did not get its result: CRITICAL */
    SEND_COUNTS
};

struct ce_send_in {
    /* Of ce_gather and ce_fold. */
    struct ce_config config[CE_ENGINES];
    ce_engines active;
    ce_id id[CE_ENGINES];
    u6 operation[CE_ENGINES];
    ce_engines turn;
    ce_children told;
    ce_engines late;
    ce_engines closed;
    struct ce_result down;
    struct ce_joined joined;
    struct ce_refusal refusal;
    struct ce_entry entry;
    ce_engines whole;
    struct ce_folded folded[CE_ENGINES];

    u1 room;                   /* of tarb: a packet may begin */
    u1 tags;                   /* a few more requests may go out */
    struct ce_over over;       /* of ssid */
    u1 local_taken;            /* by rat_local */
    struct mem_done done;      /* a word that it took is in memory, or is not */
    struct ce_failure refused; /* by rat_local */
    u1 room_event;             /* of cq */
};

struct ce_send_out {
    struct beat beat; /* to tarb */
    struct local_word
        local; /* to rat_local, until it is taken: of an endpoint, a PUT to the local segment, the child in the places of the tag */
    struct nic_event event;
    struct ce_phase phase;
    ce_engines clear; /* to ce_fold */
    u1 refusal_taken;
    u1 idle;
    uint(SEND_COUNTS) count;
};

/* An order to what makes packets of the request stream. */
struct ce_order {
    u1 valid;
    u4 cmd;  /* CMD_OPEN, CMD_CLOSE, CMD_CE_UP or CMD_CE_DOWN */
    u1 down; /* in the transaction of what goes down */
    nic_node node;
    ce_engine to; /* engine of that node */
    ce_child child;
};

/* A word that an endpoint gets: both results, or control. */
struct ce_word {
    u1 valid;
    u1 control;
    ce_child child;
    nic_mdh mdh;
    nic_offset offset;
};

#define ECC      endpoint_ecc
#define ECC_DATA 59
#define ECC_BITS 8
#include "common/ecc.inc"

#define CE_ENDPOINT_BITS 118
#define CE_RECORD_BITS   (59 + 8)
typedef uint(CE_ENDPOINT_BITS) ce_endpoint_word;
typedef uint(2 * CE_RECORD_BITS) ce_record;

/* Rounds over the children that get a result. */
enum ce_round { ROUND_RESULTS, ROUND_CONTROL, ROUND_EVENTS };

enum ce_send_at {
    SEND_IDLE,
    SEND_BEGIN,
    SEND_OPENED,
    SEND_UP,
    SEND_TELL,
    SEND_TOLD,
    SEND_LOOK,
    SEND_FIX,
    SEND_ACT,
    SEND_SETTLE
};

struct ce_send {
    struct ce_send_out out;

    /* Of each engine. */
    ce_engines came;   /* its result came down */
    ce_engines failed; /* CE_UP was refused or lost */
    nic_status_field failure[CE_ENGINES];
    ce_engines up;                        /* the transaction of CE_UP is not over */
    ce_engines down;                      /* that of CE_DOWN */
    HLS_LUTRAM(1) u64 firsts[CE_ENGINES]; /* that came down */
    HLS_LUTRAM(1) u64 seconds[CE_ENGINES];
    HLS_LUTRAM(1) u8 results[CE_ENGINES]; /* {status, exceptions} */

    /* The engine that sends. */
    enum ce_send_at at;
    ce_engine engine;
    u1 refuses;    /* it tells a refusal */
    u1 rises;      /* it sends CE_UP */
    u1 fails;      /* it tells a failure */
    u1 good_event; /* endpoints get an event if all is well, ... */
    u1 bad_event;  /* ... if not */
    u1 works;
    struct ce_folded result;
    u2 reason;
    ce_id id;
    u6 operation;
    nic_ptag ptag;
    u1 turn;

    /* Its children. */
    u2 round; /* enum ce_round */
    ce_children told;
    ce_children left; /* of this round */
    ce_child child;
    struct ce_relative relative;
    struct ce_endpoint endpoint;
    child_ecc_word child_code;
    ce_record record;
    u1 fatal;           /* of one of both two bits are wrong */
    u1 opened;          /* OPEN is sent for what goes down */
    ce_count writing;   /* words that memory has not answered */
    ce_children missed; /* endpoints whose words could not be written: */
    nic_status_field why;
    HLS_BRAM_READ_FIRST child_ecc_word children[CE_ENGINES * CE_CHILDREN];
    HLS_BRAM_READ_FIRST ce_record records[2 * CE_ENGINES * CE_CHILDREN];

    /* What goes out. */
    struct ce_order order;
    u2 beat;             /* of it */
    struct ce_word word; /* the next one */
};

HLS_RESET void ce_send_reset(struct ce_send *self);
HLS_MODULE void ce_send(struct ce_send *self, const struct ce_send_in *in);

#endif
