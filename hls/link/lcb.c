// SPDX-License-Identifier: Apache-2.0
/*
 * lcb.c - the whole link control block: its parts and the wires between them.
 *
 * Every part sees what the others' registers held before this clock, so the inputs of all parts
 * are put together first and the order of the calls means nothing.
 */
#include "link/lcb.h"

HLS_RESET void lcb_reset(struct lcb *self)
{
    self->out = (struct lcb_out){.state = LINK_TRAIN};
    lcb_tx_reset(&self->tx);
    lcb_rx_reset(&self->rx);
    lane_tx_reset(&self->lanes_out);
    lane_rx_reset(&self->lanes_in);
    lcb_link_reset(&self->link);
    lcb_credit_reset(&self->credit);
    lcb_clock_reset(&self->clock);
    lcb_fault_reset(&self->fault);
    lcb_watch_reset(&self->watch);
    lcb_regs_reset(&self->regs);
}

/* Whether this end holds no flit that it has acknowledged to the peer. */
static inline u1 holds_nothing(const struct lcb *self)
{
    return self->credit.out.drained && !self->rx.out.holds;
}

static inline struct lcb_tx_in tx_inputs(const struct lcb *self, const struct lcb_in *in)
{
    return (struct lcb_tx_in){
        .flit_valid = in->flit_valid,
        .flit_bad = in->flit_bad,
        .flit = in->flit,
        .advance = self->lanes_out.out.advance,
        .run = self->link.out.run,
        .flush = self->link.out.flush,
        .clear = self->link.out.clear,
        .ack_valid = self->rx.out.ack_valid,
        .ack = self->rx.out.ack,
        .nak = self->rx.out.nak,
        .expected = self->rx.out.expected,
        .gap = self->rx.out.gap,
        .load = in->load,
        .empty = holds_nothing(self),
        .hush = self->watch.out.hush,
        .credit_vc = self->credit.out.vc,
        .credit_steps = self->credit.out.steps,
        .clock_part = self->clock.out.part,
        .hold = self->link.out.hold,
        .timeout = self->regs.out.timeout,
    };
}

