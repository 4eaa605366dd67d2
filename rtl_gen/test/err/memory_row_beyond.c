// SPDX-License-Identifier: Apache-2.0
/* A helper that is given a row one too far, where a register stands. */
#include "hls.h"

struct memory_row_beyond_in {
    u5 row, column;
};
struct memory_row_beyond_out {
    u8 read;
};
struct memory_row_beyond {
    struct memory_row_beyond_out out;
    HLS_BRAM u8 picture[20][30];
    u8 behind[32];
};

HLS_RESET void memory_row_beyond_reset(struct memory_row_beyond *self)
{
    self->out.read = 0;
    for (int i = 0; i < 32; i++)
        self->behind[i] = 0;
}

static void read_row(struct memory_row_beyond *self, unsigned row,
                     const struct memory_row_beyond_in *in)
{
    self->out.read = self->picture[row][in->column];
}

HLS_MODULE void memory_row_beyond(struct memory_row_beyond *self,
                                  const struct memory_row_beyond_in *in)
{
    read_row(self, 20, in);
}
