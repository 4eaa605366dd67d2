// SPDX-License-Identifier: Apache-2.0
/*
 * prove_room.c - a queue of beats never gets one that it has no place for, whatever its sender does within the rule of beat.h (I7).
 *
 * The queues are all there are: beat_queue behind a valve (rat_net, the responses of orb), nl_entry, beat_queue2, beat_store, beat_skid. A
 * sender begins a packet of up to BEATS beats when it sees room as 1, of a class if there are two, and sends the rest whenever it likes; all
 * go through AHEAD registers, which is as many as the rule lets be. The beats that are stored, in these registers or still to come of
 * a packet that was begun are never more than the queue holds. Beats are popped at any time, packets kept or dropped, epochs end.
 * Proved by induction, at full size; what the memories hold is left open.
 */
#include "common/prove.h"

/* What a queue wants of its sender is proved here; pop, too. */
#undef hls_assume
#define hls_assume(c) prove_assert(c)
#include "common/beat/beat_queue.c"
#include "common/beat/beat_queue2.c"
#include "common/beat/beat_skid.h"
#include "common/beat/beat_valve.h"
#include "nic/netlink/beat_store.c"
#include "nic/netlink/nl_entry.c"

#define AHEAD                                                                                      \
    (BEAT_ROOM - BEATS) /* clocks from where a packet begins, and room is seen, to the queue */
#define STORE 32        /* beats of a class in any of the queues */

typedef uint(AHEAD) in_stages; /* a bit per register on the way, the first lowest */

/* Packets of one class, or of each of two, in one stream. */
struct sender {
    in_stages beats;  /* a beat is there, */
    in_stages heads;  /* a head, */
    in_stages tails;  /* a tail, */
    in_stages second; /* one of class 1 */
    u3 rest[2];       /* beats of the packet that was begun that are not on the way yet */
    u1 inside[2];     /* its head is */
};

/* What a sender does in a clock: anything. */
struct wish {
    u1 class;
    u1 begin;
    u3 beats;
    u1 gap;
    struct beat beat;
};

struct prove_room_in {
    struct wish wish[4];
    u1 pop[2];
    u1 closed, half;
    u2 pop2, pop_store;
    u1 ahead2, ahead_store;
    u1 keep, drop, end_class;
    u1 skid_push, skid_pop;
    u1 reset; /* of the NIC in front of nl_entry */
};

struct prove_room_out {
    u1 started;
};

struct prove_room {
    struct prove_room_out out;
    struct sender sender[4];
    struct beat_valve valve;
    struct beat_queue queue;
    struct nl_entry entry;
    struct beat_queue2 queue2;
    struct beat_store store;
    struct beat_skid skid;
    u1 skid_room, skid_sends;
};

PROVE_RESET void prove_room_reset(struct prove_room *self)
{
    self->out.started = 0;
    for (int i = 0; i < 4; i++) {
        self->sender[i] = (struct sender){};
    }
    valve_reset(&self->valve);
    beat_queue_reset(&self->queue);
    nl_entry_reset(&self->entry);
    beat_queue2_reset(&self->queue2);
    beat_store_reset(&self->store);
    skid_reset(&self->skid);
    self->skid_room = 0;
    self->skid_sends = 0;
}

/* ---- senders ------------------------------------------------------------------------------------- */

/* The beat that is at the queue. */
static inline struct beat arrives(const struct sender *self, const struct wish *wish)
{
    struct beat beat = wish->beat;

    beat.valid = (u1)(self->beats >> (AHEAD - 1));
    beat.head = (u1)(self->heads >> (AHEAD - 1));
    return beat;
}

static inline u1 class_of(const struct sender *self)
{
    return (u1)(self->second >> (AHEAD - 1));
}

/* c: the class whose turn it is; room: as it was seen in this clock, a bit per class. */
static inline void send(struct sender *self, const struct wish *wish, u1 c, u2 room)
{
    u3 wanted = wish->beats == 0 || wish->beats > BEATS ? (u3)BEATS : wish->beats;
    u1 sends = 0, head = 0, tail = 0;

    if (wish->begin && self->rest[c] == 0 && (u1)(room >> c)) {
        self->rest[c] = wanted;
        self->inside[c] = 0;
    }
    if (!wish->gap && self->rest[c] != 0) {
        sends = 1;
        head = !self->inside[c];
        self->inside[c] = 1;
        self->rest[c]--;
        tail = self->rest[c] == 0;
    }
    self->beats = (in_stages)((in_stages)(self->beats << 1) | sends);
    self->heads = (in_stages)((in_stages)(self->heads << 1) | head);
    self->tails = (in_stages)((in_stages)(self->tails << 1) | tail);
    self->second = (in_stages)((in_stages)(self->second << 1) | (u1)(sends & c));
}

