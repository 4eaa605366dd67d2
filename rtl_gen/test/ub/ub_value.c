// SPDX-License-Identifier: Apache-2.0
/*
 * ub_value: zeros of zero counted, a bool that is neither 0 nor 1, a number at an odd address, the end of a path that
 * __builtin_unreachable() says is none.
 */
#include "hls.h"

struct ub_value_in {
    u5 a;
    u3 at;
    u8 flag;
};
struct ub_value_out {
    u6 leading, trailing, narrow; /* zeros in 32 bits, twice, and in 5 */
    u8 chosen;
    u16 misaligned;
    u8 other;
};
struct ub_value {
    struct ub_value_out out;
};

HLS_RESET void ub_value_reset(struct ub_value *self)
{
    *self = (struct ub_value){0};
}

static u16 read_word(const unsigned short *p)
{
    return *p;
}

HLS_MODULE void ub_value(struct ub_value *self, const struct ub_value_in *in)
{
    alignas(4) unsigned char bytes[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    bool flag = false;

    self->out.leading = (u6)__builtin_clz(in->a);
    self->out.trailing = (u6)__builtin_ctz(in->a);
    self->out.narrow = (u6)__builtin_clzg(in->a);
    __builtin_memset(&flag, in->flag, 1);
    self->out.chosen = flag ? 7 : 9;
    self->out.misaligned = read_word((const unsigned short *)&bytes[in->at]);
    if (in->at == 3) {
        __builtin_unreachable();
    }
    self->out.other = in->at;
}
