// SPDX-License-Identifier: Apache-2.0
/*
 * supervisor.h - ports and registers of the supervisor: what maintenance sees of a chip as a whole. Registers: supervisor.rdl.
 */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include "chip/maint/maint_bus.h"
#include "chip/maint/supervisor_map.h"

typedef uint(RTR_LINKS) dev_links;

struct supervisor_in {
    dev_links up;       /* state RUN */
    dev_links degraded; /* and not on all lanes */
    dev_links dead;
#if DEV_TAPS
    uint(DEV_TAPS) served; /* of each tap, for one clock */
    uint(DEV_TAPS) dropped;
#endif
    u1 router_busy; /* a flit waits in the router */
    u1 links_wait;  /* something sent waits for its acknowledgement */
    u1 nics_quiet;
    struct reg_request bus;
};

struct supervisor_out {
    struct reg_reply bus;
    u16 number;        /* of the chip, 0 if maintenance gave none */
    dev_links restart; /* for one clock */
    u1 irq;
    u1 quiesce; /* NICs begin no request */
#if DEV_TAPS
    uint(DEV_TAPS) taps; /* those that serve */
#endif
};

struct supervisor {
    struct supervisor_out out;
    dev_links up; /* as they were */
    dev_links degraded;
    dev_links dead;
    u64 first; /* FIRST_ERROR */
    u3 events; /* IRQ */
    u3 mask;
    u48 clocks;
    u6 still; /* clocks since a flit waited in the router, 63 or more */
    u1 router_quiet;
    u1 links_quiet;
    u1 nics_quiet;
    u32 served;
    u32 dropped;
};

HLS_RESET void supervisor_reset(struct supervisor *self);
HLS_MODULE void supervisor(struct supervisor *self, const struct supervisor_in *in);

#endif
