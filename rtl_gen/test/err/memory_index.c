// SPDX-License-Identifier: Apache-2.0
/* An index with more bits than the memory has addresses. */
#include "hls.h"

struct memory_index_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct memory_index_out {
    u8 y;
};
struct memory_index {
    struct memory_index_out out;
    u8 store[16] HLS_LUTRAM(1);
};

HLS_RESET void memory_index_reset(struct memory_index *self)
{
    self->out.y = 0;
}

HLS_MODULE void memory_index(struct memory_index *self, const struct memory_index_in *in)
{
    self->out.y = self->store[in->d];
    if (in->go) {
        self->store[in->to] = in->d;
    }
}
