// SPDX-License-Identifier: Apache-2.0
/*
 * bist_port.c - a processor port under test.
 */
#include "board/bist_port.h"

#define STREAM_VCS (RTR_VCS - 1)
#define STREAMS    (2 * RTR_VCS)
#if RTR_VCS != 2
#error "bist_port: two VCs and two routes are four streams; more VCs want more"
#endif

HLS_RESET void bist_port_reset(struct bist_port *self)
{
    self->out = (struct bist_port_out){.to_router = {.ready = 1, .room = 3, .spare = 3}};
    self->held = 0;
    bist_source_reset(&self->source);
    bist_check_reset(&self->check);
}

HLS_MODULE void bist_port(struct bist_port *self, const struct bist_port_in *in)
{
    /* What has been given out for a packet is known two clocks later: room for two is kept. */
    u1 free = self->held + 2 * RTR_PACKET <= RTR_INQ_CREDIT_SHARED;
    u8 room = free ? (u8)((1 << RTR_VCS) - 1) : (u8)0;
    struct bist_source_in source = {
        .run = in->run,
        .ready = 1,
        .room = room,
        .spare = room,
        .last = STREAMS - 1,
        .vcs = STREAM_VCS,
        .route = {in->route[0], in->route[1]},
    };
    struct bist_check_in check = {
        .valid = in->from_router.valid,
        .head = in->from_router.head,
        .tail = in->from_router.tail,
        .bad = in->from_router.bad,
        .flit = in->from_router.flit,
        .vcs = STREAM_VCS,
        .tick = in->tick,
        .clear = in->clear,
    };

    self->held += self->source.out.valid;
    self->held -= in->from_router.freed.valid;
    self->out.to_router.valid = self->source.out.valid;
    self->out.to_router.flit = self->source.out.flit;
    bist_source(&self->source, &source);
    bist_check(&self->check, &check);
    self->out.seen = self->check.out;
}
