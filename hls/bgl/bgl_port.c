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
        .state = {.state = LINK_TRAIN,
                  .round_trip = LCB_ROUND_TRIP,
                  .send_crc = CRC32_START,
                  .receive_crc = CRC32_START},
    };
    bgl_lane_tx_reset(&self->lane_tx);
    bgl_lane_rx_reset(&self->lane_rx);
    lcb_link_reset(&self->link);
    bgl_framer_reset(&self->framer);
    bgl_deframer_reset(&self->deframer);
    bgl_resend_reset(&self->resend);
    bgl_tokens_reset(&self->tokens);
    bgl_pipe_reset(&self->pipe);
    bgl_vc_fifo_reset(&self->fifo);
    for (int v = 0; v < BGL_VCS; v++) {
        bgl_channel_reset(&self->channel[v]);
    }
    bgl_select_reset(&self->select);
    bgl_sender_reset(&self->sender);
    self->dropped = 0;
    self->dropped_vc = 0;
    self->flushing = 0;
}

/* ---- link ------------------------------------------------------------------------------------ */

/* Packets may be sent: both directions carry data. */
static inline u1 runs(const struct bgl_port *self)
{
    return self->link.out.state == LINK_RUN && self->lane_tx.out.data;
}

/* What is offered to a link that is down for good is thrown away. */
static inline u1 drops(const struct bgl_port *self, const struct bgl_port_in *in)
{
    enum link_state state = self->link.out.state;
    u1 dead = state == LINK_DEAD || state == LINK_LOOP;

    return state == LINK_FLUSH || (dead && in->control.drop);
}

static inline struct lcb_link_in link_inputs(const struct bgl_port *self,
                                             const struct bgl_port_in *in)
{
    return (struct lcb_link_in){
        .lane_up = in->rx_up,
        .good = self->lane_rx.out.good,
        .agreed = self->lane_rx.out.agreed,
        .peer_info0 = self->lane_rx.out.info0,
        .peer_info1 = self->lane_rx.out.info1,
        .peer = self->lane_rx.out.identity,
        .peer_echo = self->lane_rx.out.echo,
        .started = self->lane_rx.out.started,
        .overflow = self->resend.out.spent,
        .data = self->lane_tx.out.data,
        .rx_good = self->deframer.out.good && !self->deframer.out.lost,
        .rx_crc_error = self->deframer.out.lost,
        .rx_accepted = self->deframer.out.accepted,
        .rx_closed = 1,
        .rx_lost = self->fifo.out.lost || self->resend.out.lost,
        .drained = self->fifo.out.drained,
        .tx_acked = self->resend.out.acked,
        .tx_took = self->sender.out.tx.ctl == BUS_FIRST,
        .tx_flushing = self->flushing,
        .restart = in->control.restart,
        .kill = in->control.kill,
        .loopback = in->control.loopback,
        .lanes = 1,
        .bad_limit = 1,
        .retry_limit = BGL_LINK_RETRY,
        .train_limit = BGL_TRAIN_LIMIT,
        .identity = in->identity,
    };
}

static inline struct bgl_resend_in resend_inputs(const struct bgl_port *self,
                                                 const struct bgl_port_in *in)
{
    return (struct bgl_resend_in){
        .run = runs(self),
        .clear = self->link.out.clear,
        .crc_clear = in->control.clear_crc,
        .bus = self->sender.out.tx,
        .n = self->sender.out.tx_n,
        .vc = self->sender.out.tx_vc,
        .soon = self->framer.out.soon,
        .ack = self->deframer.out.ack,
        .ack_bytes = self->deframer.out.ack_bytes,
        .round_trip = self->link.out.round_trip,
        .timeout = in->control.timeout,
        .retry_limit = in->control.retry,
    };
}

