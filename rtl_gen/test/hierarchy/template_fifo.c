// SPDX-License-Identifier: Apache-2.0
/*
 * template_fifo: one include template, two sizes, one module name each; the outputs of the shallow
 * queue flow into the deep one.
 */
#include "hls.h"

#define FIFO       template_fifo_shallow
#define FIFO_T     u9
#define FIFO_DEPTH 3
#include "fifo.inc"

#define FIFO       template_fifo_deep
#define FIFO_T     u18
#define FIFO_DEPTH 8
#include "fifo.inc"

struct template_fifo_in {
    u1 push, pop;
    u9 data;
};
struct template_fifo_out {
    u1 valid, full;
    u18 joined;
};
struct template_fifo {
    struct template_fifo_out out;
    struct template_fifo_shallow shallow;
    struct template_fifo_deep deep;
    u9 last;
};

HLS_RESET void template_fifo_reset(struct template_fifo *self)
{
    self->out = (struct template_fifo_out){0};
    self->last = 0;
    template_fifo_shallow_reset(&self->shallow);
    template_fifo_deep_reset(&self->deep);
}

HLS_MODULE void template_fifo(struct template_fifo *self, const struct template_fifo_in *in)
{
    bool move = self->shallow.out.valid && !self->deep.out.full;
    struct template_fifo_shallow_in shallow_in = {in->push, move, in->data};
    struct template_fifo_deep_in deep_in = {
        .push = move,
        .pop = in->pop,
        .in = (u18)self->last << 9 | self->shallow.out.head,
    };
    if (move) {
        self->last = self->shallow.out.head;
    }
    template_fifo_shallow(&self->shallow, &shallow_in);
    template_fifo_deep(&self->deep, &deep_in);
    self->out.valid = self->deep.out.valid;
    self->out.joined = self->deep.out.head;
    self->out.full = self->shallow.out.full;
}
