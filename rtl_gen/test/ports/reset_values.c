// SPDX-License-Identifier: Apache-2.0
/*
 * reset_values: every kind of register with a reset value of its own: odd widths, signed, bool,
 * enum, wide, arrays by designator and by loop, nested structs. After reset the values are mixed
 * with the inputs, so that a wrong one stays visible.
 */
#include "hls.h"

enum reset_values_mode { RESET_IDLE, RESET_WARM, RESET_HOT, RESET_COLD };

struct reset_values_in {
    u3 slot;
    u13 add;
    u1 go;
};
struct reset_values_out {
    u13 odd;
    sint(7) low;
    bool flag;
    enum reset_values_mode mode;
    uint(100) wide;
    struct {
        u5 a;
        u40 b;
    } pair;
};
struct reset_values {
    struct reset_values_out out;
    u9 squares[8];
    u6 sparse[8];
};

HLS_RESET void reset_values_reset(struct reset_values *self)
{
    *self = (struct reset_values){
        .out = {.odd = 0x1234,
                .low = -21,
                .flag = true,
                .mode = RESET_COLD,
                .wide = (uint(100))0xfedcba9876543210 << 32 | 0x89abcdef,
                .pair = {.a = 19, .b = 0xdeadbeef99}},
        .sparse = {[1] = 11, [6] = 61},
    };
    for (int i = 0; i < 8; i++) {
        self->squares[i] = i * i * 5 + 1;
    }
}

HLS_MODULE void reset_values(struct reset_values *self, const struct reset_values_in *in)
{
    if (!in->go) {
        return;
    }
    self->out.odd ^= in->add + self->squares[in->slot];
    self->out.low = (sint(7))(self->out.low ^ self->sparse[in->slot]);
    self->out.flag = self->out.flag != (in->add & 1);
    self->out.mode = (enum reset_values_mode)((self->out.mode + in->slot) & 3);
    self->out.wide = self->out.wide << 13 | (self->out.wide >> 87 ^ in->add);
    self->out.pair.a += in->slot;
    self->out.pair.b = self->out.pair.b * 5 + in->add;
    self->squares[in->slot] += in->slot;
    self->sparse[7 - in->slot] ^= in->add;
}
