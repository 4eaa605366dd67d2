// SPDX-License-Identifier: Apache-2.0
/*
 * chip.h - ports and registers of a whole chip: a device, its netlinks and its NICs.
 *
 * NIC i is `sub` i of the chip's node. What its host sees are elements i of s_axi, m_axi, s_axil and irq: one vector per
 * signal, NIC 0 at the low end. Tiles of netlink k are the NL_TILES ports from the k * NL_TILES-th processor port on.
 */
#ifndef CHIP_H
#define CHIP_H

#include "chip/device.h"
#include "chip/netlink_wires.h"
#if DEV_MAINT
#include "chip/maint/maint_axil.h"
#endif

#define CHIP_NICS (NL_COUNT * NL_NICS)

#if NL_COUNT * NL_TILES != DEV_PROCESSORS
#error "config: the processor ports of the router are NL_COUNT netlinks of NL_TILES tiles"
#endif
#if CHIP_NICS > 1 << RTR_SUB_BITS
#error "config: more NICs than the head of a packet can name"
#endif

struct chip_in {
    struct cable_in cable_in[RTR_LINKS];
#if DEV_MAINT
    struct axil_to_sub l0; /* of the controller beside the chip (maint/maint_axil.h) */
    u8 l0_awunit;
    u8 l0_arunit;
#else
    struct link_manage manage[RTR_LINKS];
    struct reg_request bus; /* of the router */
#endif
#if !LCB_PACKET
    struct reg_request clock_bus; /* of the global clock */
#endif
    u16 number;                           /* which one of the system this is, 0 for none */
    struct axi_to_sub s_axi[CHIP_NICS];   /* pages and windows of processes */
    struct axi_to_man m_axi[CHIP_NICS];   /* host memory */
    struct axil_to_sub s_axil[CHIP_NICS]; /* registers of the NIC */
    u1 nic_rst[CHIP_NICS]; /* NIC i is reset alone, and its three AXI ports with it */
};

struct chip_out {
    struct cable_out cable[RTR_LINKS];
    struct link_status status[RTR_LINKS];
#if DEV_MAINT
    struct axil_from_sub l0;
    u1 l0_irq; /* of the supervisor */
#else
    struct reg_reply bus;
#endif
#if !LCB_PACKET
    struct reg_reply clock_bus;
#endif
    struct device_time time;
    struct axi_from_sub s_axi[CHIP_NICS];
    struct axi_from_man m_axi[CHIP_NICS];
    struct axil_from_sub s_axil[CHIP_NICS];
    u1 irq[CHIP_NICS];
};

struct chip {
    struct chip_out out;
    struct device device;
#if DEV_MAINT
    struct maint_axil l0;
#endif
    struct netlink netlink[NL_COUNT];
    struct nic nic[CHIP_NICS];
};

HLS_RESET void chip_reset(struct chip *self);
HLS_MODULE void chip(struct chip *self, const struct chip_in *in);

#endif
