// SPDX-License-Identifier: Apache-2.0
/* A constant table of more bytes than a vector of Verilog may have. */
#include "hls.h"

struct table_too_large_in {
    u16 at;
};
struct table_too_large_out {
    u2 y;
};
struct table_too_large {
    struct table_too_large_out out;
};

static const u2 steps[8193] = {1, 2, 3};

HLS_RESET void table_too_large_reset(struct table_too_large *self)
{
    *self = (struct table_too_large){0};
}

HLS_MODULE void table_too_large(struct table_too_large *self, const struct table_too_large_in *in)
{
    self->out.y = steps[in->at & 0x1fff];
}
