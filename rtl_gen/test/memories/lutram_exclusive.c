// SPDX-License-Identifier: Apache-2.0
/*
 * lutram_exclusive: writes in exclusive branches of if and switch share the one write port.
 */
#include "hls.h"

struct lutram_exclusive_in {
    u2 op;
    u5 addr;
    u8 data;
    u1 urgent;
};
struct lutram_exclusive_out {
    u8 read;
    u5 cursor;
};
struct lutram_exclusive {
    struct lutram_exclusive_out out;
    HLS_LUTRAM(1) u8 log[32];
};

HLS_RESET void lutram_exclusive_reset(struct lutram_exclusive *self)
{
    self->out = (struct lutram_exclusive_out){.cursor = 30};
}

HLS_MODULE void lutram_exclusive(struct lutram_exclusive *self,
                                 const struct lutram_exclusive_in *in)
{
    self->out.read = self->log[in->addr];
    if (in->urgent) {
        self->log[self->out.cursor] = ~in->data;
        self->out.cursor += 3;
        return;
    }
    switch (in->op) {
    case 0:
        self->log[in->addr] = in->data;
        break;
    case 1:
        self->log[self->out.cursor++] = in->data + self->out.read;
        break;
    case 2:
        self->out.cursor--;
        break;
    default:
        if (in->data & 1) {
            self->log[0] = in->data;
        }
    }
}
