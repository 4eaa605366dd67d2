// SPDX-License-Identifier: Apache-2.0
/* A ROM read into two registers. */
#include "hls.h"

HLS_ROM static const u8 table[4] = {9, 4, 7, 1};

struct rom_two_registers_in {
    u2 a, b;
};
struct rom_two_registers_out {
    u8 x, y;
};
struct rom_two_registers {
    struct rom_two_registers_out out;
};

HLS_RESET void rom_two_registers_reset(struct rom_two_registers *self)
{
    self->out = (struct rom_two_registers_out){0};
}

HLS_MODULE void rom_two_registers(struct rom_two_registers *self,
                                  const struct rom_two_registers_in *in)
{
    self->out.x = table[in->a];
    self->out.y = table[in->b];
}
