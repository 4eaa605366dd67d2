// SPDX-License-Identifier: Apache-2.0
/* A memory with two indices. */
#include "hls.h"

struct memory_two_dimensions_in {
    u1 go;
};
struct memory_two_dimensions_out {
    u8 y;
};
struct memory_two_dimensions {
    struct memory_two_dimensions_out out;
    u48 buffer[4][64] HLS_LUTRAM(1);
};

HLS_RESET void memory_two_dimensions_reset(struct memory_two_dimensions *self)
{
    self->out = (struct memory_two_dimensions_out){0};
}

HLS_MODULE void memory_two_dimensions(struct memory_two_dimensions *self,
                                      const struct memory_two_dimensions_in *in)
{
    self->out.y += in->go;
}
