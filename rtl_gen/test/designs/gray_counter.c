// SPDX-License-Identifier: Apache-2.0
/*
 * gray_counter: counts up and down in Gray code and back to binary.
 */
#include "hls.h"

struct gray_counter_in {
    u1 up, down;
    u9 foreign; /* a Gray pointer from elsewhere */
};
struct gray_counter_out {
    u9 gray;
    u9 distance;
};
struct gray_counter {
    struct gray_counter_out out;
    u9 binary;
};

static u9 to_binary(u9 gray)
{
    u9 x = gray;
    for (int by = 1; by < 9; by *= 2) {
        x ^= x >> by;
    }
    return x;
}

HLS_RESET void gray_counter_reset(struct gray_counter *self)
{
    *self = (struct gray_counter){0};
}

HLS_MODULE void gray_counter(struct gray_counter *self, const struct gray_counter_in *in)
{
    self->binary = self->binary + in->up - in->down;
    self->out.gray = self->binary ^ self->binary >> 1;
    self->out.distance = to_binary(in->foreign) - to_binary(self->out.gray);
}
