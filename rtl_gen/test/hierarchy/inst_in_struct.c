// SPDX-License-Identifier: Apache-2.0
/*
 * inst_in_struct: instances inside an array of structs that holds registers, too, so that the
 * elements of the instance array do not lie side by side in memory.
 */
#include "hls.h"

struct inst_in_struct_stage_in {
    u1 load;
    u7 next;
};
struct inst_in_struct_stage_out {
    u7 held;
};
struct inst_in_struct_stage {
    struct inst_in_struct_stage_out out;
    u3 loads;
};

HLS_RESET void inst_in_struct_stage_reset(struct inst_in_struct_stage *self)
{
    *self = (struct inst_in_struct_stage){.loads = 5};
}

HLS_MODULE void inst_in_struct_stage(struct inst_in_struct_stage *self,
                                     const struct inst_in_struct_stage_in *in)
{
    if (in->load) {
        self->out.held = in->next ^ self->loads;
        self->loads++;
    }
}

struct inst_in_struct_in {
    u1 turn;
    u2 which;
    u7 next;
};
struct inst_in_struct_out {
    u7 seen;
    u3 turns;
};
struct inst_in_struct_lane {
    u3 turns;
    struct inst_in_struct_stage stage[2];
    u1 last;
};
struct inst_in_struct {
    struct inst_in_struct_out out;
    struct inst_in_struct_lane lane[3];
};

HLS_RESET void inst_in_struct_reset(struct inst_in_struct *self)
{
    self->out = (struct inst_in_struct_out){0};
    for (unsigned i = 0; i < 3; i++) {
        self->lane[i].turns = 1;
        self->lane[i].last = 0;
        for (unsigned k = 0; k < 2; k++) {
            inst_in_struct_stage_reset(&self->lane[i].stage[k]);
        }
    }
}

HLS_MODULE void inst_in_struct(struct inst_in_struct *self, const struct inst_in_struct_in *in)
{
    u2 lane = in->which == 3 ? 0 : in->which;
    self->out.seen = self->lane[lane].stage[self->lane[lane].last].out.held;
    self->out.turns = self->lane[lane].turns;
    for (unsigned i = 0; i < 3; i++) {
        bool mine = in->turn && lane == i;
        for (unsigned k = 0; k < 2; k++) {
            struct inst_in_struct_stage_in stage = {
                .load = mine && self->lane[i].last == k,
                .next = in->next + self->lane[i].turns,
            };
            inst_in_struct_stage(&self->lane[i].stage[k], &stage);
        }
        if (mine) {
            self->lane[i].turns++;
            self->lane[i].last ^= 1;
        }
    }
}
