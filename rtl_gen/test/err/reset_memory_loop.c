// SPDX-License-Identifier: Apache-2.0
/* A memory cleared by reset. */
#include "hls.h"

struct reset_memory_loop_in {
    u1 go;
};
struct reset_memory_loop_out {
    u8 y;
};
struct reset_memory_loop {
    struct reset_memory_loop_out out;
    u8 store[16] HLS_LUTRAM(1);
};

HLS_RESET void reset_memory_loop_reset(struct reset_memory_loop *self)
{
    self->out.y = 0;
    for (unsigned i = 0; i < 16; i++) {
        self->store[i] = 0;
    }
}

HLS_MODULE void reset_memory_loop(struct reset_memory_loop *self,
                                  const struct reset_memory_loop_in *in)
{
    self->out.y = self->store[(u4)in->go];
}
