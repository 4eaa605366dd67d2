// SPDX-License-Identifier: Apache-2.0
/* Assembly code. */
#include "hls.h"

struct assembly_in {
    u1 go;
};
struct assembly_out {
    u8 y;
};
struct assembly {
    struct assembly_out out;
};

HLS_RESET void assembly_reset(struct assembly *self)
{
    *self = (struct assembly){0};
}

HLS_MODULE void assembly(struct assembly *self, const struct assembly_in *in)
{
    __asm__("nop");
    self->out.y += in->go;
}
