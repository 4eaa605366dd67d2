// SPDX-License-Identifier: Apache-2.0
/* A reset value that depends on a register. */
#include "hls.h"

struct reset_of_itself_in {
    u1 go;
};
struct reset_of_itself_out {
    u8 y;
};
struct reset_of_itself {
    struct reset_of_itself_out out;
    u8 seed;
};

HLS_RESET void reset_of_itself_reset(struct reset_of_itself *self)
{
    self->seed = 1;
    self->out.y = self->out.y + 1;
}

HLS_MODULE void reset_of_itself(struct reset_of_itself *self, const struct reset_of_itself_in *in)
{
    self->out.y += in->go;
}
