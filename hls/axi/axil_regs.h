// SPDX-License-Identifier: Apache-2.0
/*
 * axil_regs.h - ports and registers of an AXI4-Lite door in front of a register bus: of an LCB, a router or whatever else has
 * `struct reg_request` and `struct reg_reply`.
 *
 * A register has 64 bits; byte address = 8 x address on the bus. One access at a time, a read and a write that wait
 * together take turns. SLVERR, and no access: an address that is no multiple of 8, a write without all eight strobes.
 *
 *  clock  0  AW and W, or AR, are taken (AW and W in any order)
 *         1  bus.valid, until bus.ready
 *         +1 BVALID or RVALID, until BREADY or RREADY
 */
#ifndef AXIL_REGS_H
#define AXIL_REGS_H

#include "axi/axil.h"

enum axil_step { AXIL_WAITS, AXIL_ASKS, AXIL_ANSWERS };

struct axil_regs_in {
    struct axil_to_sub s_axil;
    struct reg_reply bus;
};

struct axil_regs_out {
    struct axil_from_sub s_axil;
    struct reg_request bus; /* held until the reply comes */
};

struct axil_regs {
    struct axil_regs_out out;
    enum axil_step step;
    u1 have_aw; /* taken, and not served yet */
    u1 have_w;
    u1 have_ar;
    uint(AXI_LITE_BITS) awaddr;
    uint(AXI_LITE_BITS) araddr;
    u64 wdata;
    u8 wstrb;
    u1 writes; /* what is served, or was served last */
};

HLS_RESET void axil_regs_reset(struct axil_regs *self);
HLS_MODULE void axil_regs(struct axil_regs *self, const struct axil_regs_in *in);

#endif
