// SPDX-License-Identifier: Apache-2.0
/* A ROM of structs. */
#include "hls.h"

struct entry {
    u8 x, y;
};

HLS_ROM static const struct entry table[4] = {{9, 4}, {7, 1}};

struct rom_structs_in {
    u2 a, b;
};
struct rom_structs_out {
    u8 x, y;
};
struct rom_structs {
    struct rom_structs_out out;
};

HLS_RESET void rom_structs_reset(struct rom_structs *self)
{
    self->out = (struct rom_structs_out){0};
}

HLS_MODULE void rom_structs(struct rom_structs *self, const struct rom_structs_in *in)
{
    self->out.x = table[in->a].x;
    self->out.y = table[in->b].y;
}
