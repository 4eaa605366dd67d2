// SPDX-License-Identifier: Apache-2.0
/*
 * maint_axil.c - the units of addresses that axil_regs takes, kept until it has served them.
 */
#include "chip/maint/maint_axil.h"

HLS_RESET void maint_axil_reset(struct maint_axil *self)
{
    self->out = (struct maint_axil_out){};
    axil_regs_reset(&self->regs);
}

HLS_MODULE void maint_axil(struct maint_axil *self, const struct maint_axil_in *in)
{
    const struct axil_to_sub *axi = &in->s_axil;
    struct axil_regs_in regs = {
        .s_axil = *axi,
        .bus = {.ready = in->bus.ready, .error = in->bus.error, .rdata = in->bus.rdata},
    };

    if (self->regs.out.s_axil.awready && axi->awvalid) {
        self->out.wunit = in->awunit;
    }
    if (self->regs.out.s_axil.arready && axi->arvalid) {
        self->out.runit = in->arunit;
    }
    axil_regs(&self->regs, &regs);
    self->out.s_axil = self->regs.out.s_axil;
    self->out.bus = self->regs.out.bus;
}
