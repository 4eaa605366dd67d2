// SPDX-License-Identifier: Apache-2.0
/* A helper that is given a local array and reads behind it. */
#include "hls.h"

struct index_beyond_in {
    u8 sample;
};
struct index_beyond_out {
    u8 sum;
};
struct index_beyond {
    struct index_beyond_out out;
};

static u8 sum_of(const u8 *list, int n)
{
    u8 sum = 0;

    for (int i = 0; i < n; i++) {
        sum += list[i];
    }
    return sum;
}

HLS_RESET void index_beyond_reset(struct index_beyond *self)
{
    *self = (struct index_beyond){0};
}

HLS_MODULE void index_beyond(struct index_beyond *self, const struct index_beyond_in *in)
{
    u8 list[3] = {in->sample, 1, self->out.sum};

    self->out.sum = sum_of(list, 4);
}
