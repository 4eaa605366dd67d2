// SPDX-License-Identifier: Apache-2.0
/* Two reset functions for one struct. */
#include "hls.h"

struct two_resets_in {
    u1 go;
};
struct two_resets_out {
    u8 y;
};
struct two_resets {
    struct two_resets_out out;
};

HLS_RESET void two_resets_reset(struct two_resets *self)
{
    *self = (struct two_resets){0};
}

HLS_RESET void two_resets_again(struct two_resets *self)
{
    *self = (struct two_resets){0};
}

HLS_MODULE void two_resets(struct two_resets *self, const struct two_resets_in *in)
{
    self->out.y += in->go;
}
