// SPDX-License-Identifier: Apache-2.0
/*
 * A loop in a case behind a range of cases that falls through: with a number of three bits clang tests the range by a
 * block that stands amid the loop.
 */
#include "hls.h"

struct case_range_loop_in {
    u3 kind;
    u8 x;
};

struct case_range_loop_out {
    u8 sum;
    u8 last;
};

struct case_range_loop {
    struct case_range_loop_out out;
};

HLS_RESET void case_range_loop_reset(struct case_range_loop *self)
{
    *self = (struct case_range_loop){};
}

HLS_MODULE void case_range_loop(struct case_range_loop *self, const struct case_range_loop_in *in)
{
    switch (in->kind) {
    case 4 ... 5:
        self->out.sum--;
        break;
    case 1 ... 3:
        self->out.sum = in->x;
        [[fallthrough]];
    case 6:
        for (int i = 0; i < 3; i++) {
            if (in->x >> i & 1) {
                self->out.sum += (u8)i;
                self->out.last = in->x;
            }
        }
        break;
    default:
        self->out.last = 0;
    }
}
