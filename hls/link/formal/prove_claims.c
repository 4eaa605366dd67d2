// SPDX-License-Identifier: Apache-2.0
/*
 * prove_claims.c - what lcb_rx, lcb_tx and lane_tx assume of lcb_link and of each other.
 *
 * The four joined as in lcb.c, everything else left open: frames, words, acknowledgements, management. A new epoch begins only
 * when lcb_rx has handed up all it had and lcb_tx sends nothing, and a word comes to lane_tx just when it needs one. What the
 * blocks assume is left out here; it is what is proved. By induction.
 */
#include "common/prove.h"

#undef hls_assume
#define hls_assume(c) ((void)(c))

#include "link/lane/lane_tx.c"
#include "link/lcb_link.c"
#include "link/micropacket/lcb_rx.c"
#include "link/micropacket/lcb_tx.c"

struct prove_claims_in {
    struct lcb_link_in link; /* but for what the other three say */
    struct lcb_tx_in tx;
    struct lcb_rx_in rx;
    struct link_identity identity;
};

struct prove_claims_out {
    u1 clear;
};

struct prove_claims {
    struct prove_claims_out out;
    struct lcb_link link;
    struct lcb_tx tx;
    struct lcb_rx rx;
    struct lane_tx lanes;
};

PROVE_RESET void prove_claims_reset(struct prove_claims *self)
{
    self->out.clear = 0;
    lcb_link_reset(&self->link);
    lcb_tx_reset(&self->tx);
    lcb_rx_reset(&self->rx);
    lane_tx_reset(&self->lanes);
}

/* What the blocks assume, before each clock. */
static inline void claims(const struct prove_claims *self)
{
    const struct lane_tx *lanes = &self->lanes;
    u1 begin = lanes_begin(self->link.out.tx_map, lanes->phase);

    prove_assert(!self->link.out.clear || (self->rx.read == self->rx.commit && !self->rx.fetched));
    prove_assert(!self->link.out.clear || !self->tx.go);
    prove_assert(!self->link.out.clear || !(self->link.out.run || self->link.out.flush));
    prove_assert(!lanes->out.data || !self->link.out.run || self->tx.out.valid == begin);
}

/* Why: registers that agree. */
static inline void invariants(const struct prove_claims *self)
{
    const struct lcb_link_out *link = &self->link.out;
    const struct lane_tx *lanes = &self->lanes;
    u1 rest = link->state == LINK_DEAD || link->state == LINK_FLUSH || link->state == LINK_LOOP;
    u1 first = lanes->index == FRAME_ASK + 1 && lanes->phase == 1;
    u1 second = lanes->index == FRAME_ASK + 2 && lanes->phase == 2;
    struct lane_split split = split_of(link->tx_map, lanes->phase);

    prove_assert(link->run == (link->state == LINK_START || link->state == LINK_RUN));
    prove_assert(link->arm == (link->run || (link->state == LINK_READY && link->tx_map != 0)));
    prove_assert(link->close == rest);
    prove_assert(!link->clear || link->state == LINK_TRAIN);
    prove_assert(!link->flush || rest);
    prove_assert(self->tx.out.flushing == self->tx.dump);
    prove_assert(!self->tx.dump || rest);
    prove_assert(!link->clear || !self->rx.complete);
    prove_assert(!self->rx.out.closed ||
                 (self->rx.read == self->rx.commit && !self->rx.fetched && !self->rx.complete));
    prove_assert(!lanes->out.data || (lanes->asks && lanes->counts));
    prove_assert(!link->run || !lanes->counts ||
                 (lanes->split.begin == split.begin && lanes->split.one == split.one &&
                  lanes->split.join == split.join));
    prove_assert(!lanes->asks || lanes->out.data ||
                 (lanes->counts && lanes->count == 0 && (first || second)));
    prove_assert(lanes->asks || !lanes->counts || (lanes->phase == 0 && !lanes->out.advance));
}

PROVE_MODULE void prove_claims(struct prove_claims *self, const struct prove_claims_in *in)
{
    struct lcb_link_in link = in->link;
    struct lcb_tx_in tx = in->tx;
    struct lcb_rx_in rx = in->rx;
    struct lane_tx_in lanes = {
        .valid = self->tx.out.valid,
        .word = self->tx.out.word,
        .quiet = self->link.out.quiet,
        .start = self->link.out.run,
        .lane_map = self->link.out.tx_map,
        .info0 = self->link.out.info0,
        .info1 = self->link.out.info1,
        .identity = in->identity,
    };

    link.data = self->lanes.out.data;
    link.rx_closed = self->rx.out.closed;
    link.rx_lost = self->rx.out.lost;
    link.tx_flushing = self->tx.out.flushing;
    tx.advance = self->lanes.out.advance;
    tx.run = self->link.out.run;
    tx.flush = self->link.out.flush;
    tx.clear = self->link.out.clear;
    rx.run = self->link.out.arm;
    rx.close = self->link.out.close;
    rx.clear = self->link.out.clear;

    lcb_link(&self->link, &link);
    lcb_tx(&self->tx, &tx);
    lcb_rx(&self->rx, &rx);
    lane_tx(&self->lanes, &lanes);
    self->out.clear = self->link.out.clear;
    claims(self);
    invariants(self);
}
