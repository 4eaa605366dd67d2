// SPDX-License-Identifier: Apache-2.0
/*
 * inc_dec: ++ and -- before and after, and compound assignment, on odd widths that wrap.
 */
#include "hls.h"

struct inc_dec_in {
    u1 up, down;
    u5 step;
};
struct inc_dec_out {
    u1 one;
    u3 three;
    u5 pre, post;
    u11 eleven;
    u37 wide;
    u7 scaled;
};
struct inc_dec {
    struct inc_dec_out out;
    u5 five;
};

HLS_RESET void inc_dec_reset(struct inc_dec *self)
{
    *self = (struct inc_dec){.out.wide = 0x1ffffffff0, .out.scaled = 1};
}

HLS_MODULE void inc_dec(struct inc_dec *self, const struct inc_dec_in *in)
{
    if (in->up) {
        self->out.one++;
        self->out.pre = self->five++;
        self->out.post = ++self->out.three;
        self->out.wide += in->step;
        self->out.eleven |= in->step;
    }
    if (in->down) {
        --self->out.three;
        self->out.post = --self->five;
        self->out.pre = self->out.eleven--;
        self->out.wide -= 3 * in->step;
        self->out.eleven <<= 2;
    }
    self->out.scaled *= 3;
    self->out.scaled ^= in->step;
    self->out.scaled %= 101;
    self->out.eleven ^= self->out.wide >>= in->up & in->down;
}
