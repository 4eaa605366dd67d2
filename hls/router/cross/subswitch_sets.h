// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch_sets.h - sets of {input, VC} inside a subswitch, what the row buffers show and what goes.
 */
#ifndef SUBSWITCH_SETS_H
#define SUBSWITCH_SETS_H

#include "router/cross/subswitch.h"
#include "router/flit/masks.h"

#if RTR_COLS * CROSS_VCS > 64
#error "subswitch: more than 64 pairs of input and VC"
#endif

/* What the row buffers show: bit {input, VC}. */
struct fronts {
    cross_all valid;
    cross_all row[3]; /* bit k of the row */
    cross_all tail;
};

/* What goes in this clock. */
struct moves {
    rtr_cols to[RTR_ROWS]; /* one-hot: the input that sends to this row */
    rtr_cols pops;
    rtr_cols tails; /* inputs whose flit, if it goes, is a tail */
    cross_vcs busy
        [8]; /* VCs of this row that a packet holds; not one that is on its way: its VC is free when its row is */
    cross_vcs free[8]; /* VCs of this row for which flits may be offered for the next clock */
};

static inline cross_vcs vcs_of(cross_all set, int input)
{
    return (cross_vcs)(set >> (input << RTR_VC_BITS));
}

static inline cross_all at_input(cross_vcs vcs, int input)
{
    return (cross_all)((cross_all)vcs << (input << RTR_VC_BITS));
}

/* The same VCs of every input. */
static inline cross_all of_all_inputs(cross_vcs vcs)
{
    u64 all = vcs;

    for (int step = CROSS_VCS; step < 64; step <<= 1) {
        all |= all << step;
    }
    return (cross_all)all;
}

/* Each flit's bit of the set that belongs to its row: a multiplexer per input and VC. */
static inline cross_all at_row(const struct fronts *fronts, const cross_vcs of_row[8])
{
    cross_all level[8];

    for (int r = 0; r < 8; r++) {
        level[r] = of_all_inputs(of_row[r]);
    }
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 4 >> k; n++) {
            level[n] = (fronts->row[k] & level[2 * n + 1]) | (~fronts->row[k] & level[2 * n]);
        }
    }
    return level[0];
}

#endif
