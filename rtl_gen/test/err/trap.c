// SPDX-License-Identifier: Apache-2.0
/* __builtin_trap() ends a program. */
#include "hls.h"

struct trap_in {
    u8 data;
};
struct trap_out {
    u8 last;
};
struct trap {
    struct trap_out out;
};

HLS_RESET void trap_reset(struct trap *self)
{
    self->out = (struct trap_out){0};
}

HLS_MODULE void trap(struct trap *self, const struct trap_in *in)
{
    if (in->data == 7)
        __builtin_trap();
    self->out.last = in->data;
}
