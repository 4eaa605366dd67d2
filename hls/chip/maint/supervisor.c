// SPDX-License-Identifier: Apache-2.0
/*
 * supervisor.c - registers of a chip as a whole: its number, what its links are, the first that was lost, an interrupt, what its taps did.
 */
#include "chip/maint/supervisor.h"

#define EVENT_DIED     (1u << SUP_REG_IRQ_DIED_AT)
#define EVENT_DEGRADED (1u << SUP_REG_IRQ_DEGRADED_AT)
#define EVENT_DROPPED  (1u << SUP_REG_IRQ_DROPPED_AT)

HLS_RESET void supervisor_reset(struct supervisor *self)
{
    *self = (struct supervisor){};
#if DEV_TAPS
    self->out.taps = (uint(DEV_TAPS))-1;
#endif
}

/* The number of the lowest link of a set. */
static inline u6 lowest(dev_links set)
{
    u6 number = 0;

    for (int i = RTR_LINKS - 1; i >= 0; i--) {
        number = (u1)(set >> i) ? (u6)i : number;
    }
    return number;
}

/* What is new in this clock goes into IRQ, the first of it into FIRST_ERROR. */
static inline void notice(struct supervisor *self, const struct supervisor_in *in)
{
    dev_links died = in->dead & ~self->dead;
    dev_links lost = in->degraded & ~self->degraded;
    u1 dies = died != 0;
    u1 news = dies || lost != 0;

    if (news && !(u1)(self->first >> SUP_REG_FIRST_ERROR_VALID_AT)) {
        self->first = ((u64)self->clocks << SUP_REG_FIRST_ERROR_CLOCK_AT) |
                      ((u64)1 << SUP_REG_FIRST_ERROR_VALID_AT) |
                      ((u64)dies << SUP_REG_FIRST_ERROR_DIED_AT) | lowest(dies ? died : lost);
    }
    self->events |= dies ? (u3)EVENT_DIED : (u3)0;
    self->events |= lost != 0 ? (u3)EVENT_DEGRADED : (u3)0;
    self->up = in->up;
    self->degraded = in->degraded;
    self->dead = in->dead;
    self->clocks++;
}

/* Between two buffers a flit is for a few clocks only, so 64 in which none waits say that there is none. */
static inline void listen(struct supervisor *self, const struct supervisor_in *in)
{
    u1 last = self->still == 63;

    self->router_quiet = last && !in->router_busy;
    self->still = in->router_busy ? (u6)0 : (u6)(self->still + !last);
    self->links_quiet = !in->links_wait;
    self->nics_quiet = in->nics_quiet;
}

#if DEV_TAPS
static inline u5 count(uint(DEV_TAPS) set)
{
    u5 sum = 0;

    for (int i = 0; i < DEV_TAPS; i++) {
        sum += (u1)(set >> i);
    }
    return sum;
}

static inline void notice_taps(struct supervisor *self, const struct supervisor_in *in)
{
    self->served += count(in->served);
    self->dropped += count(in->dropped);
    self->events |= in->dropped != 0 ? (u3)EVENT_DROPPED : (u3)0;
}
#endif

static inline void write(struct supervisor *self, u16 addr, u64 data)
{
    if (addr == SUP_REG_CHIP) {
        self->out.number = (u16)data;
    } else if (addr == SUP_REG_RESTART) {
        self->out.restart = (dev_links)data;
    } else if (addr == SUP_REG_FIRST_ERROR) {
        self->first = 0;
    } else if (addr == SUP_REG_IRQ) {
        self->events &= ~(u3)data;
    } else if (addr == SUP_REG_MASK) {
        self->mask = (u3)data;
    } else if (addr == SUP_REG_QUIESCE) {
        self->out.quiesce = (u1)data;
    }
#if DEV_TAPS
    if (addr == SUP_REG_TAPS) {
        self->out.taps = (uint(DEV_TAPS))data;
    }
#endif
}

static inline u64 read(const struct supervisor *self, u16 addr)
{
    switch (addr) {
    case SUP_REG_CHIP:
        return self->out.number;
    case SUP_REG_UP:
        return self->up;
    case SUP_REG_DEGRADED:
        return self->degraded;
    case SUP_REG_DEAD:
        return self->dead;
    case SUP_REG_FIRST_ERROR:
        return self->first;
    case SUP_REG_IRQ:
        return self->events;
    case SUP_REG_MASK:
        return self->mask;
    case SUP_REG_BEAT:
        return self->clocks;
    case SUP_REG_QUIESCE:
        return self->out.quiesce;
    case SUP_REG_QUIET:
        return ((u64)self->router_quiet << SUP_REG_QUIET_ROUTER_AT) |
               ((u64)self->links_quiet << SUP_REG_QUIET_LINKS_AT) |
               ((u64)self->nics_quiet << SUP_REG_QUIET_NICS_AT);
#if DEV_TAPS
    case SUP_REG_TAPS:
        return self->out.taps;
    case SUP_REG_TAPPED:
        return ((u64)self->dropped << SUP_REG_TAPPED_DROPPED_AT) | self->served;
#endif
    default:
        return 0;
    }
}

static inline u1 refuses(const struct reg_request *bus)
{
    u16 addr = bus->addr;
    u1 fixed = addr == SUP_REG_UP || addr == SUP_REG_DEGRADED || addr == SUP_REG_DEAD ||
               addr == SUP_REG_BEAT || addr == SUP_REG_TAPPED || addr == SUP_REG_QUIET;

    return addr > SUP_REG_QUIET || (fixed && bus->write);
}

HLS_MODULE void supervisor(struct supervisor *self, const struct supervisor_in *in)
{
    const struct reg_request *bus = &in->bus;
    u1 begins = bus->valid && !self->out.bus.ready;
    u1 writes = begins && bus->write && !refuses(bus);
    u64 rdata = read(self, bus->addr);

    self->out.restart = 0;
    if (writes) {
        write(self, bus->addr, bus->wdata);
    }
    notice(self, in);
    listen(self, in);
#if DEV_TAPS
    notice_taps(self, in);
#endif
    self->out.bus.ready = begins;
    self->out.bus.error = begins && refuses(bus);
    self->out.bus.rdata = rdata;
    self->out.irq = (self->events & self->mask) != 0;
}
