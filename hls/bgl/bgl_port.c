// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_port.c - one of the six ports: its parts and the wires between them.
 *
 * Every part sees what the others' registers held before this clock, so the inputs of all parts are put together first.
 */
#include "bgl/bgl_port.h"

HLS_RESET void bgl_port_reset(struct bgl_port *self)
{
    self->out = (struct bgl_port_out){
        .shown = {.state = LINK_TRAIN,
                  .round_trip = LCB_ROUND_TRIP,
                  .send_crc = CRC32_START,
                  .receive_crc = CRC32_START},
    };
    bgl_link_reset(&self->link);
    bgl_pipe_reset(&self->pipe);
    bgl_vc_fifo_reset(&self->fifo);
    for (int v = 0; v < BGL_VCS; v++) {
        bgl_channel_reset(&self->channel[v]);
    }
    bgl_select_reset(&self->select);
    bgl_sender_reset(&self->sender);
    self->dropped = 0;
    self->dropped_vc = 0;
}

/* ---- link ------------------------------------------------------------------------------------ */

/* What is offered to a link that is down for good, or where no cable is, is thrown away. */
static inline u1 drops(const struct bgl_port *self, const struct bgl_port_in *in)
{
    enum link_state state = self->link.out.link_state;
    u1 dead = state == LINK_DEAD || state == LINK_LOOP;

    u1 alone = self->link.out.absent && (state == LINK_TRAIN || state == LINK_READY);

    return state == LINK_FLUSH || alone || (dead && in->control.drop);
}

static inline struct bgl_link_in link_inputs(const struct bgl_port *self,
                                             const struct bgl_port_in *in)
{
    struct bgl_link_in link = {
        .rx_up = in->rx_up,
        .rx_valid = in->rx_valid,
        .rx = in->rx,
        .control = in->control,
        .identity = in->identity,
        .bus = self->sender.out.tx,
        .bus_n = self->sender.out.tx_n,
        .bus_vc = self->sender.out.tx_vc,
        .granted = self->sender.out.flowing,
        .lost = self->fifo.out.lost,
        .drained = self->fifo.out.drained,
        .dropped = self->sender.out.dropped,
        .corrected = self->fifo.out.corrected,
        .uncorrectable = self->fifo.out.fatal,
        .parity = self->pipe.out.parity,
        .header = self->pipe.out.impossible || self->pipe.out.wrong_node || self->pipe.out.lost_way,
        .bypassed = self->fifo.out.bypassed,
        .lapsed = self->sender.out.lapsed,
        .received = self->pipe.out.good || self->pipe.out.dropped,
        .received_vc = self->pipe.out.vc,
    };

    for (int v = 0; v < BGL_VCS; v++) {
        u4 dropped = self->dropped_vc == v ? self->dropped : (u4)0;

        link.leaves[v] = (u5)((u5)self->fifo.out.freed[v] + dropped);
    }
    for (int i = 0; i < 3; i++) {
        link.thresholds[i] = in->arbitration.tokens[i];
    }
    return link;
}

/* ---- torus ----------------------------------------------------------------------------------- */

static inline struct bgl_vc_fifo_in fifo_inputs(const struct bgl_port *self,
                                                const struct bgl_port_in *in)
{
    struct bgl_vc_fifo_in fifo = {
        .write = self->pipe.out.write,
        .first = self->pipe.out.first,
        .word = self->pipe.out.word,
        .vc = self->pipe.out.vc,
        .size = self->pipe.out.size,
        .done = self->pipe.out.done,
        .good = self->pipe.out.good,
        .valid = self->pipe.out.valid,
        .early = self->pipe.out.early,
        .at = in->at,
    };

    for (int v = 0; v < BGL_VCS; v++) {
        u1 granted = in->granted && (u1)(self->select.out.asked >> v);
        u1 here = (u1)(self->select.out.started >> v);

        fifo.bypass[v] = in->arbitration.bypass[v];
        fifo.start[v] = (struct bgl_start){
            .go = granted || here,
            .out = granted,
            .bus = self->select.out.asked_bus,
            .here = here || (granted && self->select.out.asked_dp),
            .port = self->select.out.asked_port,
        };
    }
    return fifo;
}

static inline struct bgl_channel_in channel_inputs(const struct bgl_port *self,
                                                   const struct bgl_port_in *in, int v)
{
    u1 group = self->fifo.out.front[v].group;
    u1 normal =
        (u1)(in->room >> group) && self->select.out.normal && !vc_normal_busy(&self->fifo.out);
    u1 high = (u1)(in->room_high >> group) && self->select.out.high && !self->fifo.out.arrives[3];
    struct bgl_channel_in channel = {
        .front = self->fifo.out.front[v],
        .from = in->own_port,
        .bus_free = self->select.out.bus_free,
        .room = v == 3 ? high : normal,
        .picked = (u1)(self->select.out.picked >> v),
        .granted = in->granted && (u1)(self->select.out.asked >> v),
        .random = (u4)(in->random >> (3 * v)),
    };

    for (int p = 0; p < BGL_PORTS; p++) {
        channel.avail[p] = in->avail[p];
    }
    return channel;
}

