// SPDX-License-Identifier: Apache-2.0
/* A reset function that takes more than the registers. */
#include "hls.h"

struct reset_arguments_in {
    u1 go;
};
struct reset_arguments_out {
    u8 y;
};
struct reset_arguments {
    struct reset_arguments_out out;
};

HLS_RESET void reset_arguments_reset(struct reset_arguments *self, u8 y)
{
    self->out.y = y;
}

HLS_MODULE void reset_arguments(struct reset_arguments *self, const struct reset_arguments_in *in)
{
    self->out.y += in->go;
}
