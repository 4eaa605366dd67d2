// SPDX-License-Identifier: Apache-2.0
/* A helper with the name of another file's module. */
#include "hls.h"

struct helper_child_in {
    u8 d;
};
struct helper_child {
    struct {
        u8 q;
    } out;
};

static u8 child(u8 n)
{
    return n + 1;
}

HLS_RESET void helper_child_reset(struct helper_child *self)
{
    self->out.q = 0;
}

HLS_MODULE void helper_child(struct helper_child *self, const struct helper_child_in *in)
{
    self->out.q = child(in->d);
}
