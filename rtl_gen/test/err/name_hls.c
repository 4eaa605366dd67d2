// SPDX-License-Identifier: Apache-2.0
/* Names that begin with hls_ are the tool's. */
#include "hls.h"

struct name_hls_in {
    u1 go;
};
struct name_hls_out {
    u8 y;
};
struct name_hls {
    struct name_hls_out out;
    u1 hls_state;
};

HLS_RESET void name_hls_reset(struct name_hls *self)
{
    *self = (struct name_hls){0};
}

HLS_MODULE void name_hls(struct name_hls *self, const struct name_hls_in *in)
{
    self->out.y += in->go;
}