static inline u7 ones(in_stages stages)
{
    u7 n = 0;

    for (int i = 0; i < AHEAD; i++) {
        n += (u1)(stages >> i);
    }
    return n;
}

/* Beats of a class that will come though no packet begins any more. */
static inline u7 to_come(const struct sender *self, int c)
{
    in_stages of_class = c == 0 ? (in_stages)~self->second : self->second;

    return (u7)(ones(self->beats & of_class) + self->rest[c]);
}

/* Those of them that belong to the packet whose head has arrived, of a sender of one class. */
static inline u7 to_come_of_first(const struct sender *self)
{
    u7 n = 0;
    u1 next = 0;

    for (int i = AHEAD - 1; i >= 0; i--) {
        next |= (u1)(self->heads >> i);
        n += (u1)(self->beats >> i) & !next;
    }
    return (u7)(n + (!next && self->inside[0] ? self->rest[0] : (u3)0));
}

/* ---- the invariant ------------------------------------------------------------------------------- */

typedef uint(6) stored;

#define STORED(wr, rd) ((u7)(stored)((wr) - (rd)))

static inline u1 says_room(u7 count, u1 room)
{
    return !room || count <= STORE - BEAT_ROOM;
}

static inline u1 sender_good(const struct sender *self)
{
    return (self->heads & ~self->beats) == 0 && (self->second & ~self->beats) == 0 &&
           self->rest[0] <= BEATS && self->rest[1] <= BEATS;
}

static inline u1 queue_good(const struct prove_room *self)
{
    const struct sender *from = &self->sender[0];
    u7 count = STORED(self->queue.wr[0], self->queue.rd[0]);
    u1 all_fit = (u7)(count + to_come(from, 0)) <= STORE;
    u1 first_fits = self->valve.drops || (u7)(count + to_come_of_first(from)) <= STORE;

    return says_room(count, self->queue.out.fits) && count <= STORE && sender_good(from) &&
           (!self->queue.out.room || self->valve.shut || self->queue.out.fits) &&
           (self->valve.shut ? first_fits : all_fit);
}

/* On the way stand packets whole and in order, behind what has come; the last one may have its rest to come. */
static inline u1 stream_good(const struct sender *self, u1 inside)
{
    u1 good = (self->tails & ~self->beats) == 0;

    for (int i = AHEAD - 1; i >= 0; i--) {
        u1 beat = (u1)(self->beats >> i);

        good &= !beat || (u1)(self->heads >> i) == !inside;
        inside = beat ? !(u1)(self->tails >> i) : inside;
    }
    return good && inside == (self->rest[0] != 0 && self->inside[0]);
}

/* A packet that a reset has cut has a place for its tail: the NIC had something of it to come. */
static inline u1 entry_good(const struct prove_room *self)
{
    const struct sender *sender = &self->sender[1];
    u1 cut = self->entry.cut;
    u7 count = STORED(self->entry.wr, self->entry.rd);
    u1 silent = sender->beats == 0 && sender->rest[0] == 0;

    return says_room(count, self->entry.out.room) && sender_good(sender) &&
           stream_good(sender, self->entry.inside && !cut) &&
           (!cut || (silent && self->entry.inside)) &&
           (u7)(count + to_come(sender, 0) + cut) <= STORE;
}

static inline u1 queue2_good(const struct prove_room *self)
{
    const struct beat_queue2 *dut = &self->queue2;
    u1 good = sender_good(&self->sender[2]);

    for (int c = 0; c < 2; c++) {
        u7 count = STORED(dut->wr[c], dut->rd[c]);

        good &= says_room(count, dut->out.room[c]);
        good &= (u7)(count + to_come(&self->sender[2], c)) <= STORE;
        good &= !dut->staged || dut->staged_class != c || count != 0;
    }
    return good;
}

static inline u1 store_good(const struct prove_room *self)
{
    const struct beat_store *dut = &self->store;
    u1 good = sender_good(&self->sender[3]);

    for (int c = 0; c < 2; c++) {
        u7 count = STORED(dut->wr[c], dut->rd[c]);
        u7 whole = STORED(dut->whole[c], dut->rd[c]);

        good &= says_room(count, dut->out.room[c]);
        good &= (u7)(count + to_come(&self->sender[3], c)) <= STORE && whole <= count;
        good &= !dut->staged || dut->staged_class != c || whole != 0;
    }
    return good;
}

