// SPDX-License-Identifier: Apache-2.0
/*
 * ss_chip.c - the chip: wires.
 */
#include "seastar/ss_chip.h"

HLS_RESET void ss_chip_reset(struct ss_chip *self)
{
    self->out = (struct ss_chip_out){
        .s_axi = {.awready = 1, .arready = 1},
        .m_axi = {.bready = 1, .rready = 1},
    };
    ss_router_reset(&self->router);
    for (int l = 0; l < SS_LINKS; l++) {
        ss_link_port_reset(&self->link[l]);
    }
    ss_nic_reset(&self->nic);
}

static inline struct ss_router_in router_inputs(const struct ss_chip *self)
{
    const struct ss_nic_out *nic = &self->nic.out;
    struct ss_router_in router = {
        .partition = (uint(SS_PARTITION_BITS))(nic->node >> SS_INDEX_BITS),
        .age_rr = nic->age_rr,
        .age_period = nic->age_period,
        .write_at = nic->write_at,
        .write = nic->write,
    };

    router.from[0] = nic->to_router;
    for (int l = 0; l < SS_LINKS; l++) {
        router.from[l + 1] = self->link[l].out.to_router;
    }
    return router;
}

HLS_MODULE void ss_chip(struct ss_chip *self, const struct ss_chip_in *in)
{
    struct ss_router_in router = router_inputs(self);
    struct ss_nic_in nic = {
        .s_axi = in->s_axi,
        .m_axi = in->m_axi,
        .s_axil = in->s_axil,
        .from_router = self->router.out.to[0],
    };
    struct ss_link_port_in link[SS_LINKS];

    for (int l = 0; l < SS_LINKS; l++) {
        nic.link[l] = self->link[l].out.bus;
        link[l] = (struct ss_link_port_in){
            .from_router = self->router.out.to[l + 1],
            .cable_in = in->cable_in[l],
            .now = in->now,
            .identity = {.chip = in->chip, .port = (u6)(l + 1)},
            .bus = self->nic.out.link[l],
        };
    }
    ss_router(&self->router, &router);
    for (int l = 0; l < SS_LINKS; l++) {
        ss_link_port(&self->link[l], &link[l]);
        self->out.cable[l] = self->link[l].out.cable;
    }
    ss_nic(&self->nic, &nic);
    self->out.s_axi = self->nic.out.s_axi;
    self->out.m_axi = self->nic.out.m_axi;
    self->out.s_axil = self->nic.out.s_axil;
    self->out.irq = self->nic.out.irq;
}
