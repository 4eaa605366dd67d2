// SPDX-License-Identifier: Apache-2.0
/* An index before the array that stands last in its struct. */
#include "hls.h"

struct index_last_in {
    u8 sample;
};
struct index_last_out {
    u8 y;
};
struct index_last {
    struct index_last_out out;
    u8 last[4];
};

HLS_RESET void index_last_reset(struct index_last *self)
{
    *self = (struct index_last){0};
}

HLS_MODULE void index_last(struct index_last *self, const struct index_last_in *in)
{
    self->out.y = self->last[-1];
    self->last[3] = in->sample;
}
