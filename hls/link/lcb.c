// SPDX-License-Identifier: Apache-2.0
/*
 * lcb.c - the whole link control block: its parts and the wires between them.
 *
 * Micropackets or packets: the parts that differ are joined by lcb_join.inc of their folder. Every part sees what the others' registers held before this clock, so the inputs of all parts
 * are put together first and the order of the calls means nothing.
 */
#include "link/lcb.h"

#if LCB_PACKET
#include "link/packet/lcb_join.inc"
#else
#include "link/micropacket/lcb_join.inc"
#endif

HLS_RESET void lcb_reset(struct lcb *self)
{
    self->out = (struct lcb_out){.state = LINK_TRAIN};
    framing_reset(self);
    lane_tx_reset(&self->lanes_out);
    lane_rx_reset(&self->lanes_in);
    lcb_link_reset(&self->link);
    lcb_watch_reset(&self->watch);
    lcb_regs_reset(&self->regs);
}

static inline struct lcb_link_in link_inputs(const struct lcb *self, const struct lcb_in *in)
{
    struct lcb_link_in link = {
        .lane_up = in->rx_lane_up,
        .good = self->lanes_in.out.good,
        .agreed = self->lanes_in.out.agreed,
        .peer_info0 = self->lanes_in.out.info0,
        .peer_info1 = self->lanes_in.out.info1,
        .peer = self->lanes_in.out.identity,
        .peer_echo = self->lanes_in.out.echo,
        .started = self->lanes_in.out.started,
        .overflow = self->lanes_in.out.overflow,
        .data = self->lanes_out.out.data,
        .restart = in->restart || self->regs.out.restart || self->watch.out.stuck,
        .kill = self->regs.out.kill,
        .loopback = self->regs.out.loopback,
        .lanes = self->regs.out.lanes,
        .bad_limit = self->regs.out.bad_limit,
        .retry_limit = self->regs.out.retry_limit,
        .train_limit = self->regs.out.train_limit,
        .shared_space = self->regs.out.shared_space,
        .identity = in->identity,
    };

    framing_state(&link, self, in);
    return link;
}

/* A cable holds a flit for each clock of the round trip, of whichever class: going, or freed and not yet heard of. */
static inline u6 beyond_cable(u12 filled, u12 trip)
{
    u12 waits = filled > trip ? (u12)(filled - trip) : (u12)0;
    u12 fours = waits >> 2;

    return fours > 63 ? (u6)63 : (u6)fours;
}

static inline void estimate(struct lcb *self)
{
    u12 trip = self->link.out.round_trip;

    self->out.far_request = beyond_cable(self->credit.out.requests, trip);
    self->out.far_response = beyond_cable(self->credit.out.responses, trip);
}

static inline void forward_outputs(struct lcb *self)
{
    forward_framing(self);
    self->out.state = self->link.out.state;
    self->out.tx_map = self->link.out.tx_map;
    self->out.rx_map = self->link.out.rx_map;
    self->out.epoch = self->link.out.epoch;
#if DEV_MAINT
    self->out.waits = self->tx.out.waits;
#endif
#if LANE_PACE > 1
    self->out.tx_lane_valid = self->lanes_out.out.lane_valid;
#endif
    for (int lane = 0; lane < LANES; lane++) {
        self->out.tx_lane[lane] = self->lanes_out.out.lane[lane];
    }
    self->out.bus = self->regs.out.bus;
}

HLS_MODULE void lcb(struct lcb *self, const struct lcb_in *in)
{
    struct framing_in framing = framing_inputs(self, in);
    struct lcb_link_in link = link_inputs(self, in);
    struct lane_tx_in lanes_out = {
        .valid = self->tx.out.valid,
        .word = self->tx.out.word,
        .quiet = self->link.out.quiet,
        .start = self->link.out.run,
        .lane_map = self->link.out.tx_map,
        .info0 = self->link.out.info0,
        .info1 = self->link.out.info1,
        .identity = in->identity,
        .echo = identity_fold(self->lanes_in.out.identity),
    };
    struct lane_rx_in lanes_in = {
        .lane_valid = in->rx_lane_valid,
        .lane_up = in->rx_lane_up,
#if LANES == 4
        .lane = {in->rx_lane[0], in->rx_lane[1], in->rx_lane[2], in->rx_lane[3]},
#else
        .lane = {in->rx_lane[0], in->rx_lane[1], in->rx_lane[2]},
#endif
        .hunt = self->link.out.hunt,
        .arm = self->link.out.arm,
        .lane_map = self->link.out.rx_map,
        .epoch = self->link.out.epoch,
    };
    struct lcb_watch_in watch = watch_inputs(self);
    struct lcb_regs_in regs = {
        .bus = in->bus,
        .events = count_events(self),
        .stuck = self->watch.out.stuck,
        .state = self->link.out.state,
        .tx_map = self->link.out.tx_map,
        .rx_map = self->link.out.rx_map,
        .lane_up = in->rx_lane_up,
        .epoch = self->link.out.epoch,
        .round_trip = self->link.out.round_trip,
        .identity = in->identity,
        .peer = self->lanes_in.out.identity,
        .side = FRAMING_SIDE(self),
        .now = in->now,
#if LCB_PACKET
        .packet_events = packet_events(self, in),
#else
        .peer_now_valid = self->clock.out.peer_now_valid,
        .peer_now = self->clock.out.peer_now,
        .peer_age = self->clock.out.peer_age,
#endif
    };

    estimate(self);
    framing_step(self, &framing);
    lane_tx(&self->lanes_out, &lanes_out);
    lane_rx(&self->lanes_in, &lanes_in);
    lcb_link(&self->link, &link);
    lcb_watch(&self->watch, &watch);
    lcb_regs(&self->regs, &regs);
    forward_outputs(self);
}
