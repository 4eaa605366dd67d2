// SPDX-License-Identifier: Apache-2.0
/* A reset value that depends on a register, by a condition. */
#include "hls.h"

struct reset_condition_in {
    u1 go;
};
struct reset_condition_out {
    u8 y;
};
struct reset_condition {
    struct reset_condition_out out;
    u8 seed;
};

HLS_RESET void reset_condition_reset(struct reset_condition *self)
{
    self->seed = 1;
    if (self->out.y != 3) {
        self->seed = 2;
    }
    self->out.y = 0;
}

HLS_MODULE void reset_condition(struct reset_condition *self, const struct reset_condition_in *in)
{
    self->out.y += in->go;
}
