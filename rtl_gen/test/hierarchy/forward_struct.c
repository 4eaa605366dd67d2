// SPDX-License-Identifier: Apache-2.0
/*
 * forward_struct: a struct of the child's outputs forwarded whole, through two levels of hierarchy.
 */
#include "hls.h"

struct forward_struct_flit {
    u1 valid;
    u3 vc;
    u20 data;
};

struct forward_struct_stage_in {
    struct forward_struct_flit s;
    u1 hold;
};
struct forward_struct_stage_out {
    struct forward_struct_flit m;
    u4 held;
};
struct forward_struct_stage {
    struct forward_struct_stage_out out;
};

struct forward_struct_pipe_in {
    struct forward_struct_flit s;
    u1 hold;
};
struct forward_struct_pipe_out {
    struct forward_struct_flit m;
    u5 idle;
};
struct forward_struct_pipe {
    struct forward_struct_pipe_out out;
    struct forward_struct_stage first, second;
};

struct forward_struct_in {
    struct forward_struct_flit s;
    u1 hold;
};
struct forward_struct_out {
    struct forward_struct_flit m;
    u4 held;
};
struct forward_struct {
    struct forward_struct_out out;
    struct forward_struct_pipe pipe;
    struct forward_struct_stage probe;
};

HLS_RESET void forward_struct_stage_reset(struct forward_struct_stage *self)
{
    *self = (struct forward_struct_stage){.out.m.vc = 7};
}

HLS_MODULE void forward_struct_stage(struct forward_struct_stage *self,
                                     const struct forward_struct_stage_in *in)
{
    if (in->hold && self->out.m.valid) {
        self->out.held++;
    } else {
        self->out.m = in->s;
        self->out.m.data += self->out.held;
    }
}

HLS_RESET void forward_struct_pipe_reset(struct forward_struct_pipe *self)
{
    self->out = (struct forward_struct_pipe_out){.m.vc = 7};
    forward_struct_stage_reset(&self->first);
    forward_struct_stage_reset(&self->second);
}

HLS_MODULE void forward_struct_pipe(struct forward_struct_pipe *self,
                                    const struct forward_struct_pipe_in *in)
{
    self->out.idle += !self->second.out.m.valid;
    struct forward_struct_stage_in first_in = {in->s, in->hold};
    struct forward_struct_stage_in second_in = {self->first.out.m, in->s.vc & 1};
    forward_struct_stage(&self->first, &first_in);
    forward_struct_stage(&self->second, &second_in);
    self->out.m = self->second.out.m;
}

HLS_RESET void forward_struct_reset(struct forward_struct *self)
{
    self->out = (struct forward_struct_out){.m.vc = 7};
    forward_struct_pipe_reset(&self->pipe);
    forward_struct_stage_reset(&self->probe);
}

HLS_MODULE void forward_struct(struct forward_struct *self, const struct forward_struct_in *in)
{
    struct forward_struct_pipe_in pipe_in = {in->s, in->hold};
    struct forward_struct_stage_in probe_in = {self->pipe.out.m, self->pipe.out.idle & 1};
    forward_struct_pipe(&self->pipe, &pipe_in);
    forward_struct_stage(&self->probe, &probe_in);
    self->out.m = self->pipe.out.m;
    self->out.held = self->probe.out.held;
}
