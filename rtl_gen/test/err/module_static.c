// SPDX-License-Identifier: Apache-2.0
/* A static module function: no test bench could call it. */
#include "hls.h"

struct module_static_in {
    u1 go;
};
struct module_static_out {
    u8 y;
};
struct module_static {
    struct module_static_out out;
};

HLS_RESET void module_static_reset(struct module_static *self)
{
    *self = (struct module_static){0};
}

HLS_MODULE static void module_static(struct module_static *self, const struct module_static_in *in)
{
    self->out.y += in->go;
}
