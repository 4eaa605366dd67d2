// SPDX-License-Identifier: Apache-2.0
/*
 * byte_unpack.c - flits become packets of bytes.
 */
#include "axi/byte_unpack.h"

HLS_RESET void byte_unpack_reset(struct byte_unpack *self)
{
    self->out = (struct byte_unpack_out){0};
    self->inside = 0;
    self->end_bytes = 0;
    self->left = 0;
    self->tuser = 0;
    self->rest_twos = 0;
    self->rest = 0;
    self->check = (struct byte_out_check){0};
}

/* What is offered stays until it is taken. */
static inline void keeps_the_rules(struct byte_unpack *self, struct axis_ready m_axis)
{
    const struct byte_beat *beat = &self->out.m_axis;
    const struct byte_out_forward forward = {.tvalid = beat->tvalid,
                                             .tdata = beat->tdata,
                                             .tkeep = beat->tkeep,
                                             .tlast = beat->tlast,
                                             .tuser = beat->tuser};
    const struct byte_out_back back = {.tready = m_axis.tready};
    byte_out_assert(&self->check, &forward, &back);
}

/* Offers a beat with n bytes. */
static inline void offer(struct byte_unpack *self, u64 data, u4 n, u1 last)
{
    self->out.m_axis = (struct byte_beat){
        .tvalid = 1, .tdata = data, .tkeep = keep_of(n), .tlast = last, .tuser = self->tuser};
}

static inline void take_head(struct byte_unpack *self, const struct axis_beat_marked *flit)
{
    u1 empty = flit->tlast;

    self->left = (byte_count)flit->tdata;
    self->tuser = tuser_pack((byte_user)(flit->tdata >> BYTES_BITS), flit->tid,
                             flit->tuser || (empty && self->left != 0));
    self->inside = !empty;
    self->rest_twos = 0;
    self->rest = 0;
    if (empty) {
        offer(self, 0, 0, 1);
    }
}

static inline void take_body(struct byte_unpack *self, const struct axis_beat_marked *flit)
{
    u1 fits = self->left != 0 && self->left <= 6;
    u3 n = flit->tlast && fits ? (u3)self->left : (u3)6;
    u4 total = (u4)(2 * (u4)self->rest_twos + n);
    uint(96) bytes = ((uint(96))flit->tdata << (16 * self->rest_twos)) | self->rest;

    self->tuser |= flit->tuser || (flit->tlast && !fits);
    self->left -= 6;
    if (total >= 8 || flit->tlast) {
        offer(self, (u64)bytes, total < 8 ? total : (u4)8, flit->tlast && total <= 8);
    }
    self->out.ends = flit->tlast && total > 8;
    self->end_bytes = (u3)total;
    self->rest = total >= 8 ? (u48)(bytes >> 64) : (u48)bytes;
    self->rest_twos--;
    self->inside = !flit->tlast;
}

HLS_MODULE void byte_unpack(struct byte_unpack *self, const struct byte_unpack_in *in)
{
    u1 takes = unpack_takes(&self->out, in->m_axis) && in->flits.tvalid;
    u1 taken = !self->out.m_axis.tvalid || in->m_axis.tready;

    keeps_the_rules(self, in->m_axis);
    if (taken) {
        self->out.m_axis.tvalid = 0;
    }
    if (taken && self->out.ends) {
        offer(self, (u64)self->rest, (u4)self->end_bytes, 1);
        self->out.ends = 0;
    } else if (takes && self->inside) {
        take_body(self, &in->flits);
    } else if (takes) {
        take_head(self, &in->flits);
    }
    hls_cover(self->out.ends);
}
