// SPDX-License-Identifier: Apache-2.0
/*
 * byte_pack.c - packets of bytes become flits.
 *
 * Three beats of eight bytes are four flits of six. So a flit is made of what is left of one beat and of the next one, and what is
 * left is 0, 2, 4 or 6 bytes.
 */
#include "axi/byte_pack.h"

HLS_RESET void byte_pack_reset(struct byte_pack *self)
{
    self->out = (struct byte_pack_out){0};
    self->written = 0;
    self->whole = 0;
    self->opened = 0;
    self->refuses = 0;
    self->bad = 0;
    self->third = 0;
    self->flits = 0;
    self->bytes = 0;
    self->tuser = 0;
    self->recorded = 0;
    self->read = 0;
    self->begun = 0;
    self->left = 0;
    self->beats_left = 0;
    self->marks = 0;
    self->rest_twos = 0;
    self->rest = 0;
}

/* ---- packets come in ---------------------------------------------------------------------------- */

static inline u4 bytes_of(u8 keep)
{
    u4 n = 0;

    for (int i = 0; i < 8; i++) {
        n += (u1)(keep >> i);
    }
    return n;
}

static inline u64 kept(u64 data, u8 keep)
{
    u64 mask = 0;

    for (int i = 0; i < 8; i++) {
        mask |= (u1)(keep >> i) ? (u64)0xFF << (8 * i) : (u64)0;
    }
    return data & mask;
}

/* Flits that n bytes more need, behind `third` whole beats modulo 3. */
static inline u2 flits_more(u2 third, u4 n)
{
    switch (third) {
    case 0:
        return (u2)((u2)(n != 0) + (n > 6));
    case 1:
        return n > 4;
    default:
        return n > 2;
    }
}

/* The next packet begins with the next beat. */
static inline void forget(struct byte_pack *self)
{
    self->opened = 0;
    self->refuses = 0;
    self->bad = 0;
    self->third = 0;
    self->flits = 0;
    self->bytes = 0;
}

static inline void close(struct byte_pack *self)
{
    if (!self->refuses) {
        self->record[(pack_packet)self->recorded] =
            (pack_record)(((pack_record)tuser_pack(tuser_user(self->tuser), tuser_vc(self->tuser),
                                                   self->bad)
                           << (BYTES_BITS + 4)) |
                          ((pack_record)self->flits << BYTES_BITS) | self->bytes);
        self->recorded++;
        self->whole = self->written;
    }
    self->out.refused = self->refuses;
    forget(self);
}

static inline void gather(struct byte_pack *self, const struct byte_beat *beat)
{
    u1 take = beat->tvalid && self->out.s_axis.tready;
    u4 n = bytes_of(beat->tkeep);
    u1 framed = beat->tkeep == keep_of(n) && (beat->tlast || n == 8);
    u5 flits = (u5)((u5)self->flits + flits_more(self->third, n));

    self->out.refused = 0;
    if (take) {
        self->tuser = self->opened ? self->tuser : beat->tuser;
        self->opened = 1;
        self->bad |= tuser_bad(beat->tuser);
        self->refuses |= !framed || flits > 15;
        self->flits = (u4)flits;
        self->bytes += n;
        self->third = self->third == 2 ? (u2)0 : (u2)(self->third + 1);
        if (n != 0) {
            self->beat[(pack_place)self->written] = kept(beat->tdata, beat->tkeep);
        }
        self->written = self->refuses ? self->whole : (pack_place_count)(self->written + (n != 0));
        if (beat->tlast) {
            close(self);
        }
    }
    self->out.s_axis.tready =
        (pack_place_count)(self->written - self->read) != 1 << PACK_BEATS_LOG2 &&
        (pack_packet_count)(self->recorded - self->begun) != 1 << PACK_PACKETS_LOG2;
}

/* ---- flits go out ------------------------------------------------------------------------------- */

static inline void send_head(struct byte_pack *self, pack_record record)
{
    byte_count bytes = (byte_count)record;
    u4 flits = (u4)(record >> BYTES_BITS);
    byte_tuser tuser = (byte_tuser)(record >> (BYTES_BITS + 4));

    self->out.flits = (struct axis_beat){
        .tvalid = 1,
        .tdata = (u48)(((u48)tuser_vc(tuser) << 45) | ((u48)(u4)(flits + 1) << 41) |
                       ((u48)tuser_user(tuser) << BYTES_BITS) | bytes),
        .tlast = flits == 0,
        .tuser = tuser_bad(tuser),
    };
    self->marks = tuser_bad(tuser);
    self->left = flits;
    self->beats_left = (u4)((u8)(bytes + 7) >> 3);
    self->rest_twos = 0;
    self->rest = 0;
    self->begun++;
}

static inline void send_body(struct byte_pack *self, u64 next)
{
    u1 fetches = self->rest_twos != 3 && self->beats_left != 0;
    u64 beat = fetches ? next : (u64)0;
    uint(112) bytes = ((uint(112))beat << (16 * self->rest_twos)) | self->rest;

    self->out.flits = (struct axis_beat){
        .tvalid = 1, .tdata = (u48)bytes, .tlast = self->left == 1, .tuser = self->marks};
    self->rest = (u48)(bytes >> 48);
    self->rest_twos++;
    self->read += fetches;
    self->beats_left -= fetches;
    self->left--;
}

HLS_MODULE void byte_pack(struct byte_pack *self, const struct byte_pack_in *in)
{
    u64 next = self->beat[(pack_place)self->read];
    pack_record record = self->record[(pack_packet)self->begun];
    u1 free = !self->out.flits.tvalid || in->flits.tready;

    if (free && self->left != 0) {
        send_body(self, next);
    } else if (free && self->begun != self->recorded) {
        send_head(self, record);
    } else if (free) {
        self->out.flits.tvalid = 0;
    }
    gather(self, &in->s_axis);
    hls_cover(self->out.refused);
    hls_cover(self->out.flits.tvalid && self->out.flits.tlast);
}
