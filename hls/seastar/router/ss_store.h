// SPDX-License-Identifier: Apache-2.0
/*
 * ss_store.h - ports and registers of the flits of one input: a FIFO per VC.
 *
 * The first four of each VC stand in LUTRAM, so a VC gives a flit in each clock; the others in a memory under their codes.
 */
#ifndef SS_STORE_H
#define SS_STORE_H

#include "seastar/router/ss_ecc.h"

#define SS_FRONT_LOG2 2

struct ss_store_in {
    u1 push;
    ss_vc push_vc;
    struct ss_marked pushed;
    u1 pop; /* the first of pop_vc; there is one */
    ss_vc pop_vc;
    ss_vc sends; /* the VC that flits leave from: its are fetched first */
};

struct ss_store_out {
    struct ss_marked popped; /* popped in the clock before */
    ss_vcs some;             /* VC v has a flit in front, */
    ss_vcs tail;             /* which is a tail */
    u1 corrected, fatal; /* a word of the memory had one wrong bit, or two: that flit is marked */
};

typedef uint(SS_QUEUE_LOG2) ss_store_place;
typedef uint(SS_QUEUE_LOG2 + 1) ss_store_count;
typedef uint(SS_FRONT_LOG2) ss_front_place;
typedef uint(SS_FRONT_LOG2 + 1) ss_front_count;

struct ss_store {
    struct ss_store_out out;

    HLS_BRAM_READ_FIRST ss_word memory[SS_VCS << SS_QUEUE_LOG2];
    ss_store_place write[SS_VCS], read[SS_VCS];
    ss_store_count stored[SS_VCS];

    HLS_LUTRAM(1) uint(66) front[SS_VCS << SS_FRONT_LOG2]; /* {bad, tail, flit} */
    ss_front_place first[SS_VCS], last[SS_VCS];            /* the oldest, and behind the youngest */
    ss_front_count here[SS_VCS],
        owed[SS_VCS]; /* flits in front; and those on their way there with them */
    uint(1 << SS_FRONT_LOG2) tails[SS_VCS];

    /* On their way from the memory: read, then looked at. */
    u1 reading, checked;
    ss_vc reading_vc, checked_vc;
    ss_word word, checked_word;
    ss_low_ecc_syndrome low_syndrome;
    ss_high_ecc_syndrome high_syndrome;
};

HLS_RESET void ss_store_reset(struct ss_store *self);
HLS_MODULE void ss_store(struct ss_store *self, const struct ss_store_in *in);

#endif
