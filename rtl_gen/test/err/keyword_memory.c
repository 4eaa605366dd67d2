// SPDX-License-Identifier: Apache-2.0
/* A Verilog keyword as a memory. */
#include "hls.h"

struct keyword_memory_in {
    u1 go;
};
struct keyword_memory_out {
    u8 y;
};
struct keyword_memory {
    struct keyword_memory_out out;
    u8 table[16] HLS_LUTRAM(1);
};

HLS_RESET void keyword_memory_reset(struct keyword_memory *self)
{
    self->out.y = 0;
}

HLS_MODULE void keyword_memory(struct keyword_memory *self, const struct keyword_memory_in *in)
{
    self->out.y = self->table[(u4)in->go];
}
