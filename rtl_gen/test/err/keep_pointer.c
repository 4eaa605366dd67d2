// SPDX-License-Identifier: Apache-2.0
/* An HLS_KEEP function with a pointer. */
#include "hls.h"

HLS_KEEP static u8 next(const u8 *a)
{
    return *a + 1;
}

struct keep_pointer_in {
    u1 go;
};
struct keep_pointer_out {
    u8 y;
};
struct keep_pointer {
    struct keep_pointer_out out;
};

HLS_RESET void keep_pointer_reset(struct keep_pointer *self)
{
    *self = (struct keep_pointer){0};
}

HLS_MODULE void keep_pointer(struct keep_pointer *self, const struct keep_pointer_in *in)
{
    self->out.y = next(&self->out.y) + in->go;
}
