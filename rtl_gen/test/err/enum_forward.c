// SPDX-License-Identifier: Apache-2.0
/* An enum whose enumerators are nowhere. */
#include "hls.h"

enum way : unsigned char;

struct enum_forward_in {
    enum way way;
};
struct enum_forward_out {
    u8 last;
};
struct enum_forward {
    struct enum_forward_out out;
};

HLS_RESET void enum_forward_reset(struct enum_forward *self)
{
    self->out = (struct enum_forward_out){0};
}

HLS_MODULE void enum_forward(struct enum_forward *self, const struct enum_forward_in *in)
{
    self->out.last = (u8)in->way;
}
