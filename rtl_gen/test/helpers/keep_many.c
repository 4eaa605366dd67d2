// SPDX-License-Identifier: Apache-2.0
/*
 * keep_many: HLS_KEEP functions called several times, in a loop, with the result of one call going
 * into the next, one keep calling another, and a signed one.
 */
#include "hls.h"

struct keep_many_in {
    u12 x[3];
    sint(9) bias;
};
struct keep_many_out {
    u12 mixed;
    u12 chain;
    sint(9) limited;
};
struct keep_many {
    struct keep_many_out out;
};

HLS_KEEP static u6 keep_many_box(u6 x)
{
    return (x ^ x << 1) + (x >> 3) * 5 + 17;
}

HLS_KEEP static u12 keep_many_round(u12 x, u1 flip)
{
    u12 y = (u12)keep_many_box((u6)x) << 6 | keep_many_box((u6)(x >> 6));
    return flip ? ~y : y;
}

HLS_KEEP static sint(9) keep_many_limit(sint(9) x, sint(9) to)
{
    return x > to ? to : x < -100 ? (sint(9))-100 : x;
}

HLS_RESET void keep_many_reset(struct keep_many *self)
{
    *self = (struct keep_many){.out.chain = 0x321};
}

HLS_MODULE void keep_many(struct keep_many *self, const struct keep_many_in *in)
{
    u12 mixed = 0;
    for (int i = 0; i < 3; i++) {
        mixed ^= keep_many_round(in->x[i], i & 1);
    }
    self->out.mixed = mixed;
    self->out.chain = keep_many_round(keep_many_round(self->out.chain ^ in->x[0], 1), 0);
    self->out.limited = keep_many_limit(in->bias, (sint(9))(in->x[1] & 0x7f));
}
