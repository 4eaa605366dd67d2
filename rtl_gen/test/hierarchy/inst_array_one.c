// SPDX-License-Identifier: Apache-2.0
/*
 * inst_array_one: arrays of one instance, of one and of two dimensions: an instance as any other in the Verilog, with
 * no generate block around it.
 */
#include "hls.h"

struct inst_array_one_step_in {
    u4 step;
};
struct inst_array_one_step_out {
    u8 sum;
};
struct inst_array_one_step {
    struct inst_array_one_step_out out;
};

struct inst_array_one_in {
    u4 step;
};
struct inst_array_one_out {
    u8 seen;
};
struct inst_array_one {
    struct inst_array_one_out out;
    struct inst_array_one_step first[1];
    struct inst_array_one_step second[1][1];
};

HLS_RESET void inst_array_one_step_reset(struct inst_array_one_step *self)
{
    *self = (struct inst_array_one_step){};
}

HLS_MODULE void inst_array_one_step(struct inst_array_one_step *self,
                                    const struct inst_array_one_step_in *in)
{
    self->out.sum += in->step;
}

HLS_RESET void inst_array_one_reset(struct inst_array_one *self)
{
    self->out = (struct inst_array_one_out){};
    inst_array_one_step_reset(&self->first[0]);
    inst_array_one_step_reset(&self->second[0][0]);
}

HLS_MODULE void inst_array_one(struct inst_array_one *self, const struct inst_array_one_in *in)
{
    struct inst_array_one_step_in first = {.step = in->step};
    struct inst_array_one_step_in second = {.step = (u4)(self->first[0].out.sum & 15)};

    self->out.seen = self->second[0][0].out.sum;
    inst_array_one_step(&self->first[0], &first);
    inst_array_one_step(&self->second[0][0], &second);
}
