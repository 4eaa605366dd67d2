// SPDX-License-Identifier: Apache-2.0
/*
 * function_shared: one helper as a function in two modules, where different names are taken.
 *
 * The child has a register `folded` and a port `x`, so there the variables of the function get
 * other names than in the parent.
 */
#include "hls.h"

struct function_shared_half_in {
    u16 x;
    u16 y;
};
struct function_shared_half_out {
    u16 folded;
};
struct function_shared_half {
    struct function_shared_half_out out;
};

struct function_shared_in {
    u16 a;
    u16 b;
};
struct function_shared_out {
    u16 whole;
    u16 halves;
};
struct function_shared {
    struct function_shared_out out;
    struct function_shared_half half;
};

static inline u16 fold(u16 x)
{
    u16 folded = (u16)(x << 3 | x >> 13);
    u16 turned = (u16)((folded & 0x5555) + (folded >> 1 & 0x5555));

    folded = (u16)(folded + turned);
    return folded == 0x1234 ? turned : (u16)(folded ^ folded >> 5);
}

HLS_RESET void function_shared_half_reset(struct function_shared_half *self)
{
    *self = (struct function_shared_half){};
}

HLS_MODULE void function_shared_half(struct function_shared_half *self,
                                     const struct function_shared_half_in *in)
{
    self->out.folded = fold(in->x) ^ fold(self->out.folded ^ in->y);
}

HLS_RESET void function_shared_reset(struct function_shared *self)
{
    self->out = (struct function_shared_out){};
    function_shared_half_reset(&self->half);
}

HLS_MODULE void function_shared(struct function_shared *self, const struct function_shared_in *in)
{
    self->out.halves = fold(self->half.out.folded) ^ fold(self->out.whole);
    self->out.whole = in->a;
    struct function_shared_half_in half = {.x = in->a, .y = in->b};
    function_shared_half(&self->half, &half);
}
