// SPDX-License-Identifier: Apache-2.0
/*
 * inst_array: six equal children in a row, called in a loop; each takes what its neighbour showed
 * before the clock, the first one the input.
 */
#include "hls.h"

enum { INST_ARRAY_CELLS = 6 };

struct inst_array_cell_in {
    u1 in_valid;
    u9 in_data;
    u3 position;
};
struct inst_array_cell_out {
    u1 valid;
    u9 data;
};
struct inst_array_cell {
    struct inst_array_cell_out out;
    u4 passed;
};

struct inst_array_in {
    u1 in_valid;
    u9 in_data;
    u1 bypass;
};
struct inst_array_out {
    u1 valid;
    u9 data;
    u3 busy;
};
struct inst_array {
    struct inst_array_out out;
    struct inst_array_cell node[INST_ARRAY_CELLS];
};

HLS_RESET void inst_array_cell_reset(struct inst_array_cell *self)
{
    *self = (struct inst_array_cell){.passed = 3};
}

HLS_MODULE void inst_array_cell(struct inst_array_cell *self, const struct inst_array_cell_in *in)
{
    self->out.valid = in->in_valid;
    if (in->in_valid) {
        self->out.data = in->in_data + self->passed + in->position;
        self->passed++;
    }
}

HLS_RESET void inst_array_reset(struct inst_array *self)
{
    self->out = (struct inst_array_out){0};
    for (int i = 0; i < INST_ARRAY_CELLS; i++) {
        inst_array_cell_reset(&self->node[i]);
    }
}

HLS_MODULE void inst_array(struct inst_array *self, const struct inst_array_in *in)
{
    struct inst_array_cell_in cell_in[INST_ARRAY_CELLS];
    cell_in[0] = (struct inst_array_cell_in){in->in_valid, in->in_data, 0};
    self->out.busy = self->node[0].out.valid;
    for (int i = 1; i < INST_ARRAY_CELLS; i++) {
        cell_in[i] = (struct inst_array_cell_in){.in_valid = self->node[i - 1].out.valid,
                                                 .in_data = self->node[i - 1].out.data,
                                                 .position = i};
        self->out.busy += self->node[i].out.valid;
    }
    int last = INST_ARRAY_CELLS - 1;
    self->out.valid = self->node[last].out.valid;
    self->out.data = in->bypass ? in->in_data : self->node[last].out.data;
    for (int i = 0; i < INST_ARRAY_CELLS; i++) {
        inst_array_cell(&self->node[i], &cell_in[i]);
    }
}
