// SPDX-License-Identifier: Apache-2.0
/*
 * maint_axil.h - ports and registers of AXI4-Lite in front of the bus of maintenance, for a controller beside the chip.
 *
 * The bits of an address above those of s_axil are the unit (maint_bus.h), on ports of their own:
 *
 *      26       19 18             3 2 0
 *     +-----------+----------------+---+
 *     |   unit    |    register    | 0 |
 *     +-----------+----------------+---+
 *
 * Rules and clocks are those of axil_regs.
 */
#ifndef MAINT_AXIL_H
#define MAINT_AXIL_H

#include "axi/axil_regs.h"
#include "chip/maint/maint_bus.h"

struct maint_axil_in {
    struct axil_to_sub s_axil;
    u8 awunit; /* with awaddr */
    u8 arunit; /* with araddr */
    struct maint_reply bus;
};

struct maint_axil_out {
    struct axil_from_sub s_axil;
    struct reg_request bus;
    u8 wunit; /* of what was taken: of a write on the bus, */
    u8 runit; /* of a read */
};

struct maint_axil {
    struct maint_axil_out out;
    struct axil_regs regs;
};

HLS_RESET void maint_axil_reset(struct maint_axil *self);
HLS_MODULE void maint_axil(struct maint_axil *self, const struct maint_axil_in *in);

/* What it asks the bus of maintenance for. */
static inline struct maint_request maint_axil_request(const struct maint_axil_out *axil)
{
    return (struct maint_request){
        .valid = axil->bus.valid,
        .write = axil->bus.write,
        .unit = axil->bus.write ? axil->wunit : axil->runit,
        .addr = axil->bus.addr,
        .wdata = axil->bus.wdata,
    };
}

#endif
