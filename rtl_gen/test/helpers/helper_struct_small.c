// SPDX-License-Identifier: Apache-2.0
/*
 * helper_struct_small: helpers that take and return structs of up to 8 and up to 16 bytes, which
 * the calling convention passes as integers in registers.
 */
#include "hls.h"

struct helper_small_pair {
    u5 x;
    u11 y;
};
struct helper_small_span {
    u40 from;
    u17 length;
    u1 open;
};
struct helper_struct_small_in {
    struct helper_small_pair p;
    struct helper_small_span s;
    u8 by;
};
struct helper_struct_small_out {
    struct helper_small_pair pair;
    struct helper_small_span span;
};
struct helper_struct_small {
    struct helper_struct_small_out out;
};

static struct helper_small_pair pair_swap(struct helper_small_pair p)
{
    return (struct helper_small_pair){.x = p.y & 31, .y = (u11)p.x << 6 | p.y >> 5};
}

static struct helper_small_span span_move(struct helper_small_span s, u8 by)
{
    s.from += by;
    s.length ^= by;
    s.open = !s.open;
    return s;
}

static struct helper_small_span span_join(struct helper_small_span a, struct helper_small_span b)
{
    struct helper_small_span r = a.from < b.from ? a : b;
    r.length += a.length ^ b.length;
    return r;
}

HLS_RESET void helper_struct_small_reset(struct helper_struct_small *self)
{
    *self = (struct helper_struct_small){.out.span.from = 0xffffff0000};
}

HLS_MODULE void helper_struct_small(struct helper_struct_small *self,
                                    const struct helper_struct_small_in *in)
{
    self->out.pair = pair_swap(in->p);
    self->out.pair.y += in->by;
    self->out.span = span_join(span_move(self->out.span, in->by), in->s);
}
