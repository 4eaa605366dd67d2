// SPDX-License-Identifier: Apache-2.0
/*
 * array_3d: three dimensions with structs at the inside: counters by port, class and direction.
 */
#include "hls.h"

struct array_3d_counter {
    u7 packets;
    u11 bytes;
};
struct array_3d_in {
    u2 port; /* 3 is the third port's other name */
    u1 kind;
    u1 direction;
    u6 length;
    u1 count;
};
struct array_3d_out {
    struct array_3d_counter read;
    u14 all;
};
struct array_3d {
    struct array_3d_out out;
    struct array_3d_counter counter[3][2][2];
};

static void count(struct array_3d_counter *at, u6 length)
{
    at->packets++;
    at->bytes += length;
}

HLS_RESET void array_3d_reset(struct array_3d *self)
{
    *self = (struct array_3d){0};
    for (int p = 0; p < 3; p++) {
        for (int c = 0; c < 2; c++) {
            self->counter[p][c][1].bytes = 100 * p + 10 * c;
        }
    }
}

HLS_MODULE void array_3d(struct array_3d *self, const struct array_3d_in *in)
{
    u2 port = in->port == 3 ? (u2)2 : in->port;
    self->out.read = self->counter[port][in->kind][in->direction];
    if (in->count) {
        count(&self->counter[port][in->kind][in->direction], in->length);
    }
    self->out.all = 0;
    for (int d = 0; d < 2; d++) {
        self->out.all += self->counter[port][0][d].bytes + self->counter[port][1][d].bytes;
    }
}
