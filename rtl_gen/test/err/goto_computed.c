// SPDX-License-Identifier: Apache-2.0
/* A goto to a computed label. */
#include "hls.h"

struct goto_computed_in {
    u1 go;
};
struct goto_computed_out {
    u8 y;
};
struct goto_computed {
    struct goto_computed_out out;
};

HLS_RESET void goto_computed_reset(struct goto_computed *self)
{
    *self = (struct goto_computed){0};
}

HLS_MODULE void goto_computed(struct goto_computed *self, const struct goto_computed_in *in)
{
    static void *const way[] = {&&none, &&one};
    goto *way[in->go];
one:
    self->out.y++;
none:;
}
