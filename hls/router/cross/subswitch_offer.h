// SPDX-License-Identifier: Apache-2.0
/*
 * subswitch_offer.h - what each input of a subswitch offers to the column busses in the next clock.
 *
 * Packets that have begun and heads with the token of their VC are the first class; among those of a class, VCs take turns.
 */
#ifndef SUBSWITCH_OFFER_H
#define SUBSWITCH_OFFER_H

#include "router/cross/subswitch_sets.h"

/* Of each input one flit, in bit {input, 0} of each set. */
struct choice {
    cross_all valid;
    cross_all ahead;  /* it is behind the VC served last */
    cross_all row[3]; /* bit k of its row */
    cross_all tail;
    cross_all vc[RTR_VC_BITS]; /* bit k of its VC */
};

static inline cross_all either(cross_all right, cross_all set, int step)
{
    return (right & (set >> step)) | (~right & set);
}

/* What inputs may offer: of the first class, or, where there is nothing of that, anything. */
struct offerable {
    cross_all set;
    rtr_cols first; /* inputs with something of the first class */
};

static inline struct offerable best_class(cross_all may, cross_all first)
{
    struct offerable best = {};

    for (int i = 0; i < RTR_COLS; i++) {
        cross_vcs ours = vcs_of(may & first, i);
        u1 any = ours != 0;

        best.first |= (rtr_cols)((rtr_cols)any << i);
        best.set |= at_input(any ? ours : vcs_of(may, i), i);
    }
    return best;
}

/*
 * Round robin by a tree, for all inputs beside each other: of two subtrees that which has a VC behind the one served last,
 * else the left one, if it has any. Row and VC go along with the winner.
 */
static inline struct choice choose(const struct fronts *fronts, cross_all may, cross_all after)
{
    struct choice best = {.valid = may, .ahead = may & after, .tail = fronts->tail};

    for (int k = 0; k < 3; k++) {
        best.row[k] = fronts->row[k];
    }
    for (int level = 0; level < RTR_VC_BITS; level++) {
        int step = 1 << level;
        cross_all right = ~best.valid | ((best.ahead >> step) & ~best.ahead);

        for (int k = 0; k < 3; k++) {
            best.row[k] = either(right, best.row[k], step);
        }
        for (int k = 0; k < level; k++) {
            best.vc[k] = either(right, best.vc[k], step);
        }
        best.vc[level] = right;
        best.tail = either(right, best.tail, step);
        best.valid |= best.valid >> step;
        best.ahead |= best.ahead >> step;
    }
    return best;
}

static inline u1 of_input(cross_all set, int input)
{
    return (u1)(set >> (input << RTR_VC_BITS));
}

/* The offer of an input for the next clock. */
static inline void prepare(struct subswitch *self, const struct choice *best, int input)
{
    rtr_cols bit = (rtr_cols)((rtr_cols)1 << input);
    rtr_vc vc = 0;
    rtr_row row = 0;

    for (int k = 0; k < RTR_VC_BITS; k++) {
        vc |= (rtr_vc)((rtr_vc)of_input(best->vc[k], input) << k);
    }
    for (int k = 0; k < 3; k++) {
        row |= (rtr_row)((rtr_row)of_input(best->row[k], input) << k);
    }
    self->vc[input] = vc;
    self->row[input] = row;
    self->offers_tail =
        of_input(best->tail, input) ? self->offers_tail | bit : self->offers_tail & ~bit;
}

/* {input, VC} of the first class: packets that have begun, and heads with the token of their VC. */
static inline cross_all first_class(const struct subswitch *self)
{
    cross_all first = self->started;

    for (int v = 0; v < CROSS_VCS; v++) {
        for (int i = 0; i < RTR_COLS; i++) {
            first |= at_input((cross_vcs)((cross_vcs)(u1)(self->token[v] >> i) << v), i);
        }
    }
    return first;
}

/*
 * The token of a VC stays with an input whose head waits, until that goes; else it goes on to the input below, one a clock while there are
 * flits of this VC. Busses serve inputs upwards: one that was just served is not asked for by the next owner of the token before the
 * tokens of other VCs had their turn.
 */
static inline void pass_tokens(struct subswitch *self, cross_all valid, cross_all waits)
{
    for (int v = 0; v < CROSS_VCS; v++) {
        rtr_cols token = self->token[v], waiting = 0, here = 0;

        for (int i = 0; i < RTR_COLS; i++) {
            here |= (rtr_cols)((rtr_cols)(u1)(vcs_of(valid, i) >> v) << i);
            waiting |= (rtr_cols)((rtr_cols)(u1)(vcs_of(waits, i) >> v) << i);
        }
        if (here != 0 && (token & waiting) == 0) {
            self->token[v] = (rtr_cols)(token >> 1) | (rtr_cols)(token << (RTR_COLS - 1));
        }
    }
}

/*
 * What each input offers in the next clock, if it is not in the middle of a packet then: the same as in this one, if that was not taken
 * and may still go, so that no other VC of the input takes its turn; else another, because this one is on its way.
 */
static inline void offer(struct subswitch *self, const struct fronts *fronts,
                         const struct moves *moves, cross_all seen)
{
    cross_all may = 0, own = 0;

    if (hls_when(seen != 0)) {
        may = seen & at_row(fronts, moves->free);
    }
    if (!hls_when(may != 0 || self->offers != 0)) {
        return;
    }
    rtr_cols inside = moves->pops & ~moves->tails, starts = moves->pops & self->offers;

    for (int i = 0; i < RTR_COLS; i++) {
        own |= at_input((cross_vcs)((cross_vcs)(u1)(self->offers >> i) << self->vc[i]), i);
    }
    cross_all first = first_class(self);
    struct offerable others = best_class(may & ~own, first);
    struct choice best = choose(fronts, others.set, self->after);
    rtr_cols offers_first = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        rtr_cols bit = (rtr_cols)((rtr_cols)1 << i);
        u1 any = of_input(best.valid, i), mine = vcs_of(own & first, i) != 0;
        u1 still = vcs_of(may & own, i) != 0 && (moves->pops & bit) == 0;
        u1 again = still && (mine || !any);
        u1 another = any && (inside & bit) == 0 && !again;

        if ((starts & bit) != 0) {
            cross_all behind = at_input((cross_vcs)((cross_vcs)-2 << self->vc[i]), i);

            self->after = (self->after & ~at_input((cross_vcs)-1, i)) | behind;
        }
        if (another) {
            prepare(self, &best, i);
        }
        u1 is_first = another ? (u1)(others.first >> i) : again && mine;

        offers_first |= (rtr_cols)((rtr_cols)is_first << i);
        self->offers = another || again ? self->offers | bit : self->offers & ~bit;
    }
    self->offers_first = offers_first;
}

#endif
