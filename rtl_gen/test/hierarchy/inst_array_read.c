// SPDX-License-Identifier: Apache-2.0
/*
 * inst_array_read: an array of five queues counters; the parent reads the outputs of one chosen by
 * a register or an input, and steers one input to it.
 */
#include "hls.h"

struct inst_array_read_lane_in {
    u1 add;
    u6 amount;
};
struct inst_array_read_lane_out {
    u10 level;
    u1 odd;
};
struct inst_array_read_lane {
    struct inst_array_read_lane_out out;
};

struct inst_array_read_in {
    u1 valid;
    u3 to; /* 5, 6, 7: nowhere */
    u6 amount;
    u3 watch; /* 5, 6, 7: lane 4 */
};
struct inst_array_read_out {
    u10 level;
    u1 odd;
    u3 fullest;
};
struct inst_array_read {
    struct inst_array_read_out out;
    struct inst_array_read_lane lane[5];
};

HLS_RESET void inst_array_read_lane_reset(struct inst_array_read_lane *self)
{
    *self = (struct inst_array_read_lane){.out.level = 1};
}

HLS_MODULE void inst_array_read_lane(struct inst_array_read_lane *self,
                                     const struct inst_array_read_lane_in *in)
{
    self->out.level += in->add ? in->amount : -(self->out.level != 0);
    self->out.odd = self->out.level & 1;
}

HLS_RESET void inst_array_read_reset(struct inst_array_read *self)
{
    self->out = (struct inst_array_read_out){0};
    for (int i = 0; i < 5; i++) {
        inst_array_read_lane_reset(&self->lane[i]);
    }
}

HLS_MODULE void inst_array_read(struct inst_array_read *self, const struct inst_array_read_in *in)
{
    u3 watch = in->watch < 5 ? in->watch : (u3)4;
    self->out.level = self->lane[watch].out.level;
    self->out.odd = self->lane[self->out.fullest].out.odd;
    u3 fullest = 0;
    for (u3 i = 1; i < 5; i++) {
        if (self->lane[i].out.level > self->lane[fullest].out.level) {
            fullest = i;
        }
    }
    self->out.fullest = fullest;
    for (int i = 0; i < 5; i++) {
        struct inst_array_read_lane_in lane_in = {.add = in->valid && in->to == i,
                                                  .amount = in->amount};
        inst_array_read_lane(&self->lane[i], &lane_in);
    }
}
