// SPDX-License-Identifier: Apache-2.0
/*
 * axi_master.c - the two halves of the AXI4 manager, and what of its signals is constant.
 *
 * All outputs are the halves' registers.
 */
#include "axi/axi_master.h"

HLS_RESET void axi_master_reset(struct axi_master *self)
{
    self->out = (struct axi_master_out){
        .m_axi = AXI_FROM_MAN_RESET,
        .room_write = 1,
        .room_read = 1,
    };
    axi_write_reset(&self->write);
    axi_read_reset(&self->read);
}

HLS_MODULE void axi_master(struct axi_master *self, const struct axi_master_in *in)
{
    struct axi_write_in write = {
        .write = in->write,
        .awready = in->m_axi.awready,
        .wready = in->m_axi.wready,
        .bid = in->m_axi.bid,
        .bresp = in->m_axi.bresp,
        .bvalid = in->m_axi.bvalid,
    };
    struct axi_read_in read = {
        .read = in->read,
        .walk = in->walk,
        .arready = in->m_axi.arready,
        .rid = in->m_axi.rid,
        .rdata = in->m_axi.rdata,
        .rresp = in->m_axi.rresp,
        .rlast = in->m_axi.rlast,
        .ruser = in->m_axi.ruser,
        .rvalid = in->m_axi.rvalid,
        .room_reply = in->room_reply,
    };

    axi_write(&self->write, &write);
    axi_read(&self->read, &read);
    self->out.m_axi.awid = self->write.out.aw.id;
    self->out.m_axi.awaddr = self->write.out.aw.addr;
    self->out.m_axi.awlen = self->write.out.aw.len;
    self->out.m_axi.awvalid = self->write.out.aw.valid;
    self->out.m_axi.wdata = self->write.out.wdata;
    self->out.m_axi.wstrb = self->write.out.wstrb;
    self->out.m_axi.wlast = self->write.out.wlast;
    self->out.m_axi.wvalid = self->write.out.wvalid;
    self->out.m_axi.arid = self->read.out.arid;
    self->out.m_axi.araddr = self->read.out.araddr;
    self->out.m_axi.arlen = self->read.out.arlen;
    self->out.m_axi.arvalid = self->read.out.arvalid;
    self->out.done = self->write.out.done;
    self->out.reply = self->read.out.reply;
    self->out.reader = self->read.out.reader;
    self->out.filled = self->read.out.filled;
    self->out.given = self->read.out.given;
    self->out.walk_taken = self->read.out.walk_taken;
    self->out.walked = self->read.out.walked;
    self->out.room_write = self->write.out.room;
    self->out.room_read = self->read.out.room;
    self->out.idle_write = self->write.out.idle;
    self->out.idle_read = self->read.out.idle;
    self->out.write_count = self->write.out.count;
    self->out.read_count = self->read.out.count;
}
