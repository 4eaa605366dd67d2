// SPDX-License-Identifier: Apache-2.0
/* An array of which reset sets a part. */
#include "hls.h"

struct reset_part_in {
    u1 go;
};
struct reset_part_out {
    u8 y;
};
struct reset_part {
    struct reset_part_out out;
    u8 left[4];
};

HLS_RESET void reset_part_reset(struct reset_part *self)
{
    self->out.y = 0;
    for (unsigned i = 0; i < 3; i++) {
        self->left[i] = i;
    }
}

HLS_MODULE void reset_part(struct reset_part *self, const struct reset_part_in *in)
{
    self->left[3] += in->go;
    self->out.y = self->left[0];
}
