// SPDX-License-Identifier: Apache-2.0
/*
 * maint_bus.h - ports and registers of the bus of a chip's maintenance: whoever asks, one access at a time, to one unit.
 *
 *  unit   0        the router's bus
 *         1        the supervisor
 *         64 + p   the LCB of port p
 *
 * An access to a unit that is not there, or that the unit refuses, is answered with 0 and an error.
 */
#ifndef MAINT_BUS_H
#define MAINT_BUS_H

#include "config/machine.h"

#include "hls.h"
#include "router/flit/rtr_types.h"

#define UNIT_ROUTER     0
#define UNIT_SUPERVISOR 1
#define UNIT_LINKS      64 /* the LCB of port 0 */

#define MAINT_MASTERS (DEV_TAPS + 1) /* who asks: the taps, then who is outside */
#if MAINT_MASTERS > 32
#error "config: the bus of maintenance serves 31 taps at most"
#endif

/* An access, held until the reply comes. */
struct maint_request {
    u1 valid;
    u1 write;
    u8 unit;
    u16 addr;
    u64 wdata;
};

struct maint_reply {
    u1 ready;
    u1 error; /* with ready: no such unit or register; nothing was done, rdata is 0 */
    u64 rdata;
};

struct maint_bus_in {
    struct maint_request from[MAINT_MASTERS];
    struct reg_reply reply; /* of the unit of out.bus */
};

struct maint_bus_out {
    struct maint_request bus;
    struct maint_reply to[MAINT_MASTERS];
};

struct maint_bus {
    struct maint_bus_out out;
    u1 serves; /* an access is at its unit */
    u5 turn;   /* who is looked at, or served */
};

HLS_RESET void maint_bus_reset(struct maint_bus *self);
HLS_MODULE void maint_bus(struct maint_bus *self, const struct maint_bus_in *in);

#endif
