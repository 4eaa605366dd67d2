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
                .age_rr = SS_REG_AGE_RR_CHOICES_RESET,
                .scrub_period = SS_REG_SCRUB_PERIOD_CLOCKS_RESET,
                .rx_timeout = SS_REG_RX_TIMEOUT_CLOCKS_RESET,
                .valve = SS_REG_VALVE_CLOCKS_RESET,
                .get_timeout = SS_REG_GET_TIMEOUT_CLOCKS_RESET},
        .masks = SS_REG_IRQ_MASK_RING_RESET,
    };
}

static inline u1 known_counter(u16 addr)
{
    static_assert(SS_REG_DROPPED % 16 == 0 && SS_REG_COUNTERS <= 16);
    return addr >= SS_REG_DROPPED && addr < SS_REG_DROPPED + SS_REG_COUNTERS;
}

static inline u64 read_reg(const struct ss_regs *self, const struct ss_regs_in *in)
{
    switch (in->bus.addr) {
    case SS_REG_ID:
        return FIELD(ID, ID, SS_REG_ID_ID_RESET) | FIELD(ID, PORTS, SS_PORTS);
    case SS_REG_STATUS:
        return FIELD(STATUS, IDLE, in->idle) | FIELD(STATUS, READY, in->ready);
    case SS_REG_CONTROL:
        return (u64)self->out.drain;
    case SS_REG_NODE:
        return (u64)self->out.node;
    case SS_REG_STREAMS:
        return FIELD(STREAMS, ENABLE, self->out.streams_enable) | (u64)self->out.streams;
    case SS_REG_RX_TIMEOUT:
        return (u64)self->out.rx_timeout;
    case SS_REG_VALVE:
        return (u64)self->out.valve;
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
    case SS_REG_SCRATCH_ADDRESS:
        return FIELD(SCRATCH_ADDRESS, WORD, self->out.scratch.at) |
               FIELD(SCRATCH_ADDRESS, BANK, self->out.scratch.bank) |
               FIELD(SCRATCH_ADDRESS, BUSY, self->out.scratch.valid);
    case SS_REG_SCRATCH_DATA0:
        return (u64)(u43)self->out.scratch.data;
    case SS_REG_SCRATCH_DATA1:
        return (u64)(u43)(self->out.scratch.data >> 43);
    case SS_REG_SCRATCH_DATA2:
        return (u64)(self->out.scratch.data >> 86);
    case SS_REG_SCRUB_PERIOD:
        return (u64)self->out.scrub_period;
    case SS_REG_GET_TIMEOUT:
        return (u64)self->out.get_timeout;
    default:
        return known_counter(in->bus.addr) ? (u64)self->count[(u4)in->bus.addr] : (u64)0;
    }
}

/* Whether the register is there, for what the bus wants of it. */
static inline u1 known(u16 addr, u1 write)
{
    u1 both = addr == SS_REG_CONTROL || addr == SS_REG_NODE ||
              (addr >= SS_REG_STREAMS && addr <= SS_REG_VALVE) || addr == SS_REG_IRQ_MASK ||
              (addr >= SS_REG_RING_BASE && addr <= SS_REG_RING_READ) || addr == SS_REG_AGE_PERIOD ||
              addr == SS_REG_AGE_RR ||
              (addr >= SS_REG_SCRATCH_ADDRESS && addr <= SS_REG_GET_TIMEOUT);
    u1 only_read = addr == SS_REG_ID || addr == SS_REG_STATUS || addr == SS_REG_RING_WRITE;
    u1 only_write = addr == SS_REG_ROUTE_LOCAL || addr == SS_REG_ROUTE_GLOBAL;

    return both || (write ? only_write : only_read || known_counter(addr));
}

static inline u5 nearest_log2(u5 log2)
{
    return log2 < 8 ? (u5)8 : log2 > 15 ? (u5)15 : log2;
}

/* A cell is read when its address is written, written with its last part. While an access is under way nothing changes. */
static inline void write_scratch(struct ss_regs *self, u16 addr, u64 data)
{
    struct ss_scratch_driver *s = &self->out.scratch;
    ss_cell low = (ss_cell)(u43)data, high = (ss_cell)(u42)data;

    if (s->valid) {
        return;
    }
    if (addr == SS_REG_SCRATCH_ADDRESS) {
        s->at = (ss_scratch_index)AT(SCRATCH_ADDRESS, WORD);
        s->bank = (u2)AT(SCRATCH_ADDRESS, BANK);
        s->write = 0;
        s->valid = s->bank != 3;
    } else if (addr == SS_REG_SCRATCH_DATA0) {
        s->data = (s->data >> 43 << 43) | low;
    } else if (addr == SS_REG_SCRATCH_DATA1) {
        s->data = (s->data >> 86 << 86) | (ss_cell)(u43)s->data | (low << 43);
    } else {
        s->data = (ss_cell)(uint(86))s->data | (high << 86);
        s->write = 1;
        s->valid = s->bank != 3;
    }
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
    case SS_REG_STREAMS:
        self->out.streams_enable = (u1)AT(STREAMS, ENABLE);
        self->out.streams = (u48)data & ~(u48)127;
        break;
    case SS_REG_RX_TIMEOUT:
        self->out.rx_timeout = (u32)data;
        break;
    case SS_REG_VALVE:
        self->out.valve = (u32)data;
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
        if ((u16)(read - self->out.ring_read) <= (u16)(in->issued - self->out.ring_read)) {
            self->out.ring_moved = read != self->out.ring_read;
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
    case SS_REG_SCRATCH_ADDRESS:
    case SS_REG_SCRATCH_DATA0:
    case SS_REG_SCRATCH_DATA1:
    case SS_REG_SCRATCH_DATA2:
        write_scratch(self, in->bus.addr, data);
        break;
    case SS_REG_SCRUB_PERIOD:
        self->out.scrub_period = (u16)data;
        break;
    case SS_REG_GET_TIMEOUT:
        self->out.get_timeout = (u32)data;
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

#define COUNT(register, event) self->count[SS_REG_##register - SS_REG_DROPPED] += (event)

static inline void count(struct ss_regs *self, const struct ss_regs_in *in)
{
    COUNT(DROPPED, in->events.dropped);
    COUNT(HEADER, in->events.header);
    COUNT(STRAY, in->events.stray);
    COUNT(FULL, in->events.full);
    COUNT(REFUSED, in->engine_events.refused);
    COUNT(LATE, in->engine_events.late);
    COUNT(ILLEGAL, (u2)((u2)in->engine_events.illegal + in->command_illegal));
    COUNT(LOST, in->event_lost);
    COUNT(POISONED, in->engine_events.poisoned);
    COUNT(CORRECTED, in->corrected);
    COUNT(FATAL, in->fatal);
    COUNT(SCRUBBED, in->scrubbed);
    COUNT(SPILLED, in->events.spilled);
    COUNT(UNSPILT, in->events.unspilt);
    COUNT(AGED, in->events.aged);
    COUNT(VALVED, in->events.valved);
}

HLS_MODULE void ss_regs(struct ss_regs *self, const struct ss_regs_in *in)
{
    u1 asks = in->bus.valid && !self->out.reply.ready;
    u1 own = in->bus.addr < SS_REG_LINK0;

    self->out.ring_set = 0;
    self->out.ring_moved = 0;
    if (in->scratch_done) {
        self->out.scratch.valid = 0;
        self->out.scratch.data =
            self->out.scratch.write ? self->out.scratch.data : in->scratch_read;
    }
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
    count(self, in);
    self->out.irq = in->unread && !self->masks;
}
