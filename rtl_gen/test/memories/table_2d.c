// SPDX-License-Identifier: Apache-2.0
/*
 * table_2d: a constant table of two dimensions: routing by position and destination.
 */
#include "hls.h"

struct table_2d_in {
    u2 here; /* 3 counts as 0 */
    u2 to;
    u1 move;
};
struct table_2d_out {
    u3 port;
    u6 cost;
};
struct table_2d {
    struct table_2d_out out;
    u2 at;
};

static const u3 port_of[3][4] = {{7, 1, 2, 2}, {3, 7, 4, 5}, {6, 6, 7, 0}};
static const u5 cost_of[3][8] = {
    {1, 2, 3, 4, 5, 6, 7, 8}, {9, 11, 13, 15, 17, 19, 21, 23}, {31, 29, 27, 25, 23, 21, 19, 17}};

HLS_RESET void table_2d_reset(struct table_2d *self)
{
    *self = (struct table_2d){.at = 2};
}

HLS_MODULE void table_2d(struct table_2d *self, const struct table_2d_in *in)
{
    u2 here = in->here == 3 ? (u2)0 : in->here;
    self->out.port = port_of[self->at][in->to];
    self->out.cost += cost_of[here][self->out.port];
    if (in->move) {
        self->at = here;
    }
}
