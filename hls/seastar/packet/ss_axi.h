// SPDX-License-Identifier: Apache-2.0
/*
 * ss_axi.h - the host's side of the NIC: AXI4 with 64 bits of data, in the conventional signal names (ARM IHI 0022).
 *
 * As a manager of host memory the NIC makes bursts of one beat, with one ID each way, so answers come in the order of requests.
 */
#ifndef SS_AXI_H
#define SS_AXI_H

#include "seastar/packet/ss_tables.h"

#define SS_AXI_OKAY   0
#define SS_AXI_SLVERR 2
#define SS_AXI_INCR   1
#define SS_AXI_SIZE   3                        /* 8 bytes a beat */
#define SS_PAGE_BITS  (12 + SS_PROCESSES_LOG2) /* of an address: pages of 4 KB */

/* What a manager drives, with addresses of a type, ... */
#define SS_AXI_DRIVEN(address)                                                                     \
    u4 awid;                                                                                       \
    address awaddr;                                                                                \
    u8 awlen;                                                                                      \
    u3 awsize;                                                                                     \
    u2 awburst;                                                                                    \
    u1 awvalid;                                                                                    \
    u64 wdata;                                                                                     \
    u8 wstrb;                                                                                      \
    u1 wlast;                                                                                      \
    u1 wvalid;                                                                                     \
    u1 bready;                                                                                     \
    u4 arid;                                                                                       \
    address araddr;                                                                                \
    u8 arlen;                                                                                      \
    u3 arsize;                                                                                     \
    u2 arburst;                                                                                    \
    u1 arvalid;                                                                                    \
    u1 rready

/* ... and what it sees. */
#define SS_AXI_SEEN                                                                                \
    u1 awready;                                                                                    \
    u1 wready;                                                                                     \
    u4 bid;                                                                                        \
    u2 bresp;                                                                                      \
    u1 bvalid;                                                                                     \
    u1 arready;                                                                                    \
    u4 rid;                                                                                        \
    u64 rdata;                                                                                     \
    u2 rresp;                                                                                      \
    u1 rlast;                                                                                      \
    u1 rvalid

/* Subordinate: pages of mailboxes. */
struct ss_axi_to_sub {
    SS_AXI_DRIVEN(uint(SS_PAGE_BITS));
};

struct ss_axi_from_sub {
    SS_AXI_SEEN;
};

/* Manager of host memory. */
struct ss_axi_from_man {
    SS_AXI_DRIVEN(u48);
};

struct ss_axi_to_man {
    SS_AXI_SEEN;
};

#endif
