// SPDX-License-Identifier: Apache-2.0
/* A module function with a third parameter. */
#include "hls.h"

struct module_arguments_in {
    u1 go;
};
struct module_arguments_out {
    u8 y;
};
struct module_arguments {
    struct module_arguments_out out;
};

HLS_RESET void module_arguments_reset(struct module_arguments *self)
{
    *self = (struct module_arguments){0};
}

HLS_MODULE void module_arguments(struct module_arguments *self,
                                 const struct module_arguments_in *in, u8 n)
{
    self->out.y += in->go + n;
}
