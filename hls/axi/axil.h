// SPDX-License-Identifier: Apache-2.0
/*
 * axil.h - AXI4-Lite with 64 bits of data, in the conventional signal names (ARM IHI 0022).
 *
 * A member `s_axil` of a module's inputs and one of its outputs flatten to s_axil_awvalid, s_axil_awready and so on.
 */
#ifndef AXIL_H
#define AXIL_H

#include "hls.h"

#define AXI_LITE_BITS 19 /* of an address: bytes of 2^16 registers */

typedef u2 axi_resp;

#define AXI_OKAY   0
#define AXI_SLVERR 2

/* What the host drives ... */
struct axil_to_sub {
    uint(AXI_LITE_BITS) awaddr;
    u1 awvalid;
    u64 wdata;
    u8 wstrb;
    u1 wvalid;
    u1 bready;
    uint(AXI_LITE_BITS) araddr;
    u1 arvalid;
    u1 rready;
};

/* ... and what it sees. */
struct axil_from_sub {
    u1 awready;
    u1 wready;
    axi_resp bresp;
    u1 bvalid;
    u1 arready;
    u64 rdata;
    axi_resp rresp;
    u1 rvalid;
};

/* Of struct axil_from_sub after reset: a request is taken at once. */
#define AXIL_FROM_SUB_RESET {.awready = 1, .wready = 1, .arready = 1}

#endif
