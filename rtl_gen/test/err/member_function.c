// SPDX-License-Identifier: Apache-2.0
/* A function pointer as a register. */
#include "hls.h"

struct member_function_in {
    u1 go;
};
struct member_function_out {
    u8 y;
};
struct member_function {
    struct member_function_out out;
    void (*next)(void);
};

HLS_RESET void member_function_reset(struct member_function *self)
{
    *self = (struct member_function){0};
}

HLS_MODULE void member_function(struct member_function *self, const struct member_function_in *in)
{
    self->out.y += in->go;
}
