// SPDX-License-Identifier: Apache-2.0
/*
 * endpoint.c - a netlink and its NICs: wires.
 */
#include "chip/endpoint.h"

HLS_RESET void endpoint_reset(struct endpoint *self)
{
    self->out = (struct endpoint_out){};
    netlink_reset(&self->netlink);
    for (int t = 0; t < NL_TILES; t++) {
        self->out.to_tile[t].ready = 1;
    }
    for (int i = 0; i < NL_NICS; i++) {
        self->out.m_axi[i] = (struct axi_from_man)AXI_FROM_MAN_RESET;
        self->out.s_axil[i] = (struct axil_from_sub)AXIL_FROM_SUB_RESET;
        nic_reset(&self->nic[i]);
    }
}

static inline void forward(struct endpoint *self)
{
    for (int t = 0; t < NL_TILES; t++) {
        self->out.to_tile[t] = self->netlink.out.to_tile[t];
    }
    for (int i = 0; i < NL_NICS; i++) {
        self->out.s_axi[i] = self->nic[i].out.s_axi;
        self->out.m_axi[i] = self->nic[i].out.m_axi;
        self->out.s_axil[i] = self->nic[i].out.s_axil;
        self->out.irq[i] = self->nic[i].out.irq;
    }
}

HLS_MODULE void endpoint(struct endpoint *self, const struct endpoint_in *in)
{
    struct netlink_in to_netlink = {.first = in->first};
    struct nic_in to_nic[NL_NICS];

    for (int t = 0; t < NL_TILES; t++) {
        to_netlink.from_tile[t] = in->from_tile[t];
    }
    for (int i = 0; i < NL_NICS; i++) {
        to_netlink.from_nic[i] = netlink_of(&self->nic[i].out, in->nic_rst[i]);
        to_nic[i] = nic_of(&self->netlink.out, i);
        to_nic[i].rst = in->nic_rst[i];
        to_nic[i].s_axi = in->s_axi[i];
        to_nic[i].m_axi = in->m_axi[i];
        to_nic[i].s_axil = in->s_axil[i];
        to_nic[i].time = in->time;
    }
    netlink(&self->netlink, &to_netlink);
    for (int i = 0; i < NL_NICS; i++) {
        nic(&self->nic[i], &to_nic[i]);
    }
    forward(self);
}