static inline struct lcb_link_in link_inputs(const struct lcb *self, const struct lcb_in *in)
{
    return (struct lcb_link_in){
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
        .rx_good = self->rx.out.good,
        .rx_crc_error = self->rx.out.crc_error,
        .rx_accepted = self->rx.out.accepted,
        .rx_closed = self->rx.out.closed,
        .rx_lost = self->rx.out.lost,
        .drained = self->credit.out.drained,
        .tx_acked = self->tx.out.acked,
        .tx_took = in->flit_valid && self->tx.out.flit_ready,
        .tx_ecc_fatal = self->tx.out.ecc_fatal,
        .tx_flushing = self->tx.out.flushing,
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
}

static inline struct lcb_credit_in credit_inputs(const struct lcb *self, const struct lcb_in *in)
{
    return (struct lcb_credit_in){
        .clear = self->link.out.clear,
        .dead = self->link.out.close,
        .handed = self->rx.out.flit_valid,
        .freed_valid = in->freed_valid,
        .freed_vc = in->freed_vc,
        .sent = self->tx.out.credit_sent,
        .start_valid = in->start_valid,
        .start_vc = in->start_vc,
        .taken = in->flit_valid && self->tx.out.flit_ready,
        .flit = in->flit,
        .credit_valid = self->rx.out.credit_valid,
        .credit_vc = self->rx.out.credit_vc,
        .credit_steps = self->rx.out.credit_steps,
        .shared_space = self->link.out.peer_shared,
    };
}

/* One bit per counter, in the order of enum lcb_counter. */
static inline u16 count_events(const struct lcb *self)
{
    const u1 event[LCB_COUNTERS] = {
        [COUNT_GOOD] = self->rx.out.good,
        [COUNT_ACCEPTED] = self->rx.out.accepted,
        [COUNT_REPEATED] = self->rx.out.repeated,
        [COUNT_CRC] = self->rx.out.crc_error,
        [COUNT_LANE0] = (u1)self->fault.out.lanes,
        [COUNT_LANE1] = (u1)(self->fault.out.lanes >> 1),
        [COUNT_LANE2] = (u1)(self->fault.out.lanes >> 2),
        [COUNT_REPLAYS] = self->tx.out.replayed,
        [COUNT_NAKS] = self->tx.out.nak_taken,
        [COUNT_TIMEOUTS] = self->tx.out.timed_out,
        [COUNT_ACK_BAD] = self->tx.out.ack_bad,
        [COUNT_CORRECTED] = self->tx.out.ecc_corrected | self->rx.out.ecc_corrected,
        [COUNT_FATAL] = self->tx.out.ecc_fatal | self->rx.out.ecc_fatal,
        [COUNT_REINITS] = self->link.out.reinit,
        [COUNT_DEATHS] = self->link.out.died,
        [COUNT_OVERFLOWS] = self->lanes_in.out.overflow,
    };
    u16 events = 0;

    for (int i = 0; i < LCB_COUNTERS; i++) {
        events |= (u16)((u16)event[i] << i);
    }
    return events;
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
    self->out.flit_ready = self->tx.out.flit_ready;
    self->out.room = self->credit.out.room;
    self->out.spare = self->credit.out.spare;
    self->out.rx_valid = self->rx.out.flit_valid;
    self->out.rx_head = self->rx.out.head;
    self->out.rx_tail = self->rx.out.tail;
    self->out.rx_bad = self->rx.out.bad;
    self->out.rx_flit = self->rx.out.flit;
    self->out.report_valid = self->tx.out.reports;
    self->out.report_bad = self->tx.out.report_bad;
    self->out.report_flit = self->tx.out.word;
    self->out.peer_load = self->rx.out.load;
    self->out.peer_now_valid = self->clock.out.peer_now_valid;
    self->out.peer_now = self->clock.out.peer_now;
    self->out.state = self->link.out.state;
    self->out.tx_map = self->link.out.tx_map;
    self->out.rx_map = self->link.out.rx_map;
    self->out.epoch = self->link.out.epoch;
    for (int lane = 0; lane < LANES; lane++) {
        self->out.tx_lane[lane] = self->lanes_out.out.lane[lane];
    }
    self->out.bus = self->regs.out.bus;
}

HLS_MODULE void lcb(struct lcb *self, const struct lcb_in *in)
{
    struct lcb_tx_in tx = tx_inputs(self, in);
    struct lcb_link_in link = link_inputs(self, in);
    struct lcb_credit_in credit = credit_inputs(self, in);
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
        .lane = {in->rx_lane[0], in->rx_lane[1], in->rx_lane[2]},
        .hunt = self->link.out.hunt,
        .arm = self->link.out.arm,
        .lane_map = self->link.out.rx_map,
        .epoch = self->link.out.epoch,
    };
    struct lcb_rx_in rx = {
        .valid = self->lanes_in.out.valid,
        .word = self->lanes_in.out.word,
        .run = self->link.out.arm,
        .close = self->link.out.close,
        .clear = self->link.out.clear,
    };
    struct lcb_clock_in clock = {
        .now = in->now,
        .sent = self->tx.out.clock_sent,
        .run = self->link.out.arm,
        .verdict = self->rx.out.good || self->rx.out.crc_error,
        .peer_part_valid = self->rx.out.clock_valid,
        .peer_part = self->rx.out.clock_part,
    };
    struct lcb_fault_in fault = {
        .valid = self->lanes_in.out.valid,
        .word = self->lanes_in.out.word,
        .run = self->link.out.arm,
        .lane_map = self->link.out.rx_map,
        .crc_error = self->rx.out.crc_error,
        .accepted = self->rx.out.accepted,
        .side = self->rx.out.side,
        .expected = self->rx.out.expected,
    };
    struct lcb_watch_in watch = {
        .run = self->link.out.state == LINK_RUN,
        .good = self->rx.out.good,
        .side = self->rx.out.side,
        .waits = self->tx.out.waits,
        .acked = self->tx.out.acked,
        .idle = self->tx.out.idle,
        .short_of = self->credit.out.short_of,
        .empty = holds_nothing(self),
    };
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
        .side = self->rx.out.side,
        .now = in->now,
    };

    estimate(self);
    lcb_tx(&self->tx, &tx);
    lcb_rx(&self->rx, &rx);
    lane_tx(&self->lanes_out, &lanes_out);
    lane_rx(&self->lanes_in, &lanes_in);
    lcb_link(&self->link, &link);
    lcb_credit(&self->credit, &credit);
    lcb_clock(&self->clock, &clock);
    lcb_fault(&self->fault, &fault);
    lcb_watch(&self->watch, &watch);
    lcb_regs(&self->regs, &regs);
    forward_outputs(self);
}
