// SPDX-License-Identifier: Apache-2.0
/*
 * ss_nic.h - ports and registers of the NIC: mailboxes, what sends and receives, ring, the way to host memory, registers.
 */
#ifndef SS_NIC_H
#define SS_NIC_H

#include "axi/axil_regs.h"
#include "seastar/dma/ss_dma.h"
#include "seastar/host/ss_mail.h"
#include "seastar/host/ss_regs.h"
#include "seastar/host/ss_ring.h"
#include "seastar/portals/ss_engine.h"

struct ss_nic_in {
    struct ss_axi_to_sub s_axi;
    struct ss_axi_to_man m_axi;
    struct axil_to_sub s_axil;
    struct ss_port_out from_router;
    struct reg_reply link[SS_LINKS];
};

struct ss_nic_out {
    struct ss_axi_from_sub s_axi;
    struct ss_axi_from_man m_axi;
    struct axil_from_sub s_axil;
    u1 irq;
    struct ss_port_in to_router;
    struct reg_request link[SS_LINKS];
    ss_node node;
    ss_ports write_at;
    struct ss_route_write write;
    u16 age_period;
    u64 age_rr;
};

struct ss_nic {
    struct ss_nic_out out;
    struct ss_mail mail;
    struct ss_dma dma;
    struct ss_engine engine;
    struct ss_ring ring;
    struct ss_regs regs;
    struct axil_regs axil;
};

HLS_RESET void ss_nic_reset(struct ss_nic *self);
HLS_MODULE void ss_nic(struct ss_nic *self, const struct ss_nic_in *in);

#endif
