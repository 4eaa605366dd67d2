// SPDX-License-Identifier: Apache-2.0
/* A negative enumerator. */
#include "hls.h"

enum way { LEFT = -1, STRAIGHT, RIGHT };

struct enum_negative_in {
    u1 go;
};
struct enum_negative_out {
    u8 y;
};
struct enum_negative {
    struct enum_negative_out out;
    enum way way;
};

HLS_RESET void enum_negative_reset(struct enum_negative *self)
{
    *self = (struct enum_negative){0};
}

HLS_MODULE void enum_negative(struct enum_negative *self, const struct enum_negative_in *in)
{
    self->out.y += in->go;
}
