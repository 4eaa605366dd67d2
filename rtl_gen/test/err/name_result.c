// SPDX-License-Identifier: Apache-2.0
/* A parameter with the name of the output of a kept function. */
#include "hls.h"

struct name_result_in {
    u8 a;
};
struct name_result_out {
    u8 y;
};
struct name_result {
    struct name_result_out out;
};

HLS_KEEP static u8 name_result_thrice(u8 result)
{
    return (u8)(result * 3);
}

HLS_RESET void name_result_reset(struct name_result *self)
{
    *self = (struct name_result){0};
}

HLS_MODULE void name_result(struct name_result *self, const struct name_result_in *in)
{
    self->out.y = name_result_thrice(in->a);
}
