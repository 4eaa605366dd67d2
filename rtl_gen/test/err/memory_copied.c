// SPDX-License-Identifier: Apache-2.0
/* A memory copied as a whole. */
#include "hls.h"

struct memory_copied_in {
    u1 go;
    u4 at, to;
    u8 d;
};
struct memory_copied_out {
    u8 y;
};
struct memory_copied {
    struct memory_copied_out out;
    struct store {
        u8 word[16] HLS_LUTRAM(1);
    } store;
};

HLS_RESET void memory_copied_reset(struct memory_copied *self)
{
    self->out.y = 0;
}

HLS_MODULE void memory_copied(struct memory_copied *self, const struct memory_copied_in *in)
{
    struct store copy = self->store;
    self->out.y = copy.word[in->at] + in->go;
    if (in->d) {
        self->store.word[in->to] = in->d;
    }
}
