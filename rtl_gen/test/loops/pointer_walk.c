// SPDX-License-Identifier: Apache-2.0
/*
 * pointer_walk: pointers that go over an array: forwards and back, one behind the end, from an element that varies, over
 * structs, rows and what a helper is given.
 */
#include "hls.h"

struct pointer_walk_item {
    u3 tag;
    u8 value;
};
struct pointer_walk_in {
    u8 a;
    u2 at, by;
    struct pointer_walk_item item;
};
struct pointer_walk_out {
    u8 sum, last, close, behind, picked, column;
    struct pointer_walk_item oldest;
};
struct pointer_walk {
    struct pointer_walk_out out;
    u8 before[4]; /* nothing of it may be met from tap */
    u8 tap[8];
    struct pointer_walk_item item[4];
    u8 grid[4][3];
};

/* The newest first: everything moves one place on. */
static void shift_in(u8 *last, int n, u8 newest)
{
    const u8 *from = last;
    for (int i = 1; i < n; i++) {
        --from;
        *last-- = *from;
    }
    *last = newest;
}

HLS_RESET void pointer_walk_reset(struct pointer_walk *self)
{
    *self = (struct pointer_walk){0};
}

HLS_MODULE void pointer_walk(struct pointer_walk *self, const struct pointer_walk_in *in)
{
    u8 sum = 0;
    const u8 *end = &self->tap[8], *middle = &self->tap[in->at + 2];
    struct pointer_walk_item *top = self->item + 3;
    u8(*row)[3] = &self->grid[in->at];

    for (const u8 *p = self->tap; p != end; p++) {
        sum += *p;
    }
    for (const u8 *p = end; p > self->tap;) {
        sum ^= *--p;
    }
    self->out.sum = sum;
    self->out.last = end[-1];
    self->out.close = middle[-1] + *(middle - 2);
    self->out.behind = end[-1 - (int)in->by];
    if (in->at) {
        self->out.column = row[-1][in->by % 3u];
        row[-1][1] = in->a;
    }
    middle += in->by >> 1;
    self->out.picked = *middle--;
    self->out.picked ^= *middle;
    shift_in(&self->tap[7], 8, in->a);
    self->out.oldest = *top;
    while (top > self->item) {
        *top = top[-1];
        top--;
    }
    *top = in->item;
    self->before[in->at] = in->a;
}
