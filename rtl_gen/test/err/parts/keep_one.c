// SPDX-License-Identifier: Apache-2.0
/* An HLS_KEEP function. */
#include "hls.h"

struct keep_one_in {
    u8 d;
};
struct keep_one {
    struct {
        u8 q;
    } out;
};

HLS_KEEP static u8 next(u8 n)
{
    return n + 1;
}

HLS_RESET void keep_one_reset(struct keep_one *self)
{
    self->out.q = 0;
}

HLS_MODULE void keep_one(struct keep_one *self, const struct keep_one_in *in)
{
    self->out.q = next(in->d);
}
