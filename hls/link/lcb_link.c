// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_link.c - the link's state machine.
 *
 * Both ends run the same rules and agree by discovery frames: each frame says on which lanes its sender receives, and
 * echoes what its sender has received. An end begins to send data when it knows that the peer receives, on which lanes,
 * and that the peer knows the same of it. Any error leads back to TRAIN with all sequence numbers kept, or, when that
 * does not help, to DEAD. An end with an identity recognises its own frames, and those of another peer than before.
 */
#include "link/lcb_link.h"

#include "link/lane/lanes.h"

#define SETTLE_LIMIT (512 * LANE_PACE) /* clocks that a late lane is waited for */
/* Pongs after a reset until the peer's frames are known to be younger than it; up to two can be older. */
#define ECHOES 3

/* What the peer's frames say, beside our own epoch; what this end remembers is of the clock before. */
struct link_view {
    lcb_lanes rx_map;
    lcb_lanes tx_map;
    u1 younger; /* its epoch is ahead of ours */
    u1 reborn;  /* same epoch, but it was reset since, or is another peer than before */
    u1 match; /* same epoch, it hears us, both remember the same, and the frames are younger than our reset: the link may run */
};

HLS_RESET void lcb_link_reset(struct lcb_link *self)
{
    *self = (struct lcb_link){
        .out = {.state = LINK_TRAIN, .hunt = 1, .round_trip = LCB_ROUND_TRIP},
        .fresh = 1,
    };
}

/*
 * Of two epochs that differ both ends find the same one the younger: it is up to 7 ahead of the other, modulo 16, or 8
 * ahead of one of the first 8.
 */
static inline u1 is_younger(u4 theirs, u4 ours)
{
    u4 ahead = theirs - ours;

    return (ahead != 0 && ahead < 8) || (ahead == 8 && ours < 8);
}

/* Both have an identity, and it is not the same one. */
static inline u1 is_other(struct link_identity a, struct link_identity b)
{
    return a.chip != 0 && b.chip != 0 && !identity_same(a, b);
}

/* Identities are compared a clock before they matter, with the partner of that clock, which changes in READY alone. */
static inline struct link_heard hear(const struct lcb_link *self, const struct lcb_link_in *in)
{
    u1 known = in->identity.chip != 0;

    return (struct link_heard){
        .agreed = in->agreed,
        .info0 = in->peer_info0,
        .info1 = in->peer_info1,
        .peer = in->peer,
        .echoed = !known || in->peer_echo == identity_fold(in->identity),
        .ours = known && identity_same(in->peer, in->identity),
        .stranger = known && is_other(in->peer, self->partner),
        .partner_ours = known && identity_same(self->partner, in->identity),
    };
}

/* The frames that arrive are our own, and no loopback is asked for. */
static inline u1 hears_itself(const struct lcb_link *self, const struct lcb_link_in *in)
{
    u1 hears = self->out.hunt ? self->heard.agreed && self->heard.ours
                              : self->out.run && self->heard.partner_ours;

    return hears && !in->loopback;
}

static inline struct link_view look_at_peer(const struct lcb_link *self)
{
    const struct link_heard *heard = &self->heard;
    u4 epoch = frame_epoch(heard->info0);
    u1 same = heard->agreed && epoch == self->out.epoch;
    u1 fresh = frame_fresh(heard->info1);
    u1 used = frame_used(heard->info1);
    u1 other = !self->fresh && heard->stranger;
    u1 sure = self->echoes == ECHOES;
    u1 reborn = (self->used && fresh) || (other && (self->used || used));

    return (struct link_view){
        .rx_map = frame_rx_map(heard->info0),
        .tx_map = frame_tx_map(heard->info0),
        .younger = heard->agreed && is_younger(epoch, self->out.epoch),
        .reborn = same && reborn,
        .match = same && heard->echoed && sure && !reborn && !(self->fresh && used) &&
                 frame_framing(heard->info0),
    };
}

static inline void enter(struct lcb_link *self, enum link_state state)
{
    self->out.state = state;
}

static inline void begin_training(struct lcb_link *self)
{
    enter(self, LINK_TRAIN);
    self->out.rx_map = 0;
    self->out.tx_map = 0;
    self->timer = 0;
    self->late = 0;
    self->settle = 0;
    self->bad = 0;
    self->broken = 0;
    self->progress = 0;
    self->pinged = 0;
    self->measured = 0;
}

