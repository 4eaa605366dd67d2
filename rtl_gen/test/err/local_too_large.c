// SPDX-License-Identifier: Apache-2.0
/* A local array of 65,537 bytes. */
#include "hls.h"

struct local_too_large_in {
    u16 at;
};
struct local_too_large_out {
    u2 y;
};
struct local_too_large {
    struct local_too_large_out out;
};

HLS_RESET void local_too_large_reset(struct local_too_large *self)
{
    *self = (struct local_too_large){0};
}

HLS_MODULE void local_too_large(struct local_too_large *self, const struct local_too_large_in *in)
{
    u2 steps[65537] = {1, 2, 3};

    self->out.y = steps[in->at & 0xffff];
}
