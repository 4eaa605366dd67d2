// SPDX-License-Identifier: Apache-2.0
/*
 * ops_plain: the plain C types, with their promotions, conversions and signs, between odd widths.
 */
#include "hls.h"

struct ops_plain_in {
    signed char c;
    short s;
    int i;
    long l;
    unsigned char uc;
    unsigned short us;
    unsigned u;
    unsigned long ul;
};
struct ops_plain_out {
    int promoted;       /* char and short arithmetic happens in int */
    unsigned wrapped;   /* unsigned wraps */
    long extended;      /* signs extend through long */
    unsigned long mask; /* a negative int becomes a large unsigned long */
    short cut;          /* the low half of a sum */
    bool less, below;   /* the same bits compared with and without sign */
};
struct ops_plain {
    struct ops_plain_out out;
};

HLS_RESET void ops_plain_reset(struct ops_plain *self)
{
    *self = (struct ops_plain){.out.promoted = -1, .out.cut = -12345};
}

HLS_MODULE void ops_plain(struct ops_plain *self, const struct ops_plain_in *in)
{
    self->out.promoted = in->c * in->s + (in->uc << 3) - in->us % (in->uc + 1);
    self->out.wrapped = in->u * 2654435761u + in->us - in->uc;
    self->out.extended = (long)in->i * in->c + (in->l >> 9);
    self->out.mask = (in->ul & in->i) | (in->ul >> (in->uc & 63));
    self->out.cut = (short)(in->s + in->i / 3 % 1000);
    self->out.less = in->i < (int)in->u;
    self->out.below = (unsigned)in->i < in->u;
}
