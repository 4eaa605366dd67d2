// SPDX-License-Identifier: Apache-2.0
/*
 * chip.c - a device, its netlinks and its NICs: wires.
 */
#include "chip/chip.h"

HLS_RESET void chip_reset(struct chip *self)
{
    self->out = (struct chip_out){};
    device_reset(&self->device);
#if DEV_MAINT
    maint_axil_reset(&self->l0);
#endif
    for (int i = 0; i < RTR_LINKS; i++) {
        self->out.status[i].state = LINK_TRAIN;
    }
    for (int k = 0; k < NL_COUNT; k++) {
        netlink_reset(&self->netlink[k]);
    }
    for (int i = 0; i < CHIP_NICS; i++) {
        self->out.m_axi[i] = (struct axi_from_man)AXI_FROM_MAN_RESET;
        self->out.s_axil[i] = (struct axil_from_sub)AXIL_FROM_SUB_RESET;
        nic_reset(&self->nic[i]);
    }
}

static inline struct device_in to_device(const struct chip *self, const struct chip_in *in)
{
    struct device_in to = {.chip = in->number};

#if DEV_MAINT
    to.nics_quiet = 1;
    for (int i = 0; i < CHIP_NICS; i++) {
        to.nics_quiet &= self->nic[i].out.quiet;
    }
    to.maint = maint_axil_request(&self->l0.out);
#else
    to.bus = in->bus;
#endif
#if !LCB_PACKET
    to.clock_bus = in->clock_bus;
#endif
    for (int i = 0; i < RTR_LINKS; i++) {
        to.cable_in[i] = in->cable_in[i];
#if !DEV_MAINT
        to.manage[i] = in->manage[i];
#endif
    }
    for (int t = 0; t < DEV_PROCESSORS; t++) {
        to.from_processor[t] = self->netlink[t / NL_TILES].out.to_tile[t % NL_TILES];
    }
    return to;
}

static inline struct netlink_in to_netlink(const struct chip *self, const struct chip_in *in, int k)
{
    struct netlink_in to = {.first = (rtr_sub)(k * NL_NICS)};

    for (int n = 0; n < NL_NICS; n++) {
        to.from_nic[n] = netlink_of(&self->nic[k * NL_NICS + n].out, in->nic_rst[k * NL_NICS + n]);
    }
    for (int t = 0; t < NL_TILES; t++) {
        to.from_tile[t] = self->device.out.to_processor[k * NL_TILES + t];
    }
    return to;
}

static inline struct nic_in to_nic(const struct chip *self, const struct chip_in *in, int i)
{
    struct nic_in to = nic_of(&self->netlink[i / NL_NICS].out, i % NL_NICS);

#if DEV_MAINT
    to.room_request &= !self->device.out.quiesce;
#endif
    to.rst = in->nic_rst[i];
    to.s_axi = in->s_axi[i];
    to.m_axi = in->m_axi[i];
    to.s_axil = in->s_axil[i];
    to.time = (struct global_time){.now = self->device.out.time.now,
                                   .pulse = self->device.out.time.pulse,
                                   .stepped = self->device.out.time.stepped,
                                   .holdover = self->device.out.time.holdover};
    return to;
}

static inline void forward(struct chip *self)
{
#if DEV_MAINT
    self->out.l0 = self->l0.out.s_axil;
    self->out.l0_irq = self->device.out.irq;
#else
    self->out.bus = self->device.out.bus;
#endif
#if !LCB_PACKET
    self->out.clock_bus = self->device.out.clock_bus;
#endif
    self->out.time = self->device.out.time;
    for (int i = 0; i < RTR_LINKS; i++) {
        self->out.cable[i] = self->device.out.cable[i];
        self->out.status[i] = self->device.out.status[i];
    }
    for (int i = 0; i < CHIP_NICS; i++) {
        self->out.s_axi[i] = self->nic[i].out.s_axi;
        self->out.m_axi[i] = self->nic[i].out.m_axi;
        self->out.s_axil[i] = self->nic[i].out.s_axil;
        self->out.irq[i] = self->nic[i].out.irq;
    }
}

HLS_MODULE void chip(struct chip *self, const struct chip_in *in)
{
    struct device_in device_wires = to_device(self, in);
    struct netlink_in netlink_wires[NL_COUNT];
    struct nic_in nic_wires[CHIP_NICS];

    for (int k = 0; k < NL_COUNT; k++) {
        netlink_wires[k] = to_netlink(self, in, k);
    }
    for (int i = 0; i < CHIP_NICS; i++) {
        nic_wires[i] = to_nic(self, in, i);
    }
#if DEV_MAINT
    struct maint_axil_in l0 = {.s_axil = in->l0,
                               .awunit = in->l0_awunit,
                               .arunit = in->l0_arunit,
                               .bus = self->device.out.maint};

    maint_axil(&self->l0, &l0);
#endif
    device(&self->device, &device_wires);
    for (int k = 0; k < NL_COUNT; k++) {
        netlink(&self->netlink[k], &netlink_wires[k]);
    }
    for (int i = 0; i < CHIP_NICS; i++) {
        nic(&self->nic[i], &nic_wires[i]);
    }
    forward(self);
}
