// SPDX-License-Identifier: Apache-2.0
/*
 * ss_chip.h - ports and registers of the chip: a router, a link port at each of its links and the NIC at port 0.
 */
#ifndef SS_CHIP_H
#define SS_CHIP_H

#include "seastar/link/ss_link_port.h"
#include "seastar/router/ss_router.h"
#include "seastar/ss_nic.h"

struct ss_chip_in {
    struct ss_cable_in cable_in[SS_LINKS]; /* x+, x-, ... */
    struct ss_axi_to_sub s_axi;
    struct ss_axi_to_man m_axi;
    struct axil_to_sub s_axil;
    lcb_time now;
    u16 chip; /* which one of the system this is, for the links; 0: none */
};

struct ss_chip_out {
    struct ss_cable_out cable[SS_LINKS];
    struct ss_axi_from_sub s_axi;
    struct ss_axi_from_man m_axi;
    struct axil_from_sub s_axil;
    u1 irq;
};

struct ss_chip {
    struct ss_chip_out out;
    struct ss_router router;
    struct ss_link_port link[SS_LINKS];
    struct ss_nic nic;
};

HLS_RESET void ss_chip_reset(struct ss_chip *self);
HLS_MODULE void ss_chip(struct ss_chip *self, const struct ss_chip_in *in);

#endif
