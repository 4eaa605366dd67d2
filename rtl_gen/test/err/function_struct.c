// SPDX-License-Identifier: Apache-2.0
/* An HLS_FUNCTION function with a struct. */
#include "hls.h"

struct function_struct_in {
    u8 a;
};
struct function_struct {
    struct {
        u8 b;
    } out;
};

struct pair {
    u4 low, high;
};

HLS_FUNCTION static u8 joined(struct pair p)
{
    return (u8)(p.low | (u8)((u8)p.high << 4));
}

HLS_RESET void function_struct_reset(struct function_struct *self)
{
    *self = (struct function_struct){};
}

HLS_MODULE void function_struct(struct function_struct *self, const struct function_struct_in *in)
{
    self->out.b = joined((struct pair){(u4)(in->a >> 4), (u4)in->a});
}
