// SPDX-License-Identifier: Apache-2.0
/* goto to an address kept in a variable. */
#include "hls.h"

struct goto_pointer_in {
    u1 there;
};
struct goto_pointer_out {
    u8 last;
};
struct goto_pointer {
    struct goto_pointer_out out;
};

HLS_RESET void goto_pointer_reset(struct goto_pointer *self)
{
    self->out = (struct goto_pointer_out){0};
}

HLS_MODULE void goto_pointer(struct goto_pointer *self, const struct goto_pointer_in *in)
{
    void *way = in->there ? &&there : &&here;
    goto *way;
here:
    self->out.last = 1;
    return;
there:
    self->out.last = 2;
}
