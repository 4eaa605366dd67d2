// SPDX-License-Identifier: Apache-2.0
/* A loop without an end. */
#include "hls.h"

struct loop_forever_in {
    u1 go;
};
struct loop_forever_out {
    u8 y;
};
struct loop_forever {
    struct loop_forever_out out;
};

HLS_RESET void loop_forever_reset(struct loop_forever *self)
{
    *self = (struct loop_forever){0};
}

HLS_MODULE void loop_forever(struct loop_forever *self, const struct loop_forever_in *in)
{
    for (;;) {
        self->out.y += in->go;
    }
}
