// SPDX-License-Identifier: Apache-2.0
/*
 * prove_bgl_numbers.c - packets of a link are accepted once and in order, and no ack is misread, whatever is lost, marked bad or repeated.
 *
 * The rules of bgl_sequence.h, which bgl_resend and bgl_deframer call, over a channel of whole packets and acks: it keeps their order, holds four each
 * way, and in a step one comes out at each end, whole, bad or not at all. The sender begins a packet while its window is open, goes back by time-out
 * at any moment, with a packet that was granted before, and returns to what is acknowledged whenever it likes; the receiver sends an ack in any step.
 *
 * The truth of a number is its place: 64 for the oldest packet that is kept, at most 128 for the next new one, less for what is under way from before. The
 * rules see numbers of eight bits, which begin anywhere. Proved by induction.
 */
#include "common/prove.h"

#include "bgl/link/bgl_sequence.h"

#define HOLDS 4 /* packets, and acks, under way */

struct prove_bgl_numbers_in {
    u8 first;
    u1 fresh; /* the sender: a new packet, */
    u1 again; /* one again, */
    u1 back;  /* a time-out; */
    u1 late;  /* with it, a packet that was granted */
    u1 skip;  /* what is acknowledged is not repeated */
    u1 free;  /* space of an acknowledged packet */
    u1 come;  /* the channel: a packet comes out, */
    u1 lost;  /* or is lost, or bad */
    u1 ack;   /* the receiver sends one */
    u1 come_back;
    u1 lost_back;
};

/* What is under way, the oldest first. */
struct prove_way {
    u3 count;
    u8 place[HOLDS];
};

struct prove_bgl_numbers_out {
    u1 begun;
    u1 repeating;
    u1 timed_out; /* and since then: */
    u1 repaired;  /* a packet was accepted that was sent again */
};

struct prove_bgl_numbers {
    struct prove_bgl_numbers_out out;
    u8 origin; /* number of place 0 */
    u8 acked, sent, number, send;
    u8 expected;
    struct prove_way forth;
    struct prove_way back;
};

PROVE_RESET void prove_bgl_numbers_reset(struct prove_bgl_numbers *self)
{
    *self = (struct prove_bgl_numbers){0};
}

/* ---- channel --------------------------------------------------------------------------------- */

static inline void put(struct prove_way *way, u8 place)
{
    for (int i = 0; i < HOLDS; i++) {
        way->place[i] = way->count == i ? place : way->place[i];
    }
    way->count++;
}

static inline u8 get(struct prove_way *way)
{
    u8 place = way->place[0];

    for (int i = 0; i < HOLDS - 1; i++) {
        way->place[i] = way->place[i + 1];
    }
    way->count--;
    return place;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* The number that stands for a place. */
static inline u8 number_of(const struct prove_bgl_numbers *self, u8 place)
{
    return (u8)(self->origin + place);
}

static inline void send_packet(struct prove_bgl_numbers *self,
                               const struct prove_bgl_numbers_in *in)
{
    u1 open = window_open(number_of(self, BGL_WINDOW), number_of(self, self->number));
    u1 space = self->forth.count != HOLDS;

    if (in->back) {
        self->number += in->late && !self->out.repeating && open;
        self->send = self->acked;
        self->out.repeating = 1;
        self->out.timed_out = 1;
    } else if (!self->out.repeating && in->fresh && open && space) {
        put(&self->forth, self->number);
        self->number++;
        self->sent++;
    } else if (self->out.repeating && in->skip) {
        self->send = self->acked;
    } else if (self->out.repeating && self->send == self->number) {
        self->out.repeating = 0;
    } else if (self->out.repeating && in->again && space) {
        u8 sent = number_of(self, self->sent);

        put(&self->forth, self->send);
        self->sent += (u8)(sent_after(sent, number_of(self, self->send)) - sent);
        self->send++;
    }
}

static inline void take_ack(struct prove_bgl_numbers *self, const struct prove_bgl_numbers_in *in)
{
    if (in->come_back && self->back.count != 0) {
        u8 truth = get(&self->back);
        u8 said = number_of(self, truth);
        u8 acked = number_of(self, self->acked);

        if (!in->lost_back) {
            prove_assert(ack_in_window(said, acked, number_of(self, self->sent)));
            self->acked += (u8)(said - acked);
            prove_assert(self->acked == truth);
        }
    }
}

static inline void take_packet(struct prove_bgl_numbers *self,
                               const struct prove_bgl_numbers_in *in)
{
    if (in->come && self->forth.count != 0) {
        u8 truth = get(&self->forth);
        struct bgl_arrival is = arrival_of(number_of(self, self->expected), number_of(self, truth));

        if (!in->lost) {
            prove_assert(is.next == (truth == self->expected));
            prove_assert(is.again == (truth < self->expected));
            prove_assert(is.gap == (truth > self->expected));
            prove_cover(is.gap);
            prove_cover(is.again);
            prove_cover(is.next && number_of(self, truth) == 255);
            self->out.repaired |= is.next && self->out.timed_out;
            self->expected += is.next;
        }
    }
    if (in->ack && self->back.count != HOLDS) {
        put(&self->back, self->expected);
    }
}

/* Space of the oldest packet is free: all places move. */
static inline void free_base(struct prove_bgl_numbers *self)
{
    self->origin++;
    self->acked--;
    self->sent--;
    self->number--;
    self->send--;
    self->expected--;
    for (int i = 0; i < HOLDS; i++) {
        self->forth.place[i]--;
        self->back.place[i]--;
    }
}

/* ---- invariants ------------------------------------------------------------------------------ */

static inline u8 greater(u8 a, u8 b)
{
    return a > b ? a : b;
}

static inline void invariants(const struct prove_bgl_numbers *self)
{
    u8 most = self->expected; /* that the receiver can want when a packet comes */
    u8 least = self->acked;   /* that the next ack can say */

    prove_assert(self->acked >= BGL_WINDOW && self->acked <= self->expected);
    prove_assert(self->expected <= self->sent && self->sent <= self->number);
    prove_assert(self->number <= 2 * BGL_WINDOW);
    prove_assert(self->out.repeating || self->sent == self->number);
    prove_assert(!self->out.repeating || self->send <= self->sent);
    prove_assert(!self->out.repeating || self->number <= (u8)(self->send + BGL_WINDOW));
    prove_assert(self->forth.count <= HOLDS && self->back.count <= HOLDS);
    for (int i = 0; i < HOLDS; i++) {
        u8 packet = self->forth.place[i];
        u8 ack = self->back.place[i];

        if (i < self->forth.count) {
            prove_assert(packet < self->sent && most <= (u8)(packet + BGL_WINDOW));
            most = greater(most, (u8)(packet + 1));
        }
        if (i < self->back.count) {
            prove_assert(ack >= least && ack <= self->expected);
            least = ack;
        }
    }
}

PROVE_MODULE void prove_bgl_numbers(struct prove_bgl_numbers *self,
                                    const struct prove_bgl_numbers_in *in)
{
    if (!self->out.begun) {
        prove_assert(self->forth.count == 0 && self->back.count == 0 && !self->out.repeating);
        self->out.begun = 1;
        self->origin = in->first;
        self->acked = BGL_WINDOW;
        self->sent = BGL_WINDOW;
        self->number = BGL_WINDOW;
        self->expected = BGL_WINDOW;
    } else {
        invariants(self);
        take_ack(self, in);
        take_packet(self, in);
        send_packet(self, in);
        if (in->free && self->acked != BGL_WINDOW) {
            free_base(self);
        }
        prove_cover(self->out.repaired);
    }
}
