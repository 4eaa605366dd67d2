// SPDX-License-Identifier: Apache-2.0
/* A BRAM read into two registers. */
#include "hls.h"

struct bram_two_registers_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct bram_two_registers_out {
    u8 y;
};
struct bram_two_registers {
    struct bram_two_registers_out out;
    u8 copy;
    u8 store[16] HLS_BRAM;
};

HLS_RESET void bram_two_registers_reset(struct bram_two_registers *self)
{
    self->out.y = 0;
    self->copy = 0;
}

HLS_MODULE void bram_two_registers(struct bram_two_registers *self,
                                   const struct bram_two_registers_in *in)
{
    u8 read = self->store[in->at];
    self->out.y = read;
    self->copy = read;
    if (in->go) {
        self->store[in->to] = in->d;
    }
}
