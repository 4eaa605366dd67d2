// SPDX-License-Identifier: Apache-2.0
/* Another HLS_KEEP function of the same name. */
#include "hls.h"

struct keep_two_in {
    u8 d;
};
struct keep_two {
    struct {
        u8 q;
    } out;
};

HLS_KEEP static u8 next(u8 n)
{
    return n + 2;
}

HLS_RESET void keep_two_reset(struct keep_two *self)
{
    self->out.q = 0;
}

HLS_MODULE void keep_two(struct keep_two *self, const struct keep_two_in *in)
{
    self->out.q = next(in->d);
}
