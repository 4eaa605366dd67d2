// SPDX-License-Identifier: Apache-2.0
/* Two kinds of memory for one array. */
#include "hls.h"

struct memory_twice_in {
    u1 go;
};
struct memory_twice_out {
    u8 y;
};
struct memory_twice {
    struct memory_twice_out out;
    u48 buffer[64] HLS_LUTRAM(1) HLS_BRAM;
};

HLS_RESET void memory_twice_reset(struct memory_twice *self)
{
    self->out = (struct memory_twice_out){0};
}

HLS_MODULE void memory_twice(struct memory_twice *self, const struct memory_twice_in *in)
{
    self->out.y += in->go;
}
