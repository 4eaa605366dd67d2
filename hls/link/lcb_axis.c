// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_axis.c - the link control block for users of AXI4-Stream.
 *
 * In the transmit FIFO packets are gathered until they are whole, and start only when the peer has
 * room for them. The receive FIFO is the input queue, from which the user takes beats;
 * each one that is taken is a credit for the peer.
 */
#include "link/lcb_axis.h"

HLS_RESET void lcb_axis_reset(struct lcb_axis *self)
{
    self->out = (struct lcb_axis_out){.state = LINK_TRAIN};
    lcb_reset(&self->lcb);
    self->identity = (struct link_identity){};
    self->written = 0;
    self->whole = 0;
    self->read = 0;
    self->written_left = 0;
    self->skips = 0;
    self->offers = 0;
    self->offer = 0;
    self->offer_left = 0;
    self->commit = 0;
    self->taken = 0;
    self->fetched = 0;
    self->word_left = 0;
    self->vc = 0;
    self->freed_valid = 0;
    self->freed_vc = 0;
}

/* The next flit of a whole packet moves up when the LCB takes the one before it. */
static inline void feed(struct lcb_axis *self, u1 takes)
{
    axis_tx_word next = self->waiting[(uint(AXIS_TX_LOG2))self->read];

    if (takes) {
        self->offer_left = packet_left(self->offer_left, (u48)self->offer);
        self->offers = 0;
    }
    if (!self->offers && self->read != self->whole) {
        self->offers = 1;
        self->offer = next;
        self->read++;
    }
}

/*
 * A packet counts when tlast stands where its length says. One that ends early or goes on is taken back whole, what
 * is left of it up to its tlast is dropped, and the beat behind that is a head again.
 */
static inline void gather(struct lcb_axis *self, struct axis_beat beat)
{
    u1 take = beat.tvalid && self->out.s_axis.tready;
    u4 left = packet_left(self->written_left, beat.tdata);
    u1 misframed = beat.tlast != (left == 0);

    self->out.misframed = take && !self->skips && misframed;
    if (take && !self->skips) {
        self->waiting[(uint(AXIS_TX_LOG2))self->written] =
            (axis_tx_word)((axis_tx_word)beat.tuser << 48) | beat.tdata;
        self->written = misframed ? self->whole : (axis_tx_count)(self->written + 1);
        self->written_left = misframed ? (u4)0 : left;
    }
    if (take) {
        self->skips = !beat.tlast && (self->skips || misframed);
    }
    if (self->written_left == 0) {
        self->whole = self->written;
    }
    self->out.s_axis.tready = (axis_tx_count)(self->written - self->read) != 1 << AXIS_TX_LOG2;
}

/* The oldest flit of the queue moves to the output, the next one into the read register. */
static inline void deliver(struct lcb_axis *self, u1 tready)
{
    u1 moves = self->fetched && (!self->out.m_axis.tvalid || tready);
    u48 flit = (u48)self->word;

    self->freed_valid = moves;
    if (moves) {
        self->vc = self->word_left == 0 ? flit_vc(flit) : self->vc;
        self->word_left = packet_left(self->word_left, flit);
        self->freed_vc = self->vc;
        self->out.m_axis = (struct axis_beat_marked){
            .tvalid = 1,
            .tdata = flit,
            .tlast = (u1)(self->word >> 48),
            .tid = self->vc,
            .tuser = (u1)(self->word >> 49),
        };
    } else if (tready) {
        self->out.m_axis.tvalid = 0;
    }
    if (moves || !self->fetched) {
        self->fetched = self->taken != self->commit;
        if (self->fetched) {
            self->word = self->queue[self->taken];
            self->taken++;
        }
    }
}

/* Flits from the LCB go into the receive FIFO; credits keep it from overflowing. */
static inline void enqueue(struct lcb_axis *self, u1 valid, axis_rx_word word)
{
    if (valid) {
        hls_assert((axis_rx_index)(self->commit + 1) != self->taken);
        self->queue[self->commit] = word;
        self->commit++;
    }
}

/* The LCB answers all requests, but its identity is kept here. */
static inline void keep_identity(struct lcb_axis *self, const struct reg_request *bus)
{
    if (bus->valid && bus->write && bus->addr == LCB_REG_IDENTITY) {
        self->identity.chip = (u16)bus->wdata;
        self->identity.port = (u6)(bus->wdata >> 16);
    }
}

static inline void forward_outputs(struct lcb_axis *self)
{
    for (int lane = 0; lane < LANES; lane++) {
        self->out.tx_lane[lane] = self->lcb.out.tx_lane[lane];
    }
    self->out.state = self->lcb.out.state;
    self->out.report_valid = self->lcb.out.report_valid;
    self->out.report_bad = self->lcb.out.report_bad;
    self->out.report_flit = self->lcb.out.report_flit;
    self->out.peer_load = self->lcb.out.peer_load;
    self->out.peer_now_valid = self->lcb.out.peer_now_valid;
    self->out.peer_now = self->lcb.out.peer_now;
    self->out.peer_age = self->lcb.out.peer_age;
    self->out.bus = self->lcb.out.bus;
}

HLS_MODULE void lcb_axis(struct lcb_axis *self, const struct lcb_axis_in *in)
{
    u1 room = (u1)(self->lcb.out.room >> flit_vc((u48)self->offer));
    struct lcb_in link = {
        .flit_valid = self->offers && (room || self->offer_left != 0),
        .flit_bad = (u1)(self->offer >> 48),
        .flit = (u48)self->offer,
        .freed_valid = self->freed_valid,
        .freed_vc = self->freed_vc,
        .load = (u7)((axis_rx_index)(self->commit - self->taken) >> (AXIS_RX_LOG2 - 7)),
        .now = in->now,
        .restart = in->restart,
        .rx_lane_valid = in->rx_lane_valid,
        .rx_lane_up = in->rx_lane_up,
        .rx_lane = {in->rx_lane[0], in->rx_lane[1], in->rx_lane[2]},
        .identity = self->identity,
        .bus = in->bus,
    };
    u1 takes = link.flit_valid && self->lcb.out.flit_ready;
    axis_rx_word came = (axis_rx_word)self->lcb.out.rx_flit |
                        ((axis_rx_word)self->lcb.out.rx_tail << 48) |
                        ((axis_rx_word)self->lcb.out.rx_bad << 49);
    u1 comes = self->lcb.out.rx_valid;

    keep_identity(self, &in->bus);
    feed(self, takes);
    gather(self, in->s_axis);
    deliver(self, in->m_axis.tready);
    enqueue(self, comes, came);
    lcb(&self->lcb, &link);
    forward_outputs(self);
}
