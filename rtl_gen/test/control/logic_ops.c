// SPDX-License-Identifier: Apache-2.0
/*
 * logic_ops: && and || evaluate their right side only when needed; here the right side counts.
 */
#include "hls.h"

struct logic_ops_in {
    u1 a, b, c;
    u6 amount;
};
struct logic_ops_out {
    u1 both, any, odd;
    u6 tokens;
    u8 tries;
};
struct logic_ops {
    struct logic_ops_out out;
    u6 refill;
};

static bool spend(struct logic_ops *self)
{
    self->out.tries++;
    return self->out.tokens > 0;
}

HLS_RESET void logic_ops_reset(struct logic_ops *self)
{
    *self = (struct logic_ops){.out.tokens = 40, .refill = 3};
}

HLS_MODULE void logic_ops(struct logic_ops *self, const struct logic_ops_in *in)
{
    self->out.both = in->a && spend(self) && in->amount > 17;
    self->out.any = in->b || !spend(self) || (in->c && in->amount > 3);
    if (in->c && self->refill-- == 0) {
        self->out.tokens += in->amount;
        self->refill = in->amount >> 3;
    } else if (in->a || ++self->refill > 40) {
        self->out.tokens -= self->out.tokens != 0;
    }
    self->out.odd = !in->a != !in->b;
}
