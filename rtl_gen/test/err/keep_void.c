// SPDX-License-Identifier: Apache-2.0
/* An HLS_KEEP function without a value. */
#include "hls.h"

HLS_KEEP static void nothing(u8 a)
{
    (void)a;
}

struct keep_void_in {
    u1 go;
};
struct keep_void_out {
    u8 y;
};
struct keep_void {
    struct keep_void_out out;
};

HLS_RESET void keep_void_reset(struct keep_void *self)
{
    *self = (struct keep_void){0};
}

HLS_MODULE void keep_void(struct keep_void *self, const struct keep_void_in *in)
{
    nothing(self->out.y);
    self->out.y += in->go;
}
