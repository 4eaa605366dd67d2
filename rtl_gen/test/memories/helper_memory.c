// SPDX-License-Identifier: Apache-2.0
/*
 * helper_memory: memories used through helpers that get self; two memories of different kind in one
 * module, the one holding pointers into the other.
 */
#include "hls.h"

struct helper_memory_in {
    u1 put, get;
    u3 chain;
    u14 data;
};
struct helper_memory_out {
    u1 valid;
    u14 read;
    u7 next_free;
};
struct helper_memory {
    struct helper_memory_out out;
    HLS_LUTRAM(1) u6 head[8];
    HLS_BRAM_READ_FIRST u14 body[64];
    u14 fetched; /* read register of body */
    u1 fetching;
    u1 first; /* which half of a slot was asked for */
};

static u6 head_of(const struct helper_memory *self, u3 chain)
{
    return self->head[chain];
}

static void store(struct helper_memory *self, u3 chain, u14 data)
{
    self->head[chain] = (u6)self->out.next_free;
    self->body[self->out.next_free & 63] = data;
    self->out.next_free += 5;
}

HLS_RESET void helper_memory_reset(struct helper_memory *self)
{
    self->out.valid = 0;
    self->out.read = 0;
    self->out.next_free = 1;
    self->fetching = 0;
    self->first = 0;
}

HLS_MODULE void helper_memory(struct helper_memory *self, const struct helper_memory_in *in)
{
    self->out.valid = self->fetching;
    if (self->fetching) {
        self->out.read = self->first ? self->fetched : self->fetched << 7 | self->fetched >> 7;
    }
    u6 head = head_of(self, in->chain);
    self->fetching = in->get;
    self->first = head & 1;
    if (in->get) {
        self->fetched = self->body[head];
    }
    if (in->put) {
        store(self, in->chain, in->data);
    }
}
