// SPDX-License-Identifier: Apache-2.0
/* `rst` is a port of every module. */
#include "hls.h"

struct name_rst_in {
    u1 go;
};
struct name_rst_out {
    u8 y;
    u1 rst;
};
struct name_rst {
    struct name_rst_out out;
};

HLS_RESET void name_rst_reset(struct name_rst *self)
{
    *self = (struct name_rst){0};
}

HLS_MODULE void name_rst(struct name_rst *self, const struct name_rst_in *in)
{
    self->out.y += in->go;
}
