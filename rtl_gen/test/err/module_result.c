// SPDX-License-Identifier: Apache-2.0
/* A module function that returns a value. */
#include "hls.h"

struct module_result_in {
    u1 go;
};
struct module_result_out {
    u8 y;
};
struct module_result {
    struct module_result_out out;
};

HLS_RESET void module_result_reset(struct module_result *self)
{
    *self = (struct module_result){0};
}

HLS_MODULE u8 module_result(struct module_result *self, const struct module_result_in *in)
{
    self->out.y += in->go;
    return self->out.y;
}
