// SPDX-License-Identifier: Apache-2.0
/*
 * inst_one: a parent with one child; the parent sees the child's registers one clock later.
 */
#include "hls.h"

struct inst_one_counter_in {
    u1 enable;
    u4 step;
};
struct inst_one_counter_out {
    u8 count;
    u1 wrapped;
};
struct inst_one_counter {
    struct inst_one_counter_out out;
    u3 wraps;
};

struct inst_one_in {
    u1 run;
    u4 step;
};
struct inst_one_out {
    u8 seen;
    u12 sum;
};
struct inst_one {
    struct inst_one_out out;
    struct inst_one_counter counter;
};

HLS_RESET void inst_one_counter_reset(struct inst_one_counter *self)
{
    *self = (struct inst_one_counter){.out.count = 200};
}

HLS_MODULE void inst_one_counter(struct inst_one_counter *self,
                                 const struct inst_one_counter_in *in)
{
    u8 before = self->out.count;
    if (in->enable) {
        self->out.count += in->step + self->wraps;
    }
    self->out.wrapped = self->out.count < before;
    self->wraps += self->out.wrapped;
}

HLS_RESET void inst_one_reset(struct inst_one *self)
{
    self->out = (struct inst_one_out){.seen = 200};
    inst_one_counter_reset(&self->counter);
}

HLS_MODULE void inst_one(struct inst_one *self, const struct inst_one_in *in)
{
    if (self->counter.out.wrapped) {
        self->out.sum += self->out.seen;
    }
    self->out.seen = self->counter.out.count;
    struct inst_one_counter_in counter_in = {.enable = in->run, .step = in->step};
    inst_one_counter(&self->counter, &counter_in);
}
