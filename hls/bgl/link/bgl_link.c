// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_link.c - the link of one port: its parts and the wires between them.
 *
 * Every part sees what the others' registers held before this clock, so the inputs of all parts are put together first.
 */
#include "bgl/link/bgl_link.h"

HLS_RESET void bgl_link_reset(struct bgl_link *self)
{
    self->out = (struct bgl_link_out){
        .link_state = LINK_TRAIN,
        .one = 0xF,
        .two = 0xC,
        .ranges = {3, 3},
        .shown = {.state = LINK_TRAIN,
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
    bgl_counts_reset(&self->counts);
    self->alone = 0;
    self->flushing = 0;
}

/* Packets may be sent: both directions carry data. */
static inline u1 runs(const struct bgl_link *self)
{
    return self->link.out.state == LINK_RUN && self->lane_tx.out.data;
}

/* An end that no data has passed in its epoch waits for ever, as where no cable is; packets do not wait with it. */
static inline void wait_alone(struct bgl_link *self)
{
    u1 waits = frame_fresh(self->link.out.info1) && self->link.out.state != LINK_RUN;

    self->out.absent = waits && self->alone == BGL_ALONE;
    if (!waits || self->link.out.clear) {
        self->alone = 0;
    } else {
        self->alone += self->alone != BGL_ALONE;
    }
}

static inline struct lcb_link_in link_inputs(const struct bgl_link *self,
                                             const struct bgl_link_in *in)
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
        .rx_lost = in->lost || self->resend.out.lost,
        .drained = in->drained,
        .tx_acked = self->resend.out.acked,
        .tx_took = in->bus.ctl == BUS_FIRST,
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

static inline struct bgl_resend_in resend_inputs(const struct bgl_link *self,
                                                 const struct bgl_link_in *in)
{
    return (struct bgl_resend_in){
        .run = runs(self),
        .clear = self->link.out.clear,
        .crc_clear = in->control.clear_crc,
        .bus = in->bus,
        .n = in->bus_n,
        .vc = in->bus_vc,
        .soon = self->framer.out.soon,
        .ack = self->deframer.out.ack,
        .ack_bytes = self->deframer.out.ack_bytes,
        .round_trip = self->link.out.round_trip,
        .timeout = in->control.timeout,
        .retry_limit = in->control.retry,
    };
}

static inline struct bgl_tokens_in token_inputs(const struct bgl_link *self,
                                                const struct bgl_link_in *in)
{
    struct bgl_tokens_in tokens = {
        .clear = self->link.out.clear,
        .charge = in->bus.ctl == BUS_FIRST,
        .charge_vc = in->bus_vc,
        .charge_n = in->bus_n,
        .ack = self->resend.out.ack_right,
        .ack_bytes = self->resend.out.right_bytes,
    };

    for (int v = 0; v < BGL_VCS; v++) {
        tokens.leaves[v] = in->leaves[v];
    }
    for (int i = 0; i < 3; i++) {
        tokens.thresholds[i] = in->thresholds[i];
    }
    return tokens;
}

static inline void show_state(struct bgl_link *self)
{
    struct bgl_link_state *state = &self->out.shown;

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
    }
}

/* One bit per counter, in the order of enum bgl_count. */
static inline u32 count_events(const struct bgl_link *self, const struct bgl_link_in *in)
{
    const u1 event[BGL_COUNTERS] = {
        [COUNT_SENT] = in->bus.ctl == BUS_FIRST,
        [COUNT_ACCEPTED] = self->deframer.out.accepted,
        [COUNT_AGAIN] = self->resend.out.repeated,
        [COUNT_TIMEOUTS] = self->resend.out.timed_out,
        [COUNT_ACKS] = self->framer.out.acked,
        [COUNT_TOKEN_ACKS] = self->framer.out.token_ack,
        [COUNT_ACKS_REFUSED] = self->resend.out.ack_wrong || self->deframer.out.ack_wrong,
        [COUNT_CRC24] = self->deframer.out.crc_wrong,
        [COUNT_CRC8] = self->deframer.out.head_wrong,
        [COUNT_GAPS_CORRECTED] = self->deframer.out.gap_corrected,
        [COUNT_GAPS_LOST] = self->deframer.out.gap_lost,
        [COUNT_REPEATED] = self->deframer.out.repeated,
        [COUNT_MISSING] = self->deframer.out.gap,
        [COUNT_DROPPED] = in->dropped,
        [COUNT_TRAININGS] = self->link.out.reinit,
        [COUNT_EPOCHS] = self->link.out.clear,
        [COUNT_CORRECTED] = self->resend.out.corrected || in->corrected,
        [COUNT_UNCORRECTABLE] = self->resend.out.fatal || in->uncorrectable,
        [COUNT_PARITY] = self->resend.out.parity || self->framer.out.parity || in->parity,
        [COUNT_HEADERS] = in->header,
        [COUNT_BYPASSED] = in->bypassed,
        [COUNT_LAPSED] = in->lapsed,
        [COUNT_ESCAPES] = self->resend.out.escapes,
    };
    u4 sent = (u4)((u4)(in->bus.ctl == BUS_FIRST) << in->bus_vc);
    u4 received = (u4)((u4)in->received << in->received_vc);
    u32 events = (u32)((u32)sent << COUNT_SENT_ON) | (u32)((u32)received << COUNT_RECEIVED_ON);

    for (int c = 0; c < BGL_COUNTERS; c++) {
        events |= (u32)((u32)event[c] << c);
    }
    return events;
}

static inline void forward_outputs(struct bgl_link *self)
{
    self->out.tx = self->lane_tx.out.tx;
    self->out.rx_bus = self->deframer.out.bus;
    self->out.rx_n = self->deframer.out.n;
    self->out.head = self->deframer.out.head;
    self->out.over = self->deframer.out.over;
    self->out.accepted = self->deframer.out.accepted;
    self->out.whole = self->deframer.out.whole;
    self->out.link_state = self->link.out.state;
    self->out.soon = self->framer.out.soon;
    self->out.room = self->resend.out.room;
    self->out.index = self->counts.out.index;
    self->out.count = self->counts.out.count;
    self->out.resend_fatal = self->resend.out.fatal;
    self->out.one = self->tokens.out.one;
    self->out.two = self->tokens.out.two;
    for (int v = 0; v < 2; v++) {
        self->out.ranges[v] = self->tokens.out.ranges[v];
    }
}

HLS_MODULE void bgl_link(struct bgl_link *self, const struct bgl_link_in *in)
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
    struct bgl_resend_in resend = resend_inputs(self, in);
    struct bgl_tokens_in tokens = token_inputs(self, in);
    struct bgl_counts_in counts = {.clear = in->control.clear, .events = count_events(self, in)};

    for (int v = 0; v < BGL_VCS; v++) {
        framer.freed[v] = self->tokens.out.freed[v];
    }
    show_state(self);
    wait_alone(self);
    self->out.sent_wrong = self->resend.out.parity || self->framer.out.parity;
    self->flushing =
        self->link.out.flush || (self->flushing && (in->granted || self->resend.out.flowing));
    bgl_lane_tx(&self->lane_tx, &lane_tx);
    bgl_lane_rx(&self->lane_rx, &lane_rx);
    lcb_link(&self->link, &link);
    bgl_framer(&self->framer, &framer);
    bgl_deframer(&self->deframer, &deframer);
    bgl_resend(&self->resend, &resend);
    bgl_tokens(&self->tokens, &tokens);
    bgl_counts(&self->counts, &counts);
    forward_outputs(self);
}
