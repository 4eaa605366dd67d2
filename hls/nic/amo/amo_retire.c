// SPDX-License-Identifier: Apache-2.0
/*
 * amo_retire.c - a bit for each operation under way, and a pointer over them.
 */
#include "nic/amo/amo_retire.h"

typedef uint(AMO_UNDER_WAY) operation_bits;

HLS_RESET void amo_retire_reset(struct amo_retire *self)
{
    self->out = (struct amo_retire_out){};
    self->oldest = 0;
    self->count = 0;
    self->over = 0;
}

static inline operation_bits over_bit(struct amo_over over)
{
    return over.valid ? (operation_bits)((operation_bits)1 << over.number) : (operation_bits)0;
}

HLS_MODULE void amo_retire(struct amo_retire *self, const struct amo_retire_in *in)
{
    struct amo_over oldest = {.valid = (u1)(self->over >> self->oldest), .number = self->oldest};

    hls_assume(!in->comes || self->count != AMO_UNDER_WAY);
    hls_assume(!oldest.valid || self->count != 0); /* none is over that did not come */
    self->over = (self->over | over_bit(in->written) | over_bit(in->over) | over_bit(in->dropped)) &
                 ~over_bit(oldest);
    self->oldest += oldest.valid;
    self->count = (amo_operations)(self->count + in->comes - oldest.valid);
    self->out.number += in->comes;
    self->out.room = self->count < AMO_UNDER_WAY;
    self->out.retired = oldest.valid;
    self->out.none = self->count == 0;
    hls_cover(!self->out.room);
    hls_cover(self->over != 0 && self->count > 2 &&
              !oldest.valid); /* one waits for those before it */
}
