// SPDX-License-Identifier: Apache-2.0
/* Inputs without const could be written. */
#include "hls.h"

struct module_in_const_in {
    u1 go;
};
struct module_in_const_out {
    u8 y;
};
struct module_in_const {
    struct module_in_const_out out;
};

HLS_RESET void module_in_const_reset(struct module_in_const *self)
{
    *self = (struct module_in_const){0};
}

HLS_MODULE void module_in_const(struct module_in_const *self, struct module_in_const_in *in)
{
    self->out.y += in->go;
}
