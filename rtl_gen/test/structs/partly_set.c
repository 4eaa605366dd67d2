// SPDX-License-Identifier: Apache-2.0
/*
 * partly_set: arrays and structs of which some elements are set, under a condition, and used under the same one or a
 * narrower one.
 */
#include "hls.h"

struct partly_set_in {
    u1 c, d;
    u3 kind;
    u8 x;
    u16 y;
};
struct partly_set_out {
    u8 second;
    u16 member;
    u8 both;
    u1 flag;
    u8 chosen;
};
struct partly_set {
    struct partly_set_out out;
};

HLS_RESET void partly_set_reset(struct partly_set *self)
{
    *self = (struct partly_set){0};
}

HLS_MODULE void partly_set(struct partly_set *self, const struct partly_set_in *in)
{
    u8 r[2], kinds[4];
    u1 flag[3];
    struct {
        u16 part[2];
        u8 other;
    } s;

    if (in->c) {
        r[1] = in->x;
        s.part[0] = in->y;
        flag[2] = in->x == 7;
    }
    if (in->c) {
        self->out.second = r[1];
        self->out.member = s.part[0];
    }
    if (in->c && in->d) {
        self->out.both = (u8)(r[1] + s.part[0]);
    }
    self->out.flag = in->c && flag[2];
    if (in->kind == 3) {
        kinds[0] = in->x;
    } else if (in->kind == 5) {
        kinds[0] = (u8)in->y;
    }
    self->out.chosen = in->kind == 3 || in->kind == 5 ? kinds[0] : 1;
}
