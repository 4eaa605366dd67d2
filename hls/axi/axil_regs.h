// SPDX-License-Identifier: Apache-2.0
/*
 * axil_regs.h - ports and registers of an AXI4-Lite subordinate in front of a register bus: of an LCB, a router or any block with
 * `struct reg_request` and `struct reg_reply`.
 *
 * A register has 64 bits; byte address = 8 x address on the bus. The bus serves one access at a time; a read and a write that
 * wait together take turns. The channels are independent: a B that is held stops no read, an R that is held stops no write.
 * SLVERR: an address that is no multiple of 8 and a write without all eight strobes, neither of which reaches the bus, and what
 * the bus refuses.
 *
 *  clock  0  AW and W, or AR, are taken (AW and W in any order)
 *         1  bus.valid, until bus.ready
 *         +1 BVALID or RVALID, until BREADY or RREADY; the next access on the bus one clock later
 */
#ifndef AXIL_REGS_H
#define AXIL_REGS_H

#include "axi/axil.h"

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
    u1 serves;  /* an access is on the bus, or is refused in this clock */
    u1 writes;  /* its kind, or that of the last one */
    u1 have_aw; /* taken, and not served yet */
    u1 have_w;
    u1 have_ar;
    uint(AXI_LITE_BITS) awaddr;
    uint(AXI_LITE_BITS) araddr;
    u64 wdata;
    u8 wstrb;
};

HLS_RESET void axil_regs_reset(struct axil_regs *self);
HLS_MODULE void axil_regs(struct axil_regs *self, const struct axil_regs_in *in);

#endif
