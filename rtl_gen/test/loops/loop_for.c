// SPDX-License-Identifier: Apache-2.0
/*
 * loop_for: counted loops up, down and by steps, with the index used as a value; the last one
 * has a dynamic number of rounds below a bound.
 */
#include "hls.h"

struct loop_for_in {
    u32 word;
    u3 rounds;
};
struct loop_for_out {
    u32 swapped;
    u7 weighted;
    u16 mixed;
};
struct loop_for {
    struct loop_for_out out;
};

HLS_RESET void loop_for_reset(struct loop_for *self)
{
    *self = (struct loop_for){.out.mixed = 1};
}

HLS_MODULE void loop_for(struct loop_for *self, const struct loop_for_in *in)
{
    u32 swapped = 0;
    for (int i = 24; i >= 0; i -= 8) {
        swapped |= (in->word >> i & 0xff) << (24 - i);
    }
    self->out.swapped = swapped;

    u7 weighted = 0;
    for (unsigned i = 1; i < 32; i *= 2) {
        weighted += (in->word >> i & 1) * i;
    }
    self->out.weighted = weighted;

    for (u3 i = 0; i < in->rounds; i++) {
        self->out.mixed = (self->out.mixed << 1 | self->out.mixed >> 15) ^ (u16)in->word;
    }
}
