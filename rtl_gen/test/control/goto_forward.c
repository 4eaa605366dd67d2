// SPDX-License-Identifier: Apache-2.0
/*
 * goto_forward: goto to a common end and out of nested loops.
 */
#include "hls.h"

struct goto_forward_in {
    u4 grid[3];
    u4 key;
    u1 enable;
};
struct goto_forward_out {
    u2 row, col;
    u1 found;
    u8 calls, misses;
};
struct goto_forward {
    struct goto_forward_out out;
};

HLS_RESET void goto_forward_reset(struct goto_forward *self)
{
    *self = (struct goto_forward){0};
}

HLS_MODULE void goto_forward(struct goto_forward *self, const struct goto_forward_in *in)
{
    u1 found = 0;
    if (!in->enable) {
        goto done;
    }
    for (u2 r = 0; r < 3; r++) {
        if (in->grid[r] == in->key) {
            goto missed;
        }
        for (u3 c = 0; c < 4; c++) {
            if ((in->grid[r] ^ in->key) == 1u << c) {
                self->out.row = r;
                self->out.col = c;
                found = 1;
                goto done;
            }
        }
    }
missed:
    self->out.misses++;
done:
    self->out.found = found;
    self->out.calls += in->enable + in->key;
}