static inline void begin_flush(struct lcb_link *self, enum link_state state, u4 goal)
{
    enter(self, state);
    self->out.flush = 1;
    self->goal = goal;
}

static inline void die(struct lcb_link *self)
{
    begin_training(self);
    begin_flush(self, LINK_DEAD, self->out.epoch);
    self->out.died = 1;
}

/* An error of the lanes: trains again, up to a number of times without progress; without limit while no peer was there yet. */
static inline void reinitialise(struct lcb_link *self, u1 fresh)
{
    self->out.reinit = !fresh;
    if (!fresh && self->spent) {
        die(self);
    } else {
        begin_training(self);
        self->retries += !fresh;
    }
}

/*
 * Round trip: the shortest time in which a ping came back in this bring-up. The first pong may answer an older ping, so
 * it only starts the measurement.
 */
static inline void measure(struct lcb_link *self)
{
    u1 back = self->heard.agreed && frame_pong(self->heard.info1) == self->ping;

    if (self->heard.agreed) {
        self->pong = frame_ping(self->heard.info1);
    }
    if (back && self->pinged && (!self->measured || self->trip < self->out.round_trip)) {
        self->out.round_trip = self->trip;
        self->measured = 1;
    }
    self->trip = back ? (u12)1 : (u12)(self->trip + (self->trip != 0xFFF));
    if (back) {
        self->ping++;
        self->pinged = 1;
        self->echoes += self->echoes != ECHOES;
    }
}

/* TRAIN: waits for all lanes that may be used, SETTLE_LIMIT clocks after the first one at most. */
static inline void choose_lanes(struct lcb_link *self, const struct lcb_link_in *in)
{
    lcb_lanes usable = in->good & in->lanes;

    u1 settled = self->settle == SETTLE_LIMIT - 1;

    self->settle = usable != 0 ? (u10)(self->settle + 1) : (u10)0;
    if (usable != 0 && (usable == in->lanes || settled)) {
        self->out.rx_map = usable;
        enter(self, LINK_READY);
    }
}

/* TRAIN and READY: epochs first, then lanes, then the peer's consent. */
static inline void train(struct lcb_link *self, const struct lcb_link_in *in, struct link_view peer)
{
    u1 consents = peer.match && peer.rx_map != 0 && peer.tx_map == self->out.rx_map;

    self->out.tx_map = peer.match ? peer.rx_map : self->out.tx_map;
    if (peer.younger && self->fresh) {
        self->out.epoch = frame_epoch(self->heard.info0);
    } else if (peer.younger) {
        begin_flush(self, LINK_FLUSH, frame_epoch(self->heard.info0));
    } else if (peer.reborn) {
        begin_flush(self, LINK_FLUSH, (u4)(self->out.epoch + 1));
    } else if (self->out.state == LINK_TRAIN) {
        choose_lanes(self, in);
    } else if (consents) {
        /* within an epoch the peer's shared space stays as first announced */
        self->out.peer_shared =
            self->sent ? self->out.peer_shared : frame_shared(self->heard.info1);
        self->partner = self->heard.peer;
        enter(self, LINK_START);
    }
}

/* START: the peer's frames take back what it agreed to, as it begins anew, or are another's. Its data will not come. */
static inline u1 consent_is_withdrawn(const struct lcb_link *self)
{
    u1 consents = frame_epoch(self->heard.info0) == self->out.epoch &&
                  frame_rx_map(self->heard.info0) != 0 &&
                  frame_tx_map(self->heard.info0) == self->out.rx_map && self->heard.echoed &&
                  !(self->ran && self->heard.stranger);

    return self->out.state == LINK_START && self->heard.agreed && !consents;
}

/* START and RUN: whether the link is so bad that it has to be trained again, which matters in the next clock. */
static inline void watch_run(struct lcb_link *self, const struct lcb_link_in *in)
{
    self->bad = in->rx_good ? (u8)0 : (u8)(self->bad + in->rx_crc_error);
    self->broken = self->bad >= in->bad_limit || in->overflow || in->tx_ecc_fatal ||
                   (self->out.rx_map & ~in->lane_up) != 0 || consent_is_withdrawn(self);
    if (self->progress == LCB_PROGRESS) {
        self->retries = 0;
    } else {
        self->progress += in->rx_good;
    }
}

/* The cable leads back to this end: what the router sends cannot arrive and is reported. */
static inline void enter_loop(struct lcb_link *self)
{
    begin_training(self);
    begin_flush(self, LINK_LOOP, self->out.epoch);
}

