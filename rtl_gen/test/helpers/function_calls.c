// SPDX-License-Identifier: Apache-2.0
/*
 * function_calls: helpers of numbers that are called more than once stand as Verilog functions.
 *
 * `ranks` is called in a loop, `mixed` calls another function, `fold` has a loop and an array of its own;
 * a call with a constant is inlined, as is what is small and what is called once.
 */
#include "hls.h"

struct function_calls_in {
    u16 a;
    u16 b;
    u4 by;
};
struct function_calls_out {
    u5 rank[4];
    u16 mixed[2];
    u8 folded[2];
    u16 fixed;
    u1 odd[2];
};
struct function_calls {
    struct function_calls_out out;
};

HLS_RESET void function_calls_reset(struct function_calls *self)
{
    *self = (struct function_calls){};
}

/* Bits that are one, by halves. */
static inline u5 ranks(u16 x)
{
    u16 twos = (u16)((x & 0x5555) + (x >> 1 & 0x5555));
    u16 fours = (u16)((twos & 0x3333) + (twos >> 2 & 0x3333));
    u16 eights = (u16)((fours + (fours >> 4)) & 0x0F0F);

    return (u5)(eights + (eights >> 8));
}

/* Its name is that of an output, too. */
static inline u16 mixed(u16 x, u4 by)
{
    u16 turned = (u16)(x << by) | (u16)(x >> 4 >> by);

    return turned ^ (u16)((u16)ranks(turned) * 0x0801u) ^ (u16)ranks((u16)~turned);
}

static inline u8 fold(u16 x)
{
    u8 part[4];
    u8 sum = 0;

    for (int i = 0; i < 4; i++) {
        part[i] = (u8)(u4)(x >> 4 * i) * (u8)(i + 1);
    }
    for (int i = 0; i < 4; i++) {
        sum = (u8)(sum << 1 | sum >> 7) ^ part[3 - i];
    }
    return sum;
}

static inline u1 odd(u16 x)
{
    return (u1)x;
}

HLS_MODULE void function_calls(struct function_calls *self, const struct function_calls_in *in)
{
    for (int i = 0; i < 4; i++) {
        self->out.rank[i] = ranks((u16)(in->a >> i) ^ in->b);
    }
    self->out.mixed[0] = mixed(in->a, in->by);
    self->out.mixed[1] = mixed(in->b, (u4)(in->by + 1));
    self->out.folded[0] = fold(in->a);
    self->out.folded[1] = fold(in->b);
    self->out.fixed = mixed(in->a, 3);
    self->out.odd[0] = odd(in->a);
    self->out.odd[1] = odd(in->b);
}
