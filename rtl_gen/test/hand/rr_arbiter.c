// SPDX-License-Identifier: Apache-2.0
/*
 * rr_arbiter: round robin among 64 requests, as eight rows of eight. The winner stands in the row of
 * the last one, above it, or in the next row that has a request: there the lowest. The contract is in
 * README.md.
 */
#include "hls.h"

struct rr_arbiter_in {
    u64 request;
    u1 enable; /* decide in this clock */
};
struct rr_arbiter_out {
    u1 valid; /* some request was granted */
    u6 grant; /* who: held while valid is low */
};
struct rr_arbiter {
    struct rr_arbiter_out out;
};

/* The lowest one; 7 when there is none. */
static u3 lowest(u8 x)
{
    u1 upper = (u4)x == 0;
    u1 second = (u2)x == 0 && ((x & 0xc) || !(x & 0x30));
    u1 odd =
        !(x & 1) && ((x & 2) || (!(x & 4) && ((x & 8) || (!(x & 16) && ((x & 32) || !(x & 64))))));

    return (u3)upper << 2 | (u3)second << 1 | odd;
}

static u8 row(u64 request, u3 number)
{
    return (u8)(request >> ((u6)number << 3));
}

HLS_RESET void rr_arbiter_reset(struct rr_arbiter *self)
{
    *self = (struct rr_arbiter){.out.grant = 63};
}

HLS_MODULE void rr_arbiter(struct rr_arbiter *self, const struct rr_arbiter_in *in)
{
    u3 last_row = (u3)(self->out.grant >> 3);
    u3 last_place = (u3)self->out.grant;
    u8 any = 0;

    for (int i = 0; i < 8; i++) {
        any |= (u8)(row(in->request, i) != 0) << i;
    }
    u8 same = row(in->request, last_row) & (u8)0xfe << last_place;
    u8 later = any & (u8)0xfe << last_row;
    u3 next = lowest(later ? later : any);
    u3 other = lowest(row(in->request, next));

    if (in->enable) {
        self->out.valid = any != 0;
        if (any) {
            self->out.grant = same ? (u6)last_row << 3 | lowest(same) : (u6)next << 3 | other;
        }
    }
}
