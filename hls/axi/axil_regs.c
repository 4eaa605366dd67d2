// SPDX-License-Identifier: Apache-2.0
/*
 * axil_regs.c - AXI4-Lite in front of a register bus.
 */
#include "axi/axil_regs.h"

HLS_RESET void axil_regs_reset(struct axil_regs *self)
{
    self->out = (struct axil_regs_out){0};
    self->serves = 0;
    self->writes = 0;
    self->have_aw = 0;
    self->have_w = 0;
    self->have_ar = 0;
    self->awaddr = 0;
    self->araddr = 0;
    self->wdata = 0;
    self->wstrb = 0;
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

/* Begins an access whose answer has a register to stand in: not of the kind that was served last where both can. */
static inline void begin(struct axil_regs *self)
{
    u1 write = self->have_aw && self->have_w && !self->out.s_axil.bvalid;
    u1 read = self->have_ar && !self->out.s_axil.rvalid;
    u1 chosen = write && !(read && self->writes);
    uint(AXI_LITE_BITS) addr = chosen ? self->awaddr : self->araddr;
    u1 whole = (u3)addr == 0 && (!chosen || self->wstrb == 0xFF);

    if (write || read) {
        self->serves = 1;
        self->writes = chosen;
        self->out.bus = (struct reg_request){
            .valid = whole, .write = chosen, .addr = (u16)(addr >> 3), .wdata = self->wdata};
    }
}

/* The answer to what is served, which makes room for the next of its kind; `good`: the bus did it. */
static inline void answer(struct axil_regs *self, u1 good, u64 rdata)
{
    axi_resp resp = good ? (axi_resp)AXI_OKAY : (axi_resp)AXI_SLVERR;

    self->serves = 0;
    self->out.bus.valid = 0;
    if (self->writes) {
        self->have_aw = 0;
        self->have_w = 0;
        self->out.s_axil.bvalid = 1;
        self->out.s_axil.bresp = resp;
    } else {
        self->have_ar = 0;
        self->out.s_axil.rvalid = 1;
        self->out.s_axil.rresp = resp;
        self->out.s_axil.rdata = good ? rdata : (u64)0;
    }
}

HLS_MODULE void axil_regs(struct axil_regs *self, const struct axil_regs_in *in)
{
    u1 refused = !self->out.bus.valid;

    self->out.s_axil.bvalid = self->out.s_axil.bvalid && !in->s_axil.bready;
    self->out.s_axil.rvalid = self->out.s_axil.rvalid && !in->s_axil.rready;
    if (!self->serves) {
        begin(self);
    } else if (refused || in->bus.ready) {
        answer(self, !refused && !in->bus.error, in->bus.rdata);
    }
    take(self, &in->s_axil);
    self->out.s_axil.awready = !self->have_aw;
    self->out.s_axil.wready = !self->have_w;
    self->out.s_axil.arready = !self->have_ar;
    hls_cover(self->out.s_axil.bvalid && self->out.s_axil.rvalid);
    hls_cover(self->out.s_axil.bvalid && self->serves && !self->writes);
    hls_cover(self->out.s_axil.rvalid && self->serves && self->writes);
}
