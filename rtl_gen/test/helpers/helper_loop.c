// SPDX-License-Identifier: Apache-2.0
/*
 * helper_loop: helpers with loops, over arrays given by pointer and over bits; one called inside
 * another loop.
 */
#include "hls.h"

struct helper_loop_in {
    u8 sample[6];
    u3 shift;
};
struct helper_loop_out {
    u8 max;
    u11 sum;
    u8 mirrored[3];
};
struct helper_loop {
    struct helper_loop_out out;
};

static u8 max_of(const u8 *x, int n)
{
    u8 max = x[0];
    for (int i = 1; i < n; i++) {
        if (x[i] > max) {
            max = x[i];
        }
    }
    return max;
}

static u11 sum_of(const u8 x[6])
{
    u11 sum = 0;
    for (int i = 0; i < 6; i++) {
        sum += x[i];
    }
    return sum;
}

static u8 mirror(u8 x)
{
    u8 r = 0;
    for (int i = 0; i < 8; i++) {
        r = r << 1 | (x >> i & 1);
    }
    return r;
}

HLS_RESET void helper_loop_reset(struct helper_loop *self)
{
    *self = (struct helper_loop){0};
}

HLS_MODULE void helper_loop(struct helper_loop *self, const struct helper_loop_in *in)
{
    self->out.max = max_of(in->sample, 6) - max_of(&in->sample[2], 2);
    self->out.sum += sum_of(in->sample) >> in->shift;
    for (int i = 0; i < 3; i++) {
        self->out.mirrored[i] = mirror(in->sample[2 * i] + in->shift);
    }
}
