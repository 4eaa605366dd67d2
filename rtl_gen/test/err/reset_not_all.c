// SPDX-License-Identifier: Apache-2.0
/* A register that reset leaves alone. */
#include "hls.h"

struct reset_not_all_in {
    u1 go;
};
struct reset_not_all_out {
    u8 y;
};
struct reset_not_all {
    struct reset_not_all_out out;
    u8 left;
};

HLS_RESET void reset_not_all_reset(struct reset_not_all *self)
{
    self->out.y = 0;
}

HLS_MODULE void reset_not_all(struct reset_not_all *self, const struct reset_not_all_in *in)
{
    self->left += in->go;
    self->out.y = self->left;
}
