// SPDX-License-Identifier: Apache-2.0
/*
 * axi_stream: a skid buffer with registered ready: ports of one prefix in both directions
 * (s_axis_tdata in, s_axis_tready out), declared in a header.
 */
#include "axi_stream.h"

HLS_RESET void axi_stream_reset(struct axi_stream *self)
{
    *self = (struct axi_stream){0};
}

HLS_MODULE void axi_stream(struct axi_stream *self, const struct axi_stream_in *in)
{
    bool taken = in->s_axis.tvalid && self->out.s_axis.tready;
    if (self->out.m_axis.tvalid && !in->m_axis.tready) {
        if (taken) {
            self->spare = in->s_axis;
        }
    } else {
        self->out.frames += self->out.m_axis.tvalid && self->out.m_axis.tlast;
        if (self->spare.tvalid) {
            self->out.m_axis = self->spare;
            self->spare.tvalid = 0;
        } else {
            self->out.m_axis = in->s_axis;
            self->out.m_axis.tvalid = taken;
        }
    }
    self->out.s_axis.tready = !self->spare.tvalid;
}
