// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_bytes.c - the link for users of bytes: wires between lcb_axis, the packer, the unpacker and the registers' door.
 */
#include "axi/lcb_bytes.h"

HLS_RESET void lcb_bytes_reset(struct lcb_bytes *self)
{
    self->out = (struct lcb_bytes_out){.state = LINK_TRAIN};
    axil_regs_reset(&self->regs);
    byte_pack_reset(&self->pack);
    byte_unpack_reset(&self->unpack);
    lcb_axis_reset(&self->axis);
}

static inline void forward_outputs(struct lcb_bytes *self)
{
    const struct lcb_axis_out *axis = &self->axis.out;

    self->out.s_axis = self->pack.out.s_axis;
    self->out.m_axis = self->unpack.out.m_axis;
    self->out.s_axil = self->regs.out.s_axil;
    for (int lane = 0; lane < LANES; lane++) {
        self->out.tx_lane[lane] = axis->tx_lane[lane];
    }
    self->out.state = axis->state;
    self->out.refused = self->pack.out.refused;
    self->out.report_valid = axis->report_valid;
    self->out.report_bad = axis->report_bad;
    self->out.report_flit = axis->report_flit;
    self->out.peer_now_valid = axis->peer_now_valid;
    self->out.peer_now = axis->peer_now;
    self->out.peer_age = axis->peer_age;
}

HLS_MODULE void lcb_bytes(struct lcb_bytes *self, const struct lcb_bytes_in *in)
{
    struct axil_regs_in regs = {.s_axil = in->s_axil, .bus = self->axis.out.bus};
    struct byte_pack_in pack = {.s_axis = in->s_axis, .flits = self->axis.out.s_axis};
    struct byte_unpack_in unpack = {.flits = self->axis.out.m_axis, .m_axis = in->m_axis};
    struct lcb_axis_in axis = {
        .s_axis = self->pack.out.flits,
        .m_axis = {.tready = unpack_takes(&self->unpack.out, in->m_axis)},
        .rx_lane_valid = in->rx_lane_valid,
        .rx_lane_up = in->rx_lane_up,
        .rx_lane = {in->rx_lane[0], in->rx_lane[1], in->rx_lane[2]},
        .now = in->now,
        .restart = in->restart,
        .bus = self->regs.out.bus,
    };

    axil_regs(&self->regs, &regs);
    byte_pack(&self->pack, &pack);
    byte_unpack(&self->unpack, &unpack);
    lcb_axis(&self->axis, &axis);
    forward_outputs(self);
}
