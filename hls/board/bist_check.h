// SPDX-License-Identifier: Apache-2.0
/*
 * bist_check.h - ports and registers of a checker of packets (bist.h).
 *
 * A packet is wrong if any flit, its place or its number is; lost are those whose numbers were passed over, wrong ones
 * among them; one that came with a mark was cut, by a dead link, and its body does not count. Counters show a flit two clocks after it came.
 */
#ifndef BIST_CHECK_H
#define BIST_CHECK_H

#include "board/bist.h"

struct bist_check_in {
    u1 valid;
    u1 head;
    u1 tail;
    u1 bad;
    u48 flit;
    u3 vcs;   /* bits of a stream that are its VC; held */
    u1 tick;  /* for one clock: a second is over */
    u1 clear; /* for one clock: counters */
};

struct bist_check_out {
    u32 rate; /* flits of the second before the tick that was last */
    u32 lost; /* packets */
    u32 cut;
    u32 wrong;
};

struct bist_check {
    struct bist_check_out out;
    u32 flits;                  /* since the tick */
    u16 expected[BIST_STREAMS]; /* numbers; u16 as in bist_source.h */
    rtr_length left;            /* flits until the tail */
    u48 body;                   /* the next one */
    u1 faulty;                  /* something of the packet was wrong */
    u1 known;                   /* its head was right: it is that of `tag`, */
    bist_tag tag;
    bist_number ahead; /* which passes over so many */
    /* of the flit before */
    u1 came;
    u1 ended_cut;
    u1 ended_wrong;
    bist_number missed;
};

HLS_RESET void bist_check_reset(struct bist_check *self);
HLS_MODULE void bist_check(struct bist_check *self, const struct bist_check_in *in);

#endif
