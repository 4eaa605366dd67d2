// SPDX-License-Identifier: Apache-2.0
/*
 * forward_scalar: plain copies after the child's call make the child's registers outputs of the
 * parent: wires, no second register, no extra clock; other outputs are the parent's own.
 */
#include "hls.h"

struct forward_scalar_core_in {
    u6 x;
    u1 add;
};
struct forward_scalar_core_out {
    u14 sum;
    u1 high;
    u6 not_shown;
};
struct forward_scalar_core {
    struct forward_scalar_core_out out;
};

struct forward_scalar_in {
    u6 x;
    u1 add;
};
struct forward_scalar_out {
    u14 total;   /* the core's sum */
    u9 own;      /* a register of this module */
    u1 overfull; /* the core's high */
};
struct forward_scalar {
    struct forward_scalar_out out;
    struct forward_scalar_core core;
};

HLS_RESET void forward_scalar_core_reset(struct forward_scalar_core *self)
{
    *self = (struct forward_scalar_core){.out.sum = 77, .out.high = 1};
}

HLS_MODULE void forward_scalar_core(struct forward_scalar_core *self,
                                    const struct forward_scalar_core_in *in)
{
    self->out.not_shown ^= in->x;
    self->out.sum = in->add ? self->out.sum + in->x * 97 : self->out.sum - self->out.not_shown;
    self->out.high = self->out.sum > 8191;
}

HLS_RESET void forward_scalar_reset(struct forward_scalar *self)
{
    self->out = (struct forward_scalar_out){.total = 77, .own = 5, .overfull = 1};
    forward_scalar_core_reset(&self->core);
}

HLS_MODULE void forward_scalar(struct forward_scalar *self, const struct forward_scalar_in *in)
{
    self->out.own += self->core.out.high ? in->x : self->core.out.not_shown;
    struct forward_scalar_core_in core_in = {in->x, in->add};
    forward_scalar_core(&self->core, &core_in);
    self->out.total = self->core.out.sum;
    self->out.overfull = self->core.out.high;
}