static inline u1 skid_good(const struct prove_room *self)
{
    u4 count = (u4)((u4)self->skid.count + self->skid_sends);

    return count <= SKID_BEATS && (!self->skid_room || self->skid.count <= SKID_BEATS - 2);
}

static inline u1 all_good(const struct prove_room *self)
{
    return queue_good(self) && entry_good(self) && queue2_good(self) && store_good(self) &&
           skid_good(self);
}

/* ---- a clock ------------------------------------------------------------------------------------- */

/* As rat and orb have it. */
static inline void clock_queue(struct prove_room *self, const struct prove_room_in *in)
{
    struct beat beat = arrives(&self->sender[0], &in->wish[0]);
    u1 valid = self->queue.out.front.valid;
    u1 room = self->queue.out.room;
    struct beat_queue_in to = {.push = valve_pass(&self->valve, &beat), .pop = in->pop[0] & valid};

    valve_watch(&self->valve, in->closed, valid && !to.pop, self->queue.out.fits, in->half);
    to.takes_all = self->valve.shut;
    beat_queue(&self->queue, &to);
    send(&self->sender[0], &in->wish[0], 0, room);
}

static inline void clock_entry(struct prove_room *self, const struct prove_room_in *in)
{
    u1 room = self->entry.out.room;
    struct nl_entry_in to = {.push = arrives(&self->sender[1], &in->wish[1]),
                             .reset = in->reset,
                             .pop = in->pop[1] & self->entry.out.valid};

    to.push.tail = (u1)(self->sender[1].tails >> (AHEAD - 1));
    nl_entry(&self->entry, &to);
    if (in->reset) {
        self->sender[1] = (struct sender){};
    } else {
        send(&self->sender[1], &in->wish[1], 0, room);
    }
}

static inline void clock_queue2(struct prove_room *self, const struct prove_room_in *in)
{
    struct beat_queue2 *dut = &self->queue2;
    u2 room = (u2)((u2)((u2)dut->out.room[1] << 1) | dut->out.room[0]);
    u2 valid = (u2)((u2)((u2)dut->out.front[1].valid << 1) | dut->out.front[0].valid);
    struct beat beat = arrives(&self->sender[2], &in->wish[2]);
    struct beat_queue2_in to = {.push = beat.valid,
                                .code = beat_encode(&beat),
                                .push_class = class_of(&self->sender[2]),
                                .pop = in->pop2 & valid,
                                .ahead = in->ahead2};

    beat_queue2(dut, &to);
    send(&self->sender[2], &in->wish[2], in->wish[2].class, room);
}

static inline void clock_store(struct prove_room *self, const struct prove_room_in *in)
{
    struct beat_store *dut = &self->store;
    u2 room = (u2)((u2)((u2)dut->out.room[1] << 1) | dut->out.room[0]);
    u2 valid = (u2)((u2)((u2)dut->out.front[1].valid << 1) | dut->out.front[0].valid);
    struct beat beat = arrives(&self->sender[3], &in->wish[3]);
    struct beat_store_in to = {.push = beat,
                               .push_class = class_of(&self->sender[3]),
                               .pop = in->pop_store & valid,
                               .ahead = in->ahead_store,
                               .end_class = in->end_class,
                               .keep = in->keep,
                               .drop = in->drop};

    beat_store(dut, &to);
    send(&self->sender[3], &in->wish[3], in->wish[3].class, room);
}

/* A beat of such a stream is driven in the clock behind one in which room was 1. */
static inline void clock_skid(struct prove_room *self, const struct prove_room_in *in)
{
    struct beat beat = in->wish[0].beat;
    u1 sends = in->skid_push & self->skid_room;

    beat.valid = self->skid_sends;
    self->skid_room = skid_step(&self->skid, &beat, in->skid_pop & (self->skid.count != 0));
    self->skid_sends = sends;
}

PROVE_MODULE void prove_room(struct prove_room *self, const struct prove_room_in *in)
{
    if (!self->out.started) {
        prove_assert(all_good(self));
        self->out.started = 1;
        return;
    }
    prove_assume(all_good(self)); /* so it was after the clock before */
    clock_queue(self, in);
    clock_entry(self, in);
    clock_queue2(self, in);
    clock_store(self, in);
    clock_skid(self, in);
    prove_assert(queue_good(self));
    /* holds beat_queue.room */
    prove_assert(entry_good(self));
    prove_assert(queue2_good(self));
    prove_assert(store_good(self));
    prove_assert(skid_good(self));
    prove_cover(self->skid.count == SKID_BEATS);
    prove_cover(self->entry.cut);
    prove_cover(ones(self->sender[2].beats) == AHEAD && to_come(&self->sender[2], 1) == BEATS);
}
