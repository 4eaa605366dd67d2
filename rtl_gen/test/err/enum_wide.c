// SPDX-License-Identifier: Apache-2.0
/* An enumerator of more than 64 bits. */
#include "hls.h"

enum way : unsigned __int128 { LEFT, RIGHT = (unsigned __int128)1 << 100 };

struct enum_wide_in {
    enum way way;
};
struct enum_wide_out {
    u1 right;
};
struct enum_wide {
    struct enum_wide_out out;
};

HLS_RESET void enum_wide_reset(struct enum_wide *self)
{
    self->out = (struct enum_wide_out){0};
}

HLS_MODULE void enum_wide(struct enum_wide *self, const struct enum_wide_in *in)
{
    self->out.right = in->way == RIGHT;
}
