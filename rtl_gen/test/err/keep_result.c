// SPDX-License-Identifier: Apache-2.0
/* An HLS_KEEP function that returns a struct. */
#include "hls.h"

struct pair_of {
    u8 a, b;
};

HLS_KEEP static struct pair_of both(u8 a)
{
    return (struct pair_of){a, a};
}

struct keep_result_in {
    u1 go;
};
struct keep_result_out {
    u8 y;
};
struct keep_result {
    struct keep_result_out out;
};

HLS_RESET void keep_result_reset(struct keep_result *self)
{
    *self = (struct keep_result){0};
}

HLS_MODULE void keep_result(struct keep_result *self, const struct keep_result_in *in)
{
    self->out.y = both(in->go).a;
}
