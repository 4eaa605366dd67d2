// SPDX-License-Identifier: Apache-2.0
/*
 * bist_regs.c - seconds, values to read and switches to write.
 */
#include "board/bist_regs.h"

HLS_RESET void bist_regs_reset(struct bist_regs *self)
{
    *self = (struct bist_regs){.out = {.run = 1}};
}

static inline void control(struct bist_regs *self, u16 data)
{
    self->out.clear = (data & BIST_CLEAR) != 0;
    self->out.flip = (data & BIST_FLIP) != 0;
    self->out.noise ^= (data & BIST_NOISE) != 0;
    self->out.cut ^= (u3)(data >> BIST_CUT_AT);
    self->out.run ^= (data & BIST_TRAFFIC) != 0;
}

HLS_MODULE void bist_regs(struct bist_regs *self, const struct bist_regs_in *in)
{
    u1 asked = in->bus.valid && !self->out.bus.ready;

    self->out.tick = self->clocks == in->second;
    self->clocks = self->out.tick ? (u28)0 : (u28)(self->clocks + 1);
    self->out.seconds += self->out.tick;
    self->out.clear = 0;
    self->out.flip = 0;
    if (asked && in->bus.write && in->bus.addr == BIST_REG_CONTROL) {
        control(self, (u16)in->bus.wdata);
    }
    self->out.bus.ready = asked;
    self->out.bus.error = in->bus.write ? in->bus.addr != BIST_REG_CONTROL
                                        : in->bus.addr >> 4 != BIST_REG_VALUES >> 4;
    self->out.bus.rdata = in->value[(u4)in->bus.addr];
}
