// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_regs.c - the register bus of the link: limits, status, counters, first error.
 *
 * Events come as one bit per counter. The first event that is an error is kept with its clock
 * until software clears it.
 */
#include "link/lcb_regs.h"

/* Events that are worth remembering the first of. */
#define ERRORS                                                                                     \
    ((1 << COUNT_CRC) | (1 << COUNT_TIMEOUTS) | (1 << COUNT_ACK_BAD) | (1 << COUNT_CORRECTED) |    \
     (1 << COUNT_FATAL) | (1 << COUNT_REINITS) | (1 << COUNT_DEATHS) | (1 << COUNT_OVERFLOWS))

HLS_RESET void lcb_regs_reset(struct lcb_regs *self)
{
    *self = (struct lcb_regs){
        .out = {.lanes = 7,
                .bad_limit = LCB_BAD_LIMIT,
                .retry_limit = LCB_RETRY_LIMIT,
                .train_limit = LCB_TRAIN_LIMIT,
                .timeout = LCB_TIMEOUT,
                .shared = LCB_SHARED},
    };
}

static inline u64 read_reg(const struct lcb_regs *self, const struct lcb_regs_in *in, u16 addr)
{
    switch (addr) {
    case LCB_REG_STATUS:
        return (u64)in->state | ((u64)in->tx_map << 3) | ((u64)in->rx_map << 6) |
               ((u64)in->lane_up << 9) | ((u64)in->epoch << 12) | ((u64)in->round_trip << 16);
    case LCB_REG_CONTROL:
        return (u64)self->out.lanes << 4;
    case LCB_REG_LIMITS:
        return (u64)self->out.bad_limit | ((u64)self->out.retry_limit << 8) |
               ((u64)self->out.train_limit << 16);
    case LCB_REG_TIMEOUT:
        return (u64)self->out.timeout | ((u64)self->out.shared << 16);
    case LCB_REG_FIRST_ERROR:
        return (u64)self->first_events | ((u64)self->first_side << 16) |
               ((u64)self->captured << 63);
    case LCB_REG_FIRST_TIME:
        return self->first_time;
    default:
        return addr >> 4 == LCB_REG_COUNTERS >> 4 ? (u64)self->counter[(u4)addr] : 0;
    }
}

static inline void write_reg(struct lcb_regs *self, u16 addr, u64 data)
{
    switch (addr) {
    case LCB_REG_CONTROL:
        self->out.restart = (u1)data;
        self->out.kill = (u1)(data >> 1);
        self->clear = (u1)(data >> 2);
        self->out.lanes = (u3)(data >> 4);
        break;
    case LCB_REG_LIMITS:
        self->out.bad_limit = (u8)data;
        self->out.retry_limit = (u8)(data >> 8);
        self->out.train_limit = (u16)(data >> 16);
        break;
    case LCB_REG_TIMEOUT:
        self->out.timeout = (u12)data;
        self->out.shared = (u9)(data >> 16);
        break;
    default:
        break;
    }
}

HLS_MODULE void lcb_regs(struct lcb_regs *self, const struct lcb_regs_in *in)
{
    u16 errors = in->events & ERRORS;

    for (int i = 0; i < COUNTERS; i++) {
        self->counter[i] = self->clear ? (u32)0 : self->counter[i] + (u1)(in->events >> i);
    }
    if (self->clear) {
        self->captured = 0;
    } else if (errors != 0 && !self->captured) {
        self->captured = 1;
        self->first_events = in->events;
        self->first_side = in->side;
        self->first_time = self->clocks;
    }
    self->clocks++;

    self->out.restart = 0;
    self->out.kill = 0;
    self->clear = 0;
    self->out.bus.ready = in->bus.valid && !self->out.bus.ready;
    self->out.bus.rdata = read_reg(self, in, in->bus.addr);
    if (self->out.bus.ready && in->bus.write) {
        write_reg(self, in->bus.addr, in->bus.wdata);
    }
}
