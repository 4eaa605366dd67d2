// SPDX-License-Identifier: Apache-2.0
/*
 * loop_widths: a loop whose variable starts narrower than it goes on: the first value is extended from
 * other bits than the others.
 */
#include "hls.h"

struct loop_widths_in {
    u2 start;
    u8 step;
};
struct loop_widths_out {
    sint(24) y;
};
struct loop_widths {
    struct loop_widths_out out;
};

HLS_RESET void loop_widths_reset(struct loop_widths *self)
{
    self->out.y = 0;
}

HLS_MODULE void loop_widths(struct loop_widths *self, const struct loop_widths_in *in)
{
    sint(24) y = (sint(2))in->start;

    for (unsigned i = 0; i < 6; i++) {
        y = (sint(8))((y + 108) ^ (i - in->step));
    }
    self->out.y = y;
}
