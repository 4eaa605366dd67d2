// SPDX-License-Identifier: Apache-2.0
/*
 * fifo: a queue of 32 words of 48 bits in LUT memory behind an output register. The contract is in
 * README.md.
 */
#include "hls.h"

struct fifo_in {
    u1 in_valid;
    u48 in_data;
    u1 out_taken; /* out_data is taken, counts with out_valid */
};
struct fifo_out {
    u1 in_ready; /* the memory has room */
    u1 out_valid;
    u48 out_data;
};
struct fifo {
    struct fifo_out out;
    HLS_LUTRAM(1) u48 store[32];
    u5 write_at, read_at;
    u1 some; /* the memory holds a word */
};

HLS_RESET void fifo_reset(struct fifo *self)
{
    self->out = (struct fifo_out){.in_ready = 1};
    self->write_at = 0;
    self->read_at = 0;
    self->some = 0;
}

HLS_MODULE void fifo(struct fifo *self, const struct fifo_in *in)
{
    u1 push = in->in_valid && self->out.in_ready;
    u1 pop = 0;
    u5 entry = self->write_at;

    if (self->some && (!self->out.out_valid || in->out_taken)) {
        pop = 1;
        self->out.out_data = self->store[self->read_at];
    }
    if (push) {
        self->store[entry] = in->in_data;
    }
    self->write_at += push;
    self->read_at += pop;

    u1 apart = self->write_at != self->read_at; /* else it is full or empty */
    self->some = apart || push || (self->some && !pop);
    self->out.in_ready = apart || pop || (self->out.in_ready && !push);
    self->out.out_valid = pop || (self->out.out_valid && !in->out_taken);
}
