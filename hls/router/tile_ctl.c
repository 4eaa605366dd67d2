// SPDX-License-Identifier: Apache-2.0
/*
 * tile_ctl.c - tile control: configuration, counters, first error.
 *
 * Counters are words of a memory with one port, so they take turns: events are counted in 5 bits each, and every 16
 * clocks that count is added to the counter's word. A read of a counter waits for its turn.
 */
#include "router/tile_ctl.h"

#define ERRORS ((u16)(1 << RTR_ILLEGAL | 1 << RTR_NO_ROUTE | 1 << RTR_CORRECTED | 1 << RTR_FATAL))

HLS_RESET void tile_ctl_reset(struct tile_ctl *self)
{
    self->out = (struct tile_ctl_out){0};
    self->reads = 0;
    self->wanted = 0;
    self->turn = 0;
    self->wipes = 1;
    self->wiped = 0;
    for (int i = 0; i < TILE_COUNTERS; i++) {
        self->recent[i] = 0;
    }
    self->captured = 0;
    self->first_events = 0;
    self->first_time = 0;
    self->dropped = 0;
}

static inline u16 events_of(const struct tile_ctl_in *in)
{
    u16 events = (u16)((u16)in->input.incoming.valid << in->input.incoming.vc);

    events |= (u16)((u16)in->input.row_bus_stall << RTR_ROWBUS_STALL);
    events |= (u16)((u16)in->stall_request << RTR_COLBUF_STALL_REQUEST);
    events |= (u16)((u16)in->stall_response << RTR_COLBUF_STALL_RESPONSE);
    events |= (u16)((u16)in->input.nonminimal << RTR_NONMINIMAL);
    events |= (u16)((u16)in->input.illegal << RTR_ILLEGAL);
    events |= (u16)((u16)in->input.no_route << RTR_NO_ROUTE);
    events |= (u16)((u16)(in->input.corrected | in->corrected) << RTR_CORRECTED);
    events |= (u16)((u16)(in->input.fatal | in->fatal) << RTR_FATAL);
    return events;
}

static inline void capture(struct tile_ctl *self, u16 events, u32 now)
{
    if (self->wipes) {
        self->captured = 0;
    } else if ((events & ERRORS) != 0 && !self->captured) {
        self->captured = 1;
        self->first_events = events;
        self->first_time = now;
    }
}

/* Adds recent events to the counter of this turn; returns its value. */
static inline u48 count(struct tile_ctl *self, u16 events)
{
    u48 sum = self->counter[self->turn] + self->recent[self->turn];

    if (self->wipes) {
        sum = 0;
    }
    if (self->wipes || self->recent[self->turn] != 0) {
        self->counter[self->turn] = sum;
    }
    self->recent[self->turn] = 0;
    if (hls_when(events != 0)) {
        for (int i = 0; i < TILE_COUNTERS; i++) {
            self->recent[i] += (u5)(u1)(events >> i);
        }
    }
    return sum;
}

static inline u1 addressed(const struct tile_ctl_in *in)
{
    u1 here = (u6)(in->bus.addr >> 10) == (((u6)in->here.row << 3) | in->here.col);
    u1 all = (u1)(in->bus.addr >> 9) && in->bus.write;

    return in->bus.valid && (here || all);
}

/* A field of a register at its place. */
#define FIELD(register, field, value) ((u64)(value) << RTR_REG_##register##_##field##_AT)

static inline u64 read_reg(const struct tile_ctl *self, const struct tile_ctl_in *in)
{
    switch ((u9)in->bus.addr) {
    case RTR_REG_CONTROL:
        return FIELD(CONTROL, ROW, in->here.row) | FIELD(CONTROL, COLUMN, in->here.col);
    case RTR_REG_FIRST_ERROR:
        return FIELD(FIRST_ERROR, CAPTURED, self->captured) |
               FIELD(FIRST_ERROR, NOW, self->first_time) |
               FIELD(FIRST_ERROR, EVENTS, self->first_events);
    case RTR_REG_OUTPUT:
        return FIELD(OUTPUT, FIRST, self->out.first) | FIELD(OUTPUT, PATIENCE, self->out.patience);
    case RTR_REG_VALVE:
        return FIELD(VALVE, DROPPED, self->dropped);
    default:
        return 0;
    }
}

/* Whether the register is there, for what the bus wants of it. */
static inline u1 known(const struct reg_request *bus)
{
    u9 addr = (u9)bus->addr;
    u1 both = addr == RTR_REG_CONTROL || addr == RTR_REG_OUTPUT;
    u1 counter = addr >> 4 == RTR_REG_COUNTERS >> 4;

    u1 status = addr == RTR_REG_FIRST_ERROR || addr == RTR_REG_VALVE;

    return both || (bus->write ? addr == RTR_REG_ROUTE : counter || status);
}

HLS_MODULE void tile_ctl(struct tile_ctl *self, const struct tile_ctl_in *in)
{
    u16 events = events_of(in);
    u1 now = addressed(in);
    u1 counters = (u5)(in->bus.addr >> 4) == RTR_REG_COUNTERS >> 4;
    u1 turned = self->reads && self->turn == self->wanted;
    u1 clear = now && in->bus.write && (u9)in->bus.addr == RTR_REG_CONTROL && (u1)in->bus.wdata;
    u64 value = read_reg(self, in);
    u48 counter = count(self, events);

    self->dropped = self->wipes ? (u16)0 : (u16)(self->dropped + in->dropped);
    capture(self, events, in->now);
    self->out.config = (struct route_write){
        .valid = now && in->bus.write && (u9)in->bus.addr == RTR_REG_ROUTE,
        .kind = (u3)(in->bus.wdata >> RTR_REG_ROUTE_KIND_AT),
        .index = (u12)(in->bus.wdata >> RTR_REG_ROUTE_INDEX_AT),
        .data = (u48)in->bus.wdata,
    };
    if (now && in->bus.write && (u9)in->bus.addr == RTR_REG_OUTPUT) {
        self->out.first = (rtr_rows)(in->bus.wdata >> RTR_REG_OUTPUT_FIRST_AT);
        self->out.patience = (u2)(in->bus.wdata >> RTR_REG_OUTPUT_PATIENCE_AT);
    }
    self->out.bus.ready = turned || (now && (in->bus.write || !counters));
    self->out.bus.error = now && !known(&in->bus);
    self->out.bus.rdata = turned ? (u64)counter : now && !in->bus.write && !counters ? value : 0;
    self->reads = (self->reads && !turned) || (now && !in->bus.write && counters);
    self->wanted = now ? (u4)in->bus.addr : self->wanted;

    self->turn++;
    self->wiped = clear ? (u4)0 : (u4)(self->wiped + self->wipes);
    self->wipes = clear || (self->wipes && self->wiped != 0);
}
