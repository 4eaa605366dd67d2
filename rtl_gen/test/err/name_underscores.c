// SPDX-License-Identifier: Apache-2.0
/* Two underscores in a row: Verilator uses them for its own names. */
#include "hls.h"

struct name_underscores_in {
    u1 go;
};
struct name_underscores_out {
    u8 y;
};
struct name_underscores {
    struct name_underscores_out out;
    u4 a__b;
};

HLS_RESET void name_underscores_reset(struct name_underscores *self)
{
    *self = (struct name_underscores){0};
}

HLS_MODULE void name_underscores(struct name_underscores *self,
                                 const struct name_underscores_in *in)
{
    self->out.y += in->go;
}
