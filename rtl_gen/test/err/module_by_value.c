// SPDX-License-Identifier: Apache-2.0
/* Inputs by value. */
#include "hls.h"

struct module_by_value_in {
    u1 go;
};
struct module_by_value_out {
    u8 y;
};
struct module_by_value {
    struct module_by_value_out out;
};

HLS_RESET void module_by_value_reset(struct module_by_value *self)
{
    *self = (struct module_by_value){0};
}

HLS_MODULE void module_by_value(struct module_by_value *self, struct module_by_value_in in)
{
    self->out.y += in.go;
}