static inline struct bgl_tokens_in token_inputs(const struct bgl_port *self,
                                                const struct bgl_port_in *in)
{
    struct bgl_tokens_in tokens = {
        .clear = self->link.out.clear,
        .charge = self->sender.out.tx.ctl == BUS_FIRST,
        .charge_vc = self->sender.out.tx_vc,
        .charge_n = self->sender.out.tx_n,
        .ack = self->resend.out.ack_right,
        .ack_bytes = self->resend.out.right_bytes,
    };

    for (int v = 0; v < BGL_VCS; v++) {
        u4 dropped = self->dropped_vc == v ? self->dropped : (u4)0;

        tokens.leaves[v] = self->fifo.out.freed[v] + dropped;
    }
    for (int i = 0; i < 3; i++) {
        tokens.thresholds[i] = in->arbitration.tokens[i];
    }
    return tokens;
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
        .at = in->at,
    };

    for (int v = 0; v < BGL_VCS; v++) {
        u1 granted = in->granted && (u1)(self->select.out.asked >> v);
        u1 here = (u1)(self->select.out.started >> v);

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
    u1 normal = (u1)(in->room >> group) && self->select.out.normal && !self->fifo.out.normal_busy;
    u1 high = (u1)(in->room_high >> group) && self->select.out.high && !self->fifo.out.high_busy;
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
        .busy = self->fifo.out.busy,
        .normal_busy = self->fifo.out.normal_busy,
        .high_busy = self->fifo.out.high_busy,
        .granted = in->granted,
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
        .soon = self->framer.out.soon && !in->control.stop,
        .room = self->resend.out.room,
        .drop = drops(self, in),
        .one = self->tokens.out.one,
        .two = self->tokens.out.two,
        .ranges = {self->tokens.out.ranges[0], self->tokens.out.ranges[1]},
        .inject_clocks = in->arbitration.inject,
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

static inline void show_state(struct bgl_port *self)
{
    struct bgl_port_state *state = &self->out.state;

    state->state = (u3)self->link.out.state;
    state->epoch = self->link.out.epoch;
    state->round_trip = self->link.out.round_trip;
    state->peer = self->lane_rx.out.identity;
    state->send_crc = self->resend.out.crc;
    state->receive_crc = self->deframer.out.crc;
    state->base = self->resend.out.base;
    state->following = self->resend.out.number;
    for (int v = 0; v < BGL_VCS; v++) {
        state->tokens[v] = self->tokens.out.used[v] - self->tokens.out.told[v];
        state->held[v] = self->fifo.out.held[v];
    }
}

static inline void forward_outputs(struct bgl_port *self)
{
    self->out.tx = self->lane_tx.out.tx;
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

HLS_MODULE void bgl_port(struct bgl_port *self, const struct bgl_port_in *in)
{
    struct bgl_lane_tx_in lane_tx = {
        .send = self->framer.out.send,
        .quiet = self->link.out.quiet,
        .start = self->link.out.run,
        .info0 = self->link.out.info0,
        .info1 = self->link.out.info1,
        .identity = in->identity,
        .echo = identity_fold(self->lane_rx.out.identity),
    };
    struct bgl_lane_rx_in lane_rx = {
        .up = in->rx_up,
        .rx_valid = in->rx_valid,
        .rx = in->rx,
        .hunt = self->link.out.hunt,
        .arm = self->link.out.arm,
        .epoch = self->link.out.epoch,
    };
    struct lcb_link_in link = link_inputs(self, in);
    struct bgl_framer_in framer = {
        .data = runs(self),
        .odd = self->lane_tx.out.odd,
        .bus = self->resend.out.tx,
        .n = self->resend.out.tx_n,
        .due = self->deframer.out.due || self->tokens.out.due,
        .expected = self->deframer.out.expected,
    };
    struct bgl_deframer_in deframer = {
        .valid = self->lane_rx.out.valid,
        .lower = self->lane_rx.out.lower,
        .data = self->lane_rx.out.data,
        .hole = self->lane_rx.out.hole,
        .run = self->link.out.arm,
        .clear = self->link.out.clear,
        .crc_clear = in->control.clear_crc,
    };
    struct bgl_pipe_in pipe = {
        .bus = self->deframer.out.bus,
        .n = self->deframer.out.n,
        .head = self->deframer.out.head,
        .over = self->deframer.out.over,
        .accepted = self->deframer.out.accepted,
        .whole = self->deframer.out.whole,
        .at = in->at,
        .own_port = in->own_port,
    };
    struct bgl_resend_in resend = resend_inputs(self, in);
    struct bgl_tokens_in tokens = token_inputs(self, in);
    struct bgl_vc_fifo_in fifo = fifo_inputs(self, in);
    struct bgl_channel_in channel[BGL_VCS];
    struct bgl_select_in select = select_inputs(self, in);
    struct bgl_sender_in sender = sender_inputs(self, in);

    for (int v = 0; v < BGL_VCS; v++) {
        framer.freed[v] = self->tokens.out.freed[v];
        channel[v] = channel_inputs(self, in, v);
    }
    show_state(self);
    self->flushing = self->link.out.flush ||
                     (self->flushing && (self->sender.out.flowing || self->resend.out.flowing));
    self->dropped_vc = self->pipe.out.vc;
    self->dropped = !self->pipe.out.dropped  ? (u4)0
                    : self->pipe.out.vc >= 2 ? (u4)BGL_FULL
                                             : (u4)((u4)self->pipe.out.size + 1);
    bgl_lane_tx(&self->lane_tx, &lane_tx);
    bgl_lane_rx(&self->lane_rx, &lane_rx);
    lcb_link(&self->link, &link);
    bgl_framer(&self->framer, &framer);
    bgl_deframer(&self->deframer, &deframer);
    bgl_resend(&self->resend, &resend);
    bgl_tokens(&self->tokens, &tokens);
    bgl_pipe(&self->pipe, &pipe);
    bgl_vc_fifo(&self->fifo, &fifo);
    for (int v = 0; v < BGL_VCS; v++) {
        bgl_channel(&self->channel[v], &channel[v]);
    }
    bgl_select(&self->select, &select);
    bgl_sender(&self->sender, &sender);
    forward_outputs(self);
}
