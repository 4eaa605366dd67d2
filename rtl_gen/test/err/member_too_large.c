// SPDX-License-Identifier: Apache-2.0
/* Flip-flops beyond what a Verilog vector may hold. */
#include "hls.h"

struct member_too_large_in {
    u1 go;
};
struct member_too_large_out {
    u8 y;
};
struct member_too_large {
    struct member_too_large_out out;
    u64 store[4096];
};

HLS_RESET void member_too_large_reset(struct member_too_large *self)
{
    *self = (struct member_too_large){0};
}

HLS_MODULE void member_too_large(struct member_too_large *self,
                                 const struct member_too_large_in *in)
{
    self->out.y += in->go;
}
