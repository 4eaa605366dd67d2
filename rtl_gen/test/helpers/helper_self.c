// SPDX-License-Identifier: Apache-2.0
/*
 * helper_self: helpers that get self, or one part of it, and change it step by step; two parts of
 * one type share the helper.
 */
#include "hls.h"

struct helper_self_timer {
    u9 left;
    u1 running;
    u4 rounds;
};
struct helper_self_in {
    u1 start_a, start_b;
    u5 load;
};
struct helper_self_out {
    u1 alarm;
    struct helper_self_timer a, b;
};
struct helper_self {
    struct helper_self_out out;
};

static u1 timer_tick(struct helper_self_timer *t)
{
    if (!t->running) {
        return 0;
    }
    if (t->left == 0) {
        t->running = 0;
        t->rounds++;
        return 1;
    }
    t->left--;
    return 0;
}

static void timer_start(struct helper_self_timer *t, u9 load)
{
    t->left = load;
    t->running = 1;
}

static void start_both(struct helper_self *self, u5 load)
{
    timer_start(&self->out.a, load);
    timer_start(&self->out.b, (u9)load + self->out.a.rounds);
}

HLS_RESET void helper_self_reset(struct helper_self *self)
{
    *self = (struct helper_self){.out.a = {100, 1, 3}};
}

HLS_MODULE void helper_self(struct helper_self *self, const struct helper_self_in *in)
{
    u1 a_done = timer_tick(&self->out.a);
    u1 b_done = timer_tick(&self->out.b);
    self->out.alarm = a_done | b_done;
    if (in->start_a && in->start_b && in->load > 28) {
        start_both(self, in->load);
    } else if (in->start_a && !self->out.a.running) {
        timer_start(&self->out.a, in->load >> 1);
    } else if (in->start_b && !self->out.b.running) {
        timer_start(&self->out.b, in->load);
    }
}
