// SPDX-License-Identifier: Apache-2.0
/*
 * A bit of a port, at a variable place and a constant: x[i + 33]. The index is narrower than the port's length takes, as wide,
 * wider, and wider than the numbers of Verilog.
 */
#include "hls.h"

struct bit_at_offset_in {
    u1 line[100];
    u8 octet[20];
    u1 i;
    u2 j;
    u3 k;
    u7 q;
    u64 wide;
    uint(70) vast;
};

struct bit_at_offset_out {
    u1 one[6];
    u8 chosen[4];
    u1 turn;
};

struct bit_at_offset {
    struct bit_at_offset_out out;
};

HLS_RESET void bit_at_offset_reset(struct bit_at_offset *self)
{
    *self = (struct bit_at_offset){0};
}

HLS_MODULE void bit_at_offset(struct bit_at_offset *self, const struct bit_at_offset_in *in)
{
    u1 middle[64], last[3];
    u8 some[8];
    u8 shifted = 0;

    for (int n = 0; n < 64; n++)
        middle[n] = in->line[n + 33];
    for (int n = 0; n < 3; n++)
        last[n] = in->line[n + 97];
    for (int n = 0; n < 8; n++) {
        some[n] = in->octet[n + 7];
        shifted |= (u8)((u8)in->line[n + 19] << n);
    }
    self->out.one[0] = middle[in->i];
    self->out.one[1] = middle[in->j];
    self->out.one[2] = in->j < 3 ? last[in->j] : 0;
    self->out.one[3] = in->q < 64 ? middle[in->q] : 0;
    self->out.one[4] = in->wide < 3 ? last[in->wide] : 0;
    self->out.one[5] = in->vast < 64 ? middle[(u6)in->vast] : 0;
    self->out.chosen[0] = some[in->i];
    self->out.chosen[1] = some[in->k];
    self->out.chosen[2] = in->wide < 8 ? some[in->wide] : 0;
    self->out.chosen[3] = in->vast < 8 ? some[(u6)in->vast & 7] : 0;
    self->out.turn = (u1)(shifted >> in->k);
}
