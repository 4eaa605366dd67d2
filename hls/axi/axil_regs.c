// SPDX-License-Identifier: Apache-2.0
/*
 * axil_regs.c - AXI4-Lite in front of a register bus.
 */
#include "axi/axil_regs.h"

HLS_RESET void axil_regs_reset(struct axil_regs *self)
{
    self->out = (struct axil_regs_out){0};
    self->step = AXIL_WAITS;
    self->have_aw = 0;
    self->have_w = 0;
    self->have_ar = 0;
    self->awaddr = 0;
    self->araddr = 0;
    self->wdata = 0;
    self->wstrb = 0;
    self->writes = 0;
}

static inline void take(struct axil_regs *self, const struct axil_to_sub *axi)
{
    if (self->out.s_axil.awready && axi->awvalid) {
        self->awaddr = axi->awaddr;
        self->have_aw = 1;
    }
    if (self->out.s_axil.wready && axi->wvalid) {
        self->wdata = axi->wdata;
        self->wstrb = axi->wstrb;
        self->have_w = 1;
    }
    if (self->out.s_axil.arready && axi->arvalid) {
        self->araddr = axi->araddr;
        self->have_ar = 1;
    }
}

/* The answer to what is served; `good`: it was an access. */
static inline void answer(struct axil_regs *self, u1 good, u64 rdata)
{
    axi_resp resp = good ? (axi_resp)AXI_OKAY : (axi_resp)AXI_SLVERR;

    self->step = AXIL_ANSWERS;
    if (self->writes) {
        self->out.s_axil.bvalid = 1;
        self->out.s_axil.bresp = resp;
    } else {
        self->out.s_axil.rvalid = 1;
        self->out.s_axil.rresp = resp;
        self->out.s_axil.rdata = good ? rdata : (u64)0;
    }
}

/* Begins an access, if one waits: not the kind that was served last where both do. */
static inline void begin(struct axil_regs *self)
{
    u1 write = self->have_aw && self->have_w;
    u1 chosen = write && !(self->have_ar && self->writes);
    uint(AXI_LITE_BITS) addr = chosen ? self->awaddr : self->araddr;
    u1 good = (u3)addr == 0 && (!chosen || self->wstrb == 0xFF);

    if (write || self->have_ar) {
        self->writes = chosen;
        self->out.bus = (struct reg_request){
            .valid = good, .write = chosen, .addr = (u16)(addr >> 3), .wdata = self->wdata};
        self->step = AXIL_ASKS;
    }
}

/* What was served makes room for the next of its kind. */
static inline void end(struct axil_regs *self)
{
    self->out.s_axil.bvalid = 0;
    self->out.s_axil.rvalid = 0;
    self->have_aw = self->have_aw && !self->writes;
    self->have_w = self->have_w && !self->writes;
    self->have_ar = self->have_ar && self->writes;
    self->step = AXIL_WAITS;
}

HLS_MODULE void axil_regs(struct axil_regs *self, const struct axil_regs_in *in)
{
    switch (self->step) {
    case AXIL_WAITS:
        begin(self);
        break;
    case AXIL_ASKS:
        if (!self->out.bus.valid) {
            answer(self, 0, 0);
        } else if (in->bus.ready) {
            self->out.bus.valid = 0;
            answer(self, 1, in->bus.rdata);
        }
        break;
    case AXIL_ANSWERS:
        if (self->writes ? in->s_axil.bready : in->s_axil.rready) {
            end(self);
        }
        break;
    }
    take(self, &in->s_axil);
    self->out.s_axil.awready = !self->have_aw;
    self->out.s_axil.wready = !self->have_w;
    self->out.s_axil.arready = !self->have_ar;
    hls_cover(self->step == AXIL_ANSWERS && self->writes);
    hls_cover(self->step == AXIL_ANSWERS && !self->writes);
}
