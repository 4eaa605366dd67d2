// SPDX-License-Identifier: Apache-2.0
/*
 * keep_wide: HLS_KEEP functions on wide, boolean, signed and enumerated values, called from a
 * helper and in a loop.
 */
#include "hls.h"

enum keep_wide_mode { FOLD_XOR, FOLD_ADD, FOLD_OR, FOLD_AND };

struct keep_wide_in {
    uint(192) line;
    enum keep_wide_mode mode;
    bool swap;
    sint(6) offset;
};
struct keep_wide_out {
    uint(96) folded;
    bool parity[4];
    sint(12) sum;
    uint(130) joined;
    enum keep_wide_mode last;
};
struct keep_wide {
    struct keep_wide_out out;
};

HLS_KEEP static uint(96) keep_wide_fold(uint(192) x, enum keep_wide_mode mode, bool swap)
{
    uint(96) high = (uint(96))(x >> (swap ? 0 : 96));
    uint(96) low = (uint(96))(x >> (swap ? 96 : 0));
    switch (mode) {
    case FOLD_XOR:
        return high ^ low << 1;
    case FOLD_ADD:
        return high + (low >> 3);
    case FOLD_OR:
        return high | low;
    default:
        return high & ~low;
    }
}

HLS_KEEP static bool keep_wide_parity(u24 x)
{
    bool odd = false;
    for (int i = 0; i < 24; i++) {
        odd ^= x >> i & 1;
    }
    return odd;
}

HLS_KEEP static sint(12) keep_wide_scale(sint(6) x, bool twice)
{
    return twice ? x * 2 - 1 : -(int)x;
}

HLS_KEEP static uint(130) keep_wide_join(sint(70) a, uint(192) b, u3 turn)
{
    return (uint(130))a << turn ^ (uint(130))(b >> 62);
}

HLS_KEEP static enum keep_wide_mode keep_wide_next(enum keep_wide_mode mode, bool up)
{
    return (enum keep_wide_mode)((up ? mode + 1 : mode + 3) & 3);
}

static uint(96) fold_again(uint(96) x, const struct keep_wide_in *in)
{
    return keep_wide_fold((uint(192))x << 48 | in->line >> 100, FOLD_ADD, !in->swap);
}

HLS_RESET void keep_wide_reset(struct keep_wide *self)
{
    *self = (struct keep_wide){.out.folded = 1};
}

HLS_MODULE void keep_wide(struct keep_wide *self, const struct keep_wide_in *in)
{
    self->out.folded ^= fold_again(keep_wide_fold(in->line, in->mode, in->swap), in);
    for (int i = 0; i < 4; i++) {
        self->out.parity[i] ^= keep_wide_parity((u24)(self->out.folded >> 24 * i));
    }
    self->out.joined ^= keep_wide_join((sint(70))self->out.folded, in->line, (u3)in->offset);
    self->out.last = keep_wide_next(self->out.last, in->swap);
    self->out.sum = (sint(12))((u12)self->out.sum + (u12)keep_wide_scale(in->offset, in->swap));
}
