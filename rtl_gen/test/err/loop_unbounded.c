// SPDX-License-Identifier: Apache-2.0
/* A loop that ends when the input says so. */
#include "hls.h"

struct loop_unbounded_in {
    u8 go;
};
struct loop_unbounded_out {
    u8 y;
};
struct loop_unbounded {
    struct loop_unbounded_out out;
};

HLS_RESET void loop_unbounded_reset(struct loop_unbounded *self)
{
    *self = (struct loop_unbounded){0};
}

HLS_MODULE void loop_unbounded(struct loop_unbounded *self, const struct loop_unbounded_in *in)
{
    u8 n = in->go;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        self->out.y++;
    }
}
