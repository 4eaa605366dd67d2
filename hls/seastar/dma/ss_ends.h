// SPDX-License-Identifier: Apache-2.0
/*
 * ss_ends.h - ports and registers of the ends of messages: one that has ended leaves a mark behind its writes, and when memory has answered
 * those the engine or the ring hears of it.
 */
#ifndef SS_ENDS_H
#define SS_ENDS_H

#include "seastar/packet/ss_host.h"

#define SS_UNDER_WAY 7 /* writes, as a power of two */

struct ss_ends_in {
    u1 wrote;       /* ss_receive has written, ... */
    ss_place place; /* ... for this place */
    struct ss_mark mark;
    struct ss_fail_note note;
    u1 done;     /* a write has its answer */
    u1 fail;     /* an error */
    u1 ended;    /* the engine has heard of the end */
    u1 end_told; /* the entry has been taken */
};

struct ss_ends_out {
    struct ss_end end;
    struct ss_entry_push end_tell;
    uint(SS_PLACES) freed;  /* places that are free, for one clock */
    uint(SS_PLACES) failed; /* with a write that failed */
    u1 room;                /* writes may come, and a few behind them */
    u1 quiet;               /* all are answered */
    u1 idle;
};

/* A mark, and how many writes are in front of it. */
struct ss_ending {
    u10 at;
    u1 engine;
    ss_place place;
    ss_status status;
    ss_key key;
    u4 use;
    ss_length written;
};

struct ss_ends {
    struct ss_ends_out out;

    u10 writes, answered; /* all, and those that memory has answered */
    uint(SS_PLACES_LOG2 + 1) put, get;
    HLS_LUTRAM(1) struct ss_ending marks[SS_PLACES];
    HLS_LUTRAM(1) ss_place owners[1 << SS_UNDER_WAY]; /* of writes under way */
};

HLS_RESET void ss_ends_reset(struct ss_ends *self);
HLS_MODULE void ss_ends(struct ss_ends *self, const struct ss_ends_in *in);

#endif