static inline struct bgl_select_in select_inputs(const struct bgl_port *self,
                                                 const struct bgl_port_in *in)
{
    struct bgl_select_in select = {
        .busy = vc_busy(&self->fifo.out),
        .normal_busy = vc_normal_busy(&self->fifo.out),
        .high_busy = self->fifo.out.arrives[3],
        .granted = in->granted,
        .waits = self->channel[3].out.waits,
        .slq = in->slq,
        .random = (u2)(in->random >> 12),
    };

    for (int v = 0; v < BGL_VCS; v++) {
        select.request[v] = self->channel[v].out.request;
        select.held[v] = self->fifo.out.held[v];
    }
    for (int i = 0; i < 3; i++) {
        select.fullness[i] = in->arbitration.fullness[i];
    }
    return select;
}

static inline struct bgl_sender_in sender_inputs(const struct bgl_port *self,
                                                 const struct bgl_port_in *in)
{
    struct bgl_sender_in sender = {
        .own_port = in->own_port,
        .soon = self->link.out.soon && !in->control.stop,
        .room = self->link.out.room,
        .drop = drops(self, in),
        .one = self->link.out.one,
        .two = self->link.out.two,
        .ranges = {self->link.out.ranges[0], self->link.out.ranges[1]},
        .running =
            self->link.out.link_state == LINK_RUN && self->link.out.room && !in->control.stop,
        .inject_clocks = in->arbitration.inject,
        .high_clocks = in->arbitration.high_inject,
        .slq = in->slq,
        .random = (u4)(in->random >> 12),
    };

    for (int p = 0; p < BGL_PORTS; p++) {
        sender.offer[p] = in->offers[p];
        sender.bus[p][0] = in->bus[p][0];
        sender.bus[p][1] = in->bus[p][1];
    }
    for (int f = 0; f < BGL_INJECTION; f++) {
        sender.inject[f] = in->inject[f];
        sender.inject_fullness[f] = in->inject_fullness[f];
        sender.inject_bus[f] = in->inject_bus[f];
    }
    return sender;
}

/* ---- what others see ------------------------------------------------------------------------- */

static inline void forward_outputs(struct bgl_port *self)
{
    self->out.tx = self->link.out.tx;
    self->out.shown = self->link.out.shown;
    self->out.index = self->link.out.index;
    self->out.count = self->link.out.count;
    for (int v = 0; v < BGL_VCS; v++) {
        self->out.held[v] = self->fifo.out.held[v];
    }
    self->out.offer = self->select.out.offer;
    self->out.to_sender[0] = self->fifo.out.bus[0];
    self->out.to_sender[1] = self->fifo.out.bus[1];
    self->out.normal = self->fifo.out.normal;
    self->out.normal_group = self->fifo.out.normal_group;
    self->out.high = self->fifo.out.high;
    self->out.high_group = self->fifo.out.high_group;
    self->out.grant = self->sender.out.grant;
    self->out.grant_inject = self->sender.out.grant_inject;
    self->out.sender_avail = self->sender.out.avail;
    self->out.avail_inject = self->sender.out.avail_inject;
}

static inline void show_errors(struct bgl_port *self)
{
    self->out.errors = (struct bgl_port_errors){
        .header = self->pipe.out.impossible,
        .wrong_node = self->pipe.out.wrong_node,
        .lost_way = self->pipe.out.lost_way,
        .parity = self->pipe.out.parity || self->link.out.sent_wrong,
        .uncorrectable = self->fifo.out.fatal || self->link.out.resend_fatal,
        .dropped = self->sender.out.dropped,
        .vc = self->pipe.out.vc,
    };
}

HLS_MODULE void bgl_port(struct bgl_port *self, const struct bgl_port_in *in)
{
    struct bgl_link_in link = link_inputs(self, in);
    struct bgl_pipe_in pipe = {
        .bus = self->link.out.rx_bus,
        .n = self->link.out.rx_n,
        .head = self->link.out.head,
        .over = self->link.out.over,
        .accepted = self->link.out.accepted,
        .whole = self->link.out.whole,
        .at = in->at,
        .own_port = in->own_port,
    };
    struct bgl_vc_fifo_in fifo = fifo_inputs(self, in);
    struct bgl_channel_in channel[BGL_VCS];
    struct bgl_select_in select = select_inputs(self, in);
    struct bgl_sender_in sender = sender_inputs(self, in);

    for (int v = 0; v < BGL_VCS; v++) {
        channel[v] = channel_inputs(self, in, v);
    }
    self->dropped_vc = self->pipe.out.vc;
    self->dropped = !self->pipe.out.dropped  ? (u4)0
                    : self->pipe.out.vc >= 2 ? (u4)BGL_FULL
                                             : (u4)((u4)self->pipe.out.size + 1);
    show_errors(self);
    bgl_link(&self->link, &link);
    bgl_pipe(&self->pipe, &pipe);
    bgl_vc_fifo(&self->fifo, &fifo);
    for (int v = 0; v < BGL_VCS; v++) {
        bgl_channel(&self->channel[v], &channel[v]);
    }
    bgl_select(&self->select, &select);
    bgl_sender(&self->sender, &sender);
    forward_outputs(self);
}
