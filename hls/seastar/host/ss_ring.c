// SPDX-License-Identifier: Apache-2.0
/*
 * ss_ring.c - the ring: takes entries of its clients in turn and writes each in eight words, the lap with the last one.
 *
 * An entry is there when its lap is the ring's: 1 to 127, then 1 again. Where the ring is full its clients wait.
 */
#include "seastar/host/ss_ring.h"

HLS_RESET void ss_ring_reset(struct ss_ring *self)
{
    *self = (struct ss_ring){.lap = 1};
}

/* Word 7 of an entry. */
static inline u64 last_word(const struct ss_entry_push *push, u7 lap)
{
    return (u64)push->last | ((u64)push->status << 32) | ((u64)push->kind << 48) |
           ((u64)push->stream << 51) | ((u64)push->use << 53) | ((u64)lap << 57);
}

static inline void take_entry(struct ss_ring *self, const struct ss_ring_in *in)
{
    u16 entries = (u16)(self->next - in->read);
    ss_ring_count size = (ss_ring_count)((ss_ring_count)1 << in->log2);
    u1 any = entries < size;
    u1 many = (ss_ring_count)(entries + SS_RING_KEPT) < size;
    u3 found = 0;
    u1 some = 0;

    for (int i = SS_RING_CLIENTS - 1; i >= 0; i--) {
        u1 keeps = in->push[i].kind >= SS_KIND_RECEIVED;

        u1 hit = in->push[i].valid && in->enable && (keeps ? any : many);

        some = some || hit;
        found = hit ? (u3)i : found;
    }
    if (some) {
        const struct ss_entry_push *push = &in->push[found];

        for (int w = 0; w < 7; w++) {
            self->words[w] = push->word[w];
        }
        self->words[7] = last_word(push, self->lap);
        self->busy = 1;
        self->word = 0;
        self->out.taken = (uint(SS_RING_CLIENTS))((uint(SS_RING_CLIENTS))1 << found);
    }
}

static inline void write_word(struct ss_ring *self, const struct ss_ring_in *in)
{
    u16 index = (u16)(self->next & (u16)(((ss_ring_count)1 << in->log2) - 1));

    if (in->room) {
        self->out.write = (struct ss_write){
            .valid = 1,
            .addr = (u48)(in->base + ((u48)index << 6) + ((u48)self->word << 3)),
            .data = self->words[self->word],
            .strb = 0xFF,
        };
        if (self->word == 7) {
            u1 wraps = index == (u16)(((ss_ring_count)1 << in->log2) - 1);

            self->busy = 0;
            self->next++;
            self->lap = !wraps ? self->lap : self->lap == 127 ? (u7)1 : (u7)(self->lap + 1);
        }
        self->word++;
    }
}

HLS_MODULE void ss_ring(struct ss_ring *self, const struct ss_ring_in *in)
{
    /* ss_regs takes no other. */
    hls_assume(in->log2 >= 8 && in->log2 <= 15);
    self->out.write.valid = 0;
    self->out.taken = 0;
    if (self->busy) {
        write_word(self, in);
    } else {
        take_entry(self, in);
    }
    self->out.written += in->done && self->landed == 7;
    self->landed += in->done;
    u16 unread = (u16)(self->out.written - in->read);

    self->out.unread = unread != 0 && !(u1)(unread >> 15);
    if (in->anew) {
        self->next = 0;
        self->lap = 1;
        self->out.written = 0;
        self->landed = 0;
    }
    self->out.issued = self->next;
}
