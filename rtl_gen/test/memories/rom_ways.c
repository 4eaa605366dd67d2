// SPDX-License-Identifier: Apache-2.0
/*
 * rom_ways: a table that holds fewer bits than its type and comes to a register on two ways: zeros stand above a choice of reads.
 */
#include "hls.h"

HLS_ROM static const u5 rom_ways_table[4] = {2, 1, 3};

struct rom_ways_in {
    u1 start, step;
    u2 at;
};
struct rom_ways_out {
    u8 sum;
};
struct rom_ways {
    struct rom_ways_out out;
    u5 number;
};

HLS_RESET void rom_ways_reset(struct rom_ways *self)
{
    *self = (struct rom_ways){0};
}

HLS_MODULE void rom_ways(struct rom_ways *self, const struct rom_ways_in *in)
{
    self->out.sum += self->number;
    if (in->step) {
        self->number = rom_ways_table[in->at];
        if (!in->start)
            self->number = rom_ways_table[(u2)(self->out.sum ^ in->at)];
    }
}
