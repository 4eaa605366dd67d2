// SPDX-License-Identifier: Apache-2.0
/*
 * bist_link.c - one end of a link under test. Eight streams, one per VC.
 */
#include "board/bist_link.h"

HLS_RESET void bist_link_reset(struct bist_link *self)
{
    self->out = (struct bist_link_out){.state = LINK_TRAIN};
    self->now = 0;
    self->freed_valid = 0;
    self->freed_vc = 0;
    lcb_reset(&self->lcb);
    bist_source_reset(&self->source);
    bist_check_reset(&self->check);
}

static inline void forward(struct bist_link *self)
{
    self->out.state = self->lcb.out.state;
    self->out.seen = self->check.out;
    for (int lane = 0; lane < LANES; lane++) {
        self->out.tx_lane[lane] = self->lcb.out.tx_lane[lane];
    }
    self->out.bus = self->lcb.out.bus;
}

HLS_MODULE void bist_link(struct bist_link *self, const struct bist_link_in *in)
{
    struct bist_source_in source = {
        .run = in->run,
        .ready = self->lcb.out.flit_ready,
        .room = self->lcb.out.room,
        .spare = self->lcb.out.spare,
        .last = BIST_STREAMS - 1,
        .vcs = 7,
        .route = {(bist_route)-1, (bist_route)-1},
    };
    struct bist_check_in check = {
        .valid = self->lcb.out.rx_valid,
        .head = self->lcb.out.rx_head,
        .tail = self->lcb.out.rx_tail,
        .bad = self->lcb.out.rx_bad,
        .flit = self->lcb.out.rx_flit,
        .vcs = 7,
        .tick = in->tick,
        .clear = in->clear,
    };
    struct lcb_in link = {
        .flit_valid = self->source.out.valid,
        .flit = self->source.out.flit,
        .freed_valid = self->freed_valid,
        .freed_vc = self->freed_vc,
        .now = self->now,
        .rx_lane_valid = in->lane_up,
        .rx_lane_up = in->lane_up,
        .rx_lane = {in->rx_lane[0], in->rx_lane[1], in->rx_lane[2]},
        .identity = in->identity,
        .bus = in->bus,
    };

    u3 map = self->lcb.out.rx_map;

    self->out.lanes = (u2)((u2)(u1)map + (u1)(map >> 1) + (u1)(map >> 2));
    self->freed_valid = self->lcb.out.rx_valid;
    if (self->lcb.out.rx_valid && self->lcb.out.rx_head) {
        self->freed_vc = flit_vc(self->lcb.out.rx_flit);
    }
    self->now++;
    lcb(&self->lcb, &link);
    bist_source(&self->source, &source);
    bist_check(&self->check, &check);
    forward(self);
}
