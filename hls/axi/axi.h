// SPDX-License-Identifier: Apache-2.0
/*
 * axi.h - the host's side of a NIC: AXI4 (AXI4-Lite is in axi/axil.h), in the conventional signal names (ARM IHI 0022).
 *
 * A member `s_axi` of a module's inputs and one of its outputs flatten to s_axi_awvalid, s_axi_awready and so on. All
 * outputs are registers, ready signals too.
 */
#ifndef AXI_H
#define AXI_H

#include "axi/axil.h"
#include "axi/memory.h"

#define AXI_ID_BITS  4
#define AXI_BAR_BITS (2 + NIC_FMA_LOG2 + NIC_WINDOW_LOG2) /* pages and windows of a NIC, in bytes */

typedef uint(AXI_ID_BITS) axi_id;

#define AXI_INCR   1
#define AXI_SIZE16 4 /* 16 bytes a beat */

/* What a manager drives, with addresses of a type, ... */
#define AXI_DRIVEN(address)                                                                        \
    axi_id awid;                                                                                   \
    address awaddr;                                                                                \
    u8 awlen;                                                                                      \
    u3 awsize;                                                                                     \
    u2 awburst;                                                                                    \
    u1 awvalid;                                                                                    \
    beat_data wdata;                                                                               \
    u16 wstrb;                                                                                     \
    u1 wlast;                                                                                      \
    u1 wvalid;                                                                                     \
    u1 bready;                                                                                     \
    axi_id arid;                                                                                   \
    address araddr;                                                                                \
    u8 arlen;                                                                                      \
    u3 arsize;                                                                                     \
    u2 arburst;                                                                                    \
    u1 arvalid;                                                                                    \
    u1 rready

/* ... and what it sees. */
#define AXI_SEEN                                                                                   \
    u1 awready;                                                                                    \
    u1 wready;                                                                                     \
    axi_id bid;                                                                                    \
    axi_resp bresp;                                                                                \
    u1 bvalid;                                                                                     \
    u1 arready;                                                                                    \
    axi_id rid;                                                                                    \
    beat_data rdata;                                                                               \
    axi_resp rresp;                                                                                \
    u1 rlast;                                                                                      \
    u1 rvalid

/* Subordinate: pages and windows of the NIC. */
struct axi_to_sub {
    AXI_DRIVEN(uint(AXI_BAR_BITS));
};

struct axi_from_sub {
    AXI_SEEN;
};

/* Manager of host memory: IDs are enum mem_client. */
struct axi_from_man {
    AXI_DRIVEN(u48);
};

struct axi_to_man {
    AXI_SEEN;
    u1 ruser; /* the data is known to be wrong (poison); 0 where the host has no such signal */
};

/* Of struct axi_from_man after reset: what never changes, and that answers are always taken. */
#define AXI_FROM_MAN_RESET                                                                         \
    {                                                                                              \
        .awsize = AXI_SIZE16,                                                                      \
        .awburst = AXI_INCR,                                                                       \
        .bready = 1,                                                                               \
        .arsize = AXI_SIZE16,                                                                      \
        .arburst = AXI_INCR,                                                                       \
        .rready = 1,                                                                               \
    }

#endif
