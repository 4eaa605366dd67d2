// SPDX-License-Identifier: Apache-2.0
/* A row whose index has a bit too many, or it would be one too far. */
#include "hls.h"

struct memory_row_wide_in {
    u5 row, column;
};
struct memory_row_wide_out {
    u8 read;
};
struct memory_row_wide {
    struct memory_row_wide_out out;
    HLS_BRAM u8 picture[20][30];
    u8 behind[32];
};

HLS_RESET void memory_row_wide_reset(struct memory_row_wide *self)
{
    self->out.read = 0;
    for (int i = 0; i < 32; i++)
        self->behind[i] = 0;
}

HLS_MODULE void memory_row_wide(struct memory_row_wide *self, const struct memory_row_wide_in *in)
{
    self->out.read = self->picture[in->row + 1][in->column];
}
