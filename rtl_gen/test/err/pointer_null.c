// SPDX-License-Identifier: Apache-2.0
/* A pointer that may be null. */
#include "hls.h"

static u8 value_of(const u8 *p)
{
    return p != nullptr ? *p : 9;
}

struct pointer_null_in {
    u8 data;
};
struct pointer_null_out {
    u8 last;
};
struct pointer_null {
    struct pointer_null_out out;
};

HLS_RESET void pointer_null_reset(struct pointer_null *self)
{
    self->out = (struct pointer_null_out){0};
}

HLS_MODULE void pointer_null(struct pointer_null *self, const struct pointer_null_in *in)
{
    self->out.last = value_of(&in->data);
}
