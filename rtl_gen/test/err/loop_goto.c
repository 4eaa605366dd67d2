// SPDX-License-Identifier: Apache-2.0
/* A loop by goto without a bound. */
#include "hls.h"

struct loop_goto_in {
    u1 go;
};
struct loop_goto_out {
    u8 y;
};
struct loop_goto {
    struct loop_goto_out out;
};

HLS_RESET void loop_goto_reset(struct loop_goto *self)
{
    *self = (struct loop_goto){0};
}

HLS_MODULE void loop_goto(struct loop_goto *self, const struct loop_goto_in *in)
{
again:
    self->out.y++;
    if (self->out.y & in->go) {
        goto again;
    }
}
