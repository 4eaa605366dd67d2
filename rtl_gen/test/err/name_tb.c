// SPDX-License-Identifier: Apache-2.0
/* A module named like a generated test bench. */
#include "hls.h"

struct name_tb_in {
    u1 go;
};
struct name_tb_out {
    u8 y;
};
struct name_tb {
    struct name_tb_out out;
};

HLS_RESET void name_tb_reset(struct name_tb *self)
{
    *self = (struct name_tb){0};
}

HLS_MODULE void name_tb(struct name_tb *self, const struct name_tb_in *in)
{
    self->out.y += in->go;
}
