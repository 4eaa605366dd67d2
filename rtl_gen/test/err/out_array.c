// SPDX-License-Identifier: Apache-2.0
/* An array of `out`. */
#include "hls.h"

struct out_array_in {
    u1 go;
};
struct out_array_out {
    u8 y;
};
struct out_array {
    struct out_array_out out[2];
};

HLS_RESET void out_array_reset(struct out_array *self)
{
    *self = (struct out_array){0};
}

HLS_MODULE void out_array(struct out_array *self, const struct out_array_in *in)
{
    self->out[0].y += in->go;
}
