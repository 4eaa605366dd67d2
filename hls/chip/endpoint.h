// SPDX-License-Identifier: Apache-2.0
/*
 * endpoint.h - ports and registers of an endpoint: a netlink and its NICs, all that a chip has at the processor tiles of
 * its router.
 */
#ifndef ENDPOINT_H
#define ENDPOINT_H

#include "chip/netlink_wires.h"

struct endpoint_in {
    struct axi_to_sub s_axi[NL_NICS];   /* pages and windows of processes */
    struct axi_to_man m_axi[NL_NICS];   /* host memory */
    struct axil_to_sub s_axil[NL_NICS]; /* registers of the NIC */
    struct port_out from_tile[NL_TILES];
    struct global_time time; /* of the device */
    u1 nic_rst[NL_NICS];     /* NIC i is reset alone, and its three AXI ports with it */
    rtr_sub first;           /* constant: `sub` of NIC 0 */
};

struct endpoint_out {
    struct axi_from_sub s_axi[NL_NICS];
    struct axi_from_man m_axi[NL_NICS];
    struct axil_from_sub s_axil[NL_NICS];
    u1 irq[NL_NICS];
    struct port_in to_tile[NL_TILES];
};

struct endpoint {
    struct endpoint_out out;
    struct netlink netlink;
    struct nic nic[NL_NICS];
};

HLS_RESET void endpoint_reset(struct endpoint *self);
HLS_MODULE void endpoint(struct endpoint *self, const struct endpoint_in *in);

#endif
