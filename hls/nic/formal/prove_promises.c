// SPDX-License-Identifier: Apache-2.0
/*
 * prove_promises.c - tarb begins no request for which there may be no tag: however many of those that it began take one, and whenever tags come
 * back, a request that reaches orb finds one.
 *
 * Between tarb's register and orb's tags lie ntt (two clocks), ssid and orb, which stop for nothing: WAY. Orb's number of free tags is
 * that of the clock before. Proved by induction, for whatever comes out of tarb's queues, packet by packet.
 */
#include "common/prove.h"

#include "common/beat/beat_queue.c"
#include "nic/initiator/tarb.c"

#define WAY  4
#define TAGS 4

struct prove_promises_in {
    struct beat fma, bte;
    u1 orb_room;
    u1 takes;   /* what begins in this clock takes a tag, if it is no OPEN */
    u1 returns; /* a tag comes back */
};

struct prove_promises_out {
    u1 started;
};

struct prove_promises {
    struct prove_promises_out out;
    uint(WAY) way; /* requests that will take a tag, the last one lowest */
    u1 taken;      /* in the clock before */
    u4 free;       /* tags */
    u4 shown;      /* as tarb sees them */
    struct tarb dut;
};

PROVE_RESET void prove_promises_reset(struct prove_promises *self)
{
    self->out.started = 0;
    self->way = 0;
    self->taken = 0;
    self->free = TAGS;
    self->shown = TAGS;
    tarb_reset(&self->dut);
}

static inline u4 count_way(uint(WAY) way)
{
    u4 count = 0;

    for (int i = 0; i < WAY; i++) {
        count += (u1)(way >> i);
    }
    return count;
}

/* Each request on its way is counted in tarb, and so is the tag that `shown` does not know of yet. */
static inline u1 is_counted(const struct prove_promises *self)
{
    u1 known = (self->way & ~(uint(WAY))self->dut.promised) == 0 &&
               self->taken <= (u1)(self->dut.promised >> WAY);

    return known && (u5)self->shown <= (u5)((u5)self->free + self->taken);
}

PROVE_MODULE void prove_promises(struct prove_promises *self, const struct prove_promises_in *in)
{
    struct tarb_in tarb_in = {
        .fma = in->fma,
        .bte = in->bte,
        .orb_room = in->orb_room,
        .tags = self->shown < 7 ? (u3)self->shown : (u3)7,
    };

    prove_assert(count_way(self->way) <= self->free);
    prove_assert(is_counted(self));

    /* Packets leave their queues whole (prove_room, tarb's own assertion). */
    const struct beat *fma = &self->dut.queue.out.front, *bte = &self->dut.of_bte.out.front;
    u1 of_fma = self->dut.inside && self->dut.from == TARB_FMA;
    u1 of_bte = self->dut.inside && self->dut.from == TARB_BTE;

    prove_assume(!fma->valid || fma->head == !of_fma);
    prove_assume(!bte->valid || bte->head == !of_bte);

    u1 takes = (u1)(self->way >> (WAY - 1));

    self->shown = self->free;
    tarb(&self->dut, &tarb_in);
    const struct beat *beat = &self->dut.out.beat;

    self->way =
        (uint(WAY))((self->way << 1) | (beat->valid & beat->head & !beat->tail & in->takes));
    self->taken = takes;
    self->free = (u4)(self->free - takes + (in->returns & (self->free < TAGS)));
    self->out.started = 1;
    prove_cover(self->free == 0);
}
