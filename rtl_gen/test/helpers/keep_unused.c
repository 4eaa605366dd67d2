// SPDX-License-Identifier: Apache-2.0
/*
 * keep_unused: a header may bring HLS_KEEP functions that this file does not call; one keeps
 * another in itself.
 */
#include "hls.h"

HLS_KEEP [[maybe_unused]] static u8 keep_unused_never(u8 a)
{
    return a + 3;
}

HLS_KEEP static u8 keep_unused_inner(u8 a, u3 by)
{
    return a << by ^ 0x1d;
}

HLS_KEEP static u8 keep_unused_outer(u8 a)
{
    return keep_unused_inner(a, 3) + keep_unused_inner(a, 5);
}

struct keep_unused_in {
    u8 a;
};
struct keep_unused_out {
    u8 y;
};
struct keep_unused {
    struct keep_unused_out out;
};

HLS_RESET void keep_unused_reset(struct keep_unused *self)
{
    *self = (struct keep_unused){0};
}

HLS_MODULE void keep_unused(struct keep_unused *self, const struct keep_unused_in *in)
{
    self->out.y ^= keep_unused_outer(in->a);
}
