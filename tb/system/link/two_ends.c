// SPDX-License-Identifier: Apache-2.0
/*
 * two_ends.c - what the benches of both framings do with two LCBs.
 */
#include "tb/system/link/two_ends.h"

static void model_reset(void *self)
{
    lcb_reset(self);
}

static void model_step(void *self, const void *in)
{
    lcb(self, in);
}

const struct dut_model ends_model = {
    .size = sizeof(struct lcb), .reset = model_reset, .step = model_step};

void ends_run(const struct two_ends *t, uint64_t clocks)
{
    while (clocks-- > 0)
        t->step(t->bench);
}

bool ends_await(const struct two_ends *t, enum link_state state, uint64_t limit)
{
    while (t->lcb[0]->out.state != state || t->lcb[1]->out.state != state) {
        if (limit-- == 0)
            return false;
        t->step(t->bench);
    }
    return true;
}

bool ends_drain(const struct two_ends *t, bool (*busy)(const void *bench), uint64_t limit)
{
    while (busy(t->bench)) {
        if (limit-- == 0)
            return false;
        t->step(t->bench);
    }
    return true;
}

struct reg_reply ends_bus(const struct two_ends *t, unsigned end, struct reg_request request)
{
    enum { BUS_CLOCKS = 8 };
    t->in[end]->bus = request;
    for (unsigned i = 0; i < BUS_CLOCKS && (i == 0 || !t->lcb[end]->out.bus.ready); i++)
        t->step(t->bench);
    t->in[end]->bus = (struct reg_request){0};
    return t->lcb[end]->out.bus;
}

uint64_t ends_count(const struct two_ends *t, unsigned end, enum lcb_counter counter)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 2; i++)
        if (end == 2 || end == i)
            sum += t->lcb[i]->regs.counter[counter];
    return sum;
}
