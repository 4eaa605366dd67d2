// SPDX-License-Identifier: Apache-2.0
/*
 * ss_regs.c - the register bus: own registers, and the way to those of the links.
 */
#include "seastar/host/ss_regs.h"

/* A field of a register at its place, and what stands there in what is written. */
#define FIELD(register, field, value) ((u64)(value) << SS_REG_##register##_##field##_AT)
#define AT(register, field)           (data >> SS_REG_##register##_##field##_AT)

HLS_RESET void ss_regs_reset(struct ss_regs *self)
{
    *self = (struct ss_regs){
        .out = {.ring_log2 = SS_REG_RING_CONFIG_LOG2_RESET,
                .age_period = SS_REG_AGE_PERIOD_CLOCKS_RESET,
                .age_rr = SS_REG_AGE_RR_CHOICES_RESET},
        .masks = SS_REG_IRQ_MASK_RING_RESET,
    };
}

static inline u1 known_counter(u16 addr)
{
    static_assert(SS_REG_DROPPED % 8 == 0 && SS_REG_COUNTERS <= 8);
    return addr >= SS_REG_DROPPED && addr < SS_REG_DROPPED + SS_REG_COUNTERS;
}

static inline u64 read_reg(const struct ss_regs *self, const struct ss_regs_in *in)
{
    switch (in->bus.addr) {
    case SS_REG_ID:
        return FIELD(ID, ID, SS_REG_ID_ID_RESET) | FIELD(ID, PORTS, SS_PORTS);
    case SS_REG_STATUS:
        return (u64)in->idle;
    case SS_REG_CONTROL:
        return (u64)self->out.drain;
    case SS_REG_NODE:
        return (u64)self->out.node;
    case SS_REG_IRQ_MASK:
        return (u64)self->masks;
    case SS_REG_RING_BASE:
        return (u64)self->out.ring_base;
    case SS_REG_RING_CONFIG:
        return FIELD(RING_CONFIG, ENABLE, self->out.ring_enable) |
               FIELD(RING_CONFIG, LOG2, self->out.ring_log2);
    case SS_REG_RING_READ:
        return (u64)self->out.ring_read;
    case SS_REG_RING_WRITE:
        return (u64)in->written;
    case SS_REG_AGE_PERIOD:
        return (u64)self->out.age_period;
    case SS_REG_AGE_RR:
        return self->out.age_rr;
    default:
        return known_counter(in->bus.addr) ? (u64)self->count[(u3)in->bus.addr] : (u64)0;
    }
}

/* Whether the register is there, for what the bus wants of it. */
static inline u1 known(u16 addr, u1 write)
{
    u1 both = addr == SS_REG_CONTROL || addr == SS_REG_NODE || addr == SS_REG_IRQ_MASK ||
              (addr >= SS_REG_RING_BASE && addr <= SS_REG_RING_READ) || addr == SS_REG_AGE_PERIOD ||
              addr == SS_REG_AGE_RR;
    u1 only_read = addr == SS_REG_ID || addr == SS_REG_STATUS || addr == SS_REG_RING_WRITE;
    u1 only_write = addr == SS_REG_ROUTE_LOCAL || addr == SS_REG_ROUTE_GLOBAL;

    return both || (write ? only_write : only_read || known_counter(addr));
}

static inline u5 nearest_log2(u5 log2)
{
    return log2 < 8 ? (u5)8 : log2 > 15 ? (u5)15 : log2;
}

static inline void write_reg(struct ss_regs *self, const struct ss_regs_in *in)
{
    u64 data = in->bus.wdata;
    u16 read = (u16)data;

    switch (in->bus.addr) {
    case SS_REG_CONTROL:
        self->out.drain = (u1)AT(CONTROL, DRAIN);
        break;
    case SS_REG_NODE:
        self->out.node = (ss_node)AT(NODE, NODE);
        break;
    case SS_REG_IRQ_MASK:
        self->masks = (u1)AT(IRQ_MASK, RING);
        break;
    case SS_REG_RING_BASE:
        self->out.ring_base = (u48)data & ~(u48)63;
        break;
    case SS_REG_RING_CONFIG:
        self->out.ring_enable = (u1)AT(RING_CONFIG, ENABLE);
        self->out.ring_log2 = nearest_log2((u5)AT(RING_CONFIG, LOG2));
        self->out.ring_read = 0;
        self->out.ring_set = 1;
        break;
    case SS_REG_RING_READ:
        if ((u16)(read - self->out.ring_read) <= (u16)(in->written - self->out.ring_read)) {
            self->out.ring_read = read;
        }
        break;
    case SS_REG_ROUTE_LOCAL:
        self->out.write_at = (ss_ports)AT(ROUTE_LOCAL, INPUTS);
        self->out.write =
            (struct ss_route_write){.local = 1,
                                    .index = (uint(SS_INDEX_BITS))AT(ROUTE_LOCAL, INDEX),
                                    .entry = (u4)AT(ROUTE_LOCAL, PORT)};
        break;
    case SS_REG_ROUTE_GLOBAL:
        self->out.write_at = (ss_ports)AT(ROUTE_GLOBAL, INPUTS);
        self->out.write = (struct ss_route_write){.global = 1,
                                                  .index = (u3)AT(ROUTE_GLOBAL, PARTITION),
                                                  .entry = (u4)AT(ROUTE_GLOBAL, PORT)};
        break;
    case SS_REG_AGE_PERIOD:
        self->out.age_period = (u16)data;
        break;
    case SS_REG_AGE_RR:
        self->out.age_rr = data;
        break;
    default:
        break;
    }
}

/* An access to a link's registers waits for the link's answer. */
static inline void forward(struct ss_regs *self, const struct ss_regs_in *in)
{
    u6 link = (u6)((u16)(in->bus.addr - SS_REG_LINK0) >> SS_REG_LINK_LOG2);
    struct reg_reply reply = {.ready = 1, .error = 1};

    for (int l = 0; l < SS_LINKS; l++) {
        if (link == (u6)l) {
            reply = self->forwards ? in->link[l] : (struct reg_reply){};
        }
        self->out.link[l] = in->bus;
        self->out.link[l].addr = in->bus.addr & ((1 << SS_REG_LINK_LOG2) - 1);
        self->out.link[l].valid = link == (u6)l && !reply.ready;
    }
    self->forwards = !reply.ready;
    self->out.reply = reply;
}

static inline void count(struct ss_regs *self, struct ss_receive_events events)
{
    self->count[SS_REG_DROPPED - SS_REG_DROPPED] += events.dropped;
    self->count[SS_REG_HEADER - SS_REG_DROPPED] += events.header;
    self->count[SS_REG_STRAY - SS_REG_DROPPED] += events.stray;
    self->count[SS_REG_FULL - SS_REG_DROPPED] += events.full;
    self->count[SS_REG_REFUSED - SS_REG_DROPPED] += events.refused;
}

HLS_MODULE void ss_regs(struct ss_regs *self, const struct ss_regs_in *in)
{
    u1 asks = in->bus.valid && !self->out.reply.ready;
    u1 own = in->bus.addr < SS_REG_LINK0;

    self->out.ring_set = 0;
    self->out.write_at = 0;
    if (asks && own) {
        self->out.reply = (struct reg_reply){
            .ready = 1, .error = !known(in->bus.addr, in->bus.write), .rdata = read_reg(self, in)};
        if (in->bus.write && !self->out.reply.error) {
            write_reg(self, in);
        }
    } else if (asks) {
        forward(self, in);
    } else {
        self->out.reply.ready = 0;
    }
    count(self, in->events);
    self->out.irq = in->unread && !self->masks;
}
