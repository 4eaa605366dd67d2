// SPDX-License-Identifier: Apache-2.0
/* A helper that never returns. */
#include "hls.h"

[[noreturn]] static void fail(void)
{
    __builtin_unreachable();
}

struct noreturn_in {
    u8 data;
};
struct noreturn_out {
    u8 last;
};
struct noreturn {
    struct noreturn_out out;
};

HLS_RESET void noreturn_reset(struct noreturn *self)
{
    self->out = (struct noreturn_out){0};
}

HLS_MODULE void noreturn(struct noreturn *self, const struct noreturn_in *in)
{
    if (in->data == 7)
        fail();
    self->out.last = in->data;
}
