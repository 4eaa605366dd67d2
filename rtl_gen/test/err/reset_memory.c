// SPDX-License-Identifier: Apache-2.0
/* A whole struct with a memory assigned in reset. */
#include "hls.h"

struct reset_memory_in {
    u1 go;
};
struct reset_memory_out {
    u8 y;
};
struct reset_memory {
    struct reset_memory_out out;
    u8 store[16] HLS_LUTRAM(1);
};

HLS_RESET void reset_memory_reset(struct reset_memory *self)
{
    *self = (struct reset_memory){0};
}

HLS_MODULE void reset_memory(struct reset_memory *self, const struct reset_memory_in *in)
{
    self->out.y = self->store[(u4)in->go];
}
