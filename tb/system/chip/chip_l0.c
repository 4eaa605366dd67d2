// SPDX-License-Identifier: Apache-2.0
/*
 * chip_l0.c - an AXI4-Lite manager; chip_l0.h.
 */
#include "tb/system/chip/chip_l0.h"

#if DEV_MAINT

void chip_l0_ask(struct chip_l0 *l, bool write, unsigned unit, unsigned address, uint64_t data)
{
    *l = (struct chip_l0){.busy = true,
                          .write = write,
                          .aw = write,
                          .w = write,
                          .ar = !write,
                          .unit = unit,
                          .address = address,
                          .data = data};
}

void chip_l0_drive(struct chip_l0 *l, struct chip_in *in, const struct chip_out *out)
{
    const struct axil_from_sub *from = &out->l0;
    const unsigned address = l->address << 3 | l->byte;

    if (l->busy && (l->write ? from->bvalid : from->rvalid)) {
        l->busy = false;
        l->error = (l->write ? from->bresp : from->rresp) != 0;
        l->data = l->write ? l->data : from->rdata;
    }
    in->l0 = (struct axil_to_sub){.awaddr = (uint(AXI_LITE_BITS))address,
                                  .awvalid = l->aw,
                                  .wdata = l->data,
                                  .wstrb = 0xFF,
                                  .wvalid = l->w,
                                  .bready = 1,
                                  .araddr = (uint(AXI_LITE_BITS))address,
                                  .arvalid = l->ar,
                                  .rready = 1};
    in->l0_awunit = (u8)l->unit;
    in->l0_arunit = (u8)l->unit;
    l->aw = l->aw && !from->awready;
    l->w = l->w && !from->wready;
    l->ar = l->ar && !from->arready;
}

#endif
