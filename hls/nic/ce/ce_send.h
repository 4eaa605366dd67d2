// SPDX-License-Identifier: Apache-2.0
/*
 * ce_send.h - ports and registers of what collective engines send: partial results up, results down, words and events of endpoints.
 */
#ifndef CE_SEND_H
#define CE_SEND_H

#include "nic/ce/ce_gather.h"
#include "nic/ce/ce_members.h"
#include "nic/ce/ce_packet.h"

/* Bits of out.count. */
enum ce_send_count {
    SEND_DONE,   /* a reduction ended OK here: INFORMATIONAL */
    SEND_FAILED, /* ... or otherwise: TRANSACTION */
    SEND_UNTOLD, /* a child did not get its result: CRITICAL */
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
    struct ce_refusal refusal;
    ce_engines whole;
    struct ce_folded folded[CE_ENGINES];

    struct ce_member member;   /* ce_members': the next child of the round */
    u1 members_over;           /* ... there is none */
    u1 order_taken;            /* by ce_packet */
    struct ce_over over;       /* of ssid */
    u1 local_taken;            /* by rat_local */
    struct mem_done done;      /* a word that it took is in memory, or is not */
    struct ce_failure refused; /* by rat_local */
    u1 room_event;             /* of cq */
};

struct ce_send_out {
    struct ce_order order;   /* to ce_packet, until it is taken, */
    struct ce_saying saying; /* ... and what it says */
    struct ce_round round;   /* to ce_members */
    u1 member_taken;
    struct local_word
        local; /* to rat_local, until it is taken: of an endpoint, a PUT to the local segment, the child in the places of the tag */
    struct nic_event event;
    struct ce_phase phase;
    ce_engines clear; /* to ce_fold */
    u1 refusal_taken;
    u1 idle;
    uint(SEND_COUNTS) count;
};

/* A word that an endpoint gets: both results, or control. */
struct ce_word {
    u1 valid;
    u1 control;
    ce_child child;
    nic_mdh mdh;
    nic_offset offset;
};

/* Rounds over the children that get a result. */
enum ce_rounds { ROUND_RESULTS, ROUND_CONTROL, ROUND_EVENTS };

enum ce_send_at {
    SEND_IDLE,
    SEND_BEGIN,
    SEND_OPENED,
    SEND_UP,
    SEND_TELL,
    SEND_TOLD,
    SEND_ROUND,
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
    u2 reason;

    /* Its children. */
    u2 round; /* enum ce_rounds */
    u1 acted; /* the one that is refused has had its turn in this round */
    struct ce_endpoint refused;
    u1 opened;          /* OPEN is sent for what goes down */
    ce_count writing;   /* words that memory has not answered */
    ce_children missed; /* endpoints whose words could not be written: */
    nic_status_field why;
    struct ce_word word; /* the next one */
};

HLS_RESET void ce_send_reset(struct ce_send *self);
HLS_MODULE void ce_send(struct ce_send *self, const struct ce_send_in *in);

#endif
