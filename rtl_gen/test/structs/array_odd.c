// SPDX-License-Identifier: Apache-2.0
/*
 * array_odd: arrays whose length is no power of two: a ring of ten slots with wrap-around pointers
 * and a checked access from outside.
 */
#include "hls.h"

enum { ARRAY_ODD_SLOTS = 10 };

struct array_odd_in {
    u1 push, pop;
    u9 data;
    u4 peek; /* 10 .. 15 read as zero */
};
struct array_odd_out {
    u9 head, peeked;
    u4 level;
};
struct array_odd {
    struct array_odd_out out;
    u9 slot[ARRAY_ODD_SLOTS];
    u4 rd, wr;
};

static u4 next_slot(u4 at)
{
    return at == ARRAY_ODD_SLOTS - 1 ? 0 : at + 1;
}

HLS_RESET void array_odd_reset(struct array_odd *self)
{
    *self = (struct array_odd){0};
}

HLS_MODULE void array_odd(struct array_odd *self, const struct array_odd_in *in)
{
    self->out.peeked = 0;
    if (in->peek < ARRAY_ODD_SLOTS) {
        self->out.peeked = self->slot[in->peek];
    }
    if (in->push && self->out.level < ARRAY_ODD_SLOTS) {
        self->slot[self->wr] = in->data;
        self->wr = next_slot(self->wr);
        self->out.level++;
    }
    if (in->pop && self->out.level > 0) {
        self->out.head = self->slot[self->rd];
        self->rd = next_slot(self->rd);
        self->out.level--;
    }
}
