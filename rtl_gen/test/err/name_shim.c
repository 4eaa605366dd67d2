// SPDX-License-Identifier: Apache-2.0
/* A reset function whose name the shim needs for itself. */
#include "hls.h"

struct name_shim_in {
    u1 go;
};
struct name_shim_out {
    u8 y;
};
struct name_shim {
    struct name_shim_out out;
};

HLS_RESET void self(struct name_shim *self)
{
    *self = (struct name_shim){0};
}

HLS_MODULE void name_shim(struct name_shim *self, const struct name_shim_in *in)
{
    self->out.y += in->go;
}
