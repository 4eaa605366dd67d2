// SPDX-License-Identifier: Apache-2.0
/* A write to every element of a memory. */
#include "hls.h"

struct memory_loop_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct memory_loop_out {
    u8 y;
};
struct memory_loop {
    struct memory_loop_out out;
    u8 store[16] HLS_LUTRAM(1);
};

HLS_RESET void memory_loop_reset(struct memory_loop *self)
{
    self->out.y = 0;
}

HLS_MODULE void memory_loop(struct memory_loop *self, const struct memory_loop_in *in)
{
    for (unsigned i = 0; i < 16; i++) {
        self->store[i] = in->d;
    }
    self->out.y = in->go;
}
