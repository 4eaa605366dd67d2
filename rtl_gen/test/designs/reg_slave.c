// SPDX-License-Identifier: Apache-2.0
/*
 * reg_slave: a block on the register bus: identification, control, a threshold, a counter that is
 * cleared by reading, and a scratch word with byte writes.
 */
#include "hls.h"

struct reg_slave_in {
    struct reg_request bus;
    u5 events;
};
struct reg_slave_out {
    struct reg_reply bus;
    u1 enabled;
    u1 above;
};
struct reg_slave {
    struct reg_slave_out out;
    u16 threshold;
    u24 count;
    u64 scratch;
};

enum { REG_ID, REG_CONTROL, REG_THRESHOLD, REG_COUNT, REG_SCRATCH = 8 };

HLS_RESET void reg_slave_reset(struct reg_slave *self)
{
    *self = (struct reg_slave){.out.enabled = 1, .threshold = 1000};
}

static u64 read_reg(struct reg_slave *self, u4 addr)
{
    switch (addr) {
    case REG_ID:
        return 0x4845444c00010002;
    case REG_CONTROL:
        return self->out.enabled;
    case REG_THRESHOLD:
        return self->threshold;
    case REG_COUNT: {
        u24 count = self->count;
        self->count = 0;
        return count;
    }
    default:
        return addr >= REG_SCRATCH ? self->scratch >> (8 * (addr & 7)) : (u64)0;
    }
}

static void write_reg(struct reg_slave *self, u4 addr, u64 data)
{
    if (addr == REG_CONTROL) {
        self->out.enabled = data & 1;
    } else if (addr == REG_THRESHOLD) {
        self->threshold = (u16)data;
    } else if (addr >= REG_SCRATCH) {
        int at = 8 * (addr & 7);
        self->scratch = (self->scratch & ~((u64)0xff << at)) | (u64)(u8)data << at;
    }
}

HLS_MODULE void reg_slave(struct reg_slave *self, const struct reg_slave_in *in)
{
    if (self->out.enabled) {
        self->count += in->events;
    }
    self->out.above = self->count > self->threshold;
    self->out.bus.ready = in->bus.valid;
    self->out.bus.error = (u4)in->bus.addr > REG_COUNT && (u4)in->bus.addr < REG_SCRATCH;
    self->out.bus.rdata = 0;
    if (in->bus.valid && in->bus.write) {
        write_reg(self, (u4)in->bus.addr, in->bus.wdata);
    } else if (in->bus.valid) {
        self->out.bus.rdata = read_reg(self, (u4)in->bus.addr);
    }
}