/* LOOP: until another end is heard, or none, or loopback is asked for. */
static inline void leave_loop(struct lcb_link *self, const struct lcb_link_in *in)
{
    if (in->good == 0 || (self->heard.agreed && !hears_itself(self, in))) {
        begin_flush(self, LINK_FLUSH, (u4)(self->out.epoch + 1));
    }
}

/* FLUSH: until this end holds nothing of the old epoch. */
static inline void put_to_rest(struct lcb_link *self, const struct lcb_link_in *in)
{
    if (self->out.flush) {
        self->out.flush = !in->tx_flushing;
    } else if (!in->tx_flushing && in->rx_closed && in->drained) {
        begin_training(self);
        self->out.epoch = self->goal;
        self->out.clear = 1;
        self->fresh = 1;
        self->used = 0;
        self->sent = 0;
        self->retries = 0;
    }
}

/* The outputs that follow from the state. */
static inline void drive_outputs(struct lcb_link *self, const struct lcb_link_in *in)
{
    enum link_state state = self->out.state;
    u1 quiet = state == LINK_DEAD || state == LINK_FLUSH;

    self->out.quiet = quiet;
    self->out.close = quiet || state == LINK_LOOP;
    self->out.run = state == LINK_START || state == LINK_RUN;
    self->out.arm = self->out.run || (state == LINK_READY && self->out.tx_map != 0);
    self->out.hunt = !quiet && state != LINK_RUN;
    self->out.info0 =
        frame_info0(self->out.epoch, self->out.rx_map, self->out.tx_map, 0, 0) | (u16)LCB_PACKET;
    self->out.info1 =
        frame_info1(self->fresh, self->used, self->ping, self->pong, in->shared_space);
}

/* One step of a state in which nothing went wrong. */
static inline void step(struct lcb_link *self, const struct lcb_link_in *in, struct link_view peer)
{
    switch (self->out.state) {
    case LINK_TRAIN:
    case LINK_READY:
        train(self, in, peer);
        break;
    case LINK_START:
        if (in->started && in->data) {
            enter(self, LINK_RUN);
        }
        break;
    case LINK_RUN:
    case LINK_DEAD:
        break;
    case LINK_FLUSH:
        put_to_rest(self, in);
        break;
    case LINK_LOOP:
        leave_loop(self, in);
        break;
    }
}

HLS_MODULE void lcb_link(struct lcb_link *self, const struct lcb_link_in *in)
{
    u1 spent = self->retries >= in->retry_limit;
    u1 fresh = self->fresh;
    struct link_view peer = look_at_peer(self);
    u1 broken = self->broken; /* only in START and RUN */
    u1 ran = self->out.run;
    struct link_heard heard = hear(self, in);

    self->out.reinit = 0;
    self->out.died = 0;
    self->out.clear = 0;
    if (in->rx_accepted || in->tx_acked || (in->tx_took && !self->out.close)) {
        self->used = 1;
    }
    if (in->data || self->used) {
        self->fresh = 0;
    }
    self->sent |= in->data;
    self->out.hold = self->out.round_trip > 0xFFF - LCB_HOLD
                         ? (u12)0xFFF
                         : (u12)(self->out.round_trip + LCB_HOLD);
    if (self->out.run) {
        watch_run(self, in);
    }
    if (self->out.hunt) {
        measure(self);
    }
    if (self->out.hunt && self->out.state != LINK_LOOP) {
        broken |= self->late;
        self->timer++;
        self->late = self->timer >= in->train_limit;
    }

    if (in->kill && self->out.state != LINK_DEAD) {
        die(self);
    } else if ((in->restart && self->out.state != LINK_FLUSH) ||
               (in->rx_lost && !self->out.close)) {
        begin_training(self);
        begin_flush(self, LINK_FLUSH, (u4)(self->out.epoch + 1));
    } else if (hears_itself(self, in) && self->out.state != LINK_LOOP) {
        enter_loop(self);
    } else if (broken) {
        reinitialise(self, fresh);
    } else {
        step(self, in, peer);
    }
    self->heard = heard;
    self->spent = spent;
    self->ran = ran;
    drive_outputs(self, in);

    hls_cover(self->out.reinit);
    hls_cover(self->out.died);
    hls_cover(self->out.state == LINK_RUN && self->out.rx_map != (lcb_lanes)-1);
    hls_cover(self->out.state == LINK_RUN && lanes_one(self->out.rx_map));
    hls_cover(self->out.clear);
    hls_cover(self->out.state == LINK_LOOP);
}
