// SPDX-License-Identifier: Apache-2.0
/*
 * One of several wide values that are local: clang keeps them as bytes, which are read together.
 * Of a matrix an index out of range gives zero, as everywhere.
 */
#include "hls.h"

enum { FRONTS = 3, ROWS = 2 };

struct wide_local_beat {
    u1 valid;
    uint(144) word;
};

struct wide_local_in {
    struct wide_local_beat local, target;
    u2 client;
    u1 row;
};

struct wide_local_out {
    struct wide_local_beat front;
    uint(130) part;
};

struct wide_local {
    struct wide_local_out out;
    struct wide_local_beat last;
};

HLS_RESET void wide_local_reset(struct wide_local *self)
{
    *self = (struct wide_local){};
}

HLS_MODULE void wide_local(struct wide_local *self, const struct wide_local_in *in)
{
    struct wide_local_beat fronts[FRONTS] = {in->local, in->target, self->last};
    uint(130) cells[ROWS][FRONTS];

    for (int r = 0; r < ROWS; r++) {
        for (int i = 0; i < FRONTS; i++) {
            cells[r][i] = (uint(130))(fronts[i].word >> (8 * r));
        }
    }
    self->last = in->client < FRONTS ? fronts[in->client] : self->last;
    self->out.front = self->last;
    self->out.part = in->client < FRONTS ? cells[in->row][in->client] : (uint(130))0;
}
