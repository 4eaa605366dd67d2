// SPDX-License-Identifier: Apache-2.0
/* `clk` is a port of every module. */
#include "hls.h"

struct name_clk_in {
    u1 go, clk;
};
struct name_clk_out {
    u8 y;
};
struct name_clk {
    struct name_clk_out out;
};

HLS_RESET void name_clk_reset(struct name_clk *self)
{
    *self = (struct name_clk){0};
}

HLS_MODULE void name_clk(struct name_clk *self, const struct name_clk_in *in)
{
    self->out.y += in->go;
}
