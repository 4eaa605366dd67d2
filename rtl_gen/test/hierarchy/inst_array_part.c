// SPDX-License-Identifier: Apache-2.0
/*
 * inst_array_part: an array of instances takes a part of wider vectors element by element: the low half of
 * another child's outputs, the high half of an input and the middle of a register.
 */
#include "hls.h"

enum { INST_ARRAY_PART_ALL = 4, INST_ARRAY_PART_CELLS = 2 };

struct inst_array_part_source_in {
    u1 step;
};
struct inst_array_part_source_out {
    u1 flag[INST_ARRAY_PART_ALL];
    u5 word[INST_ARRAY_PART_ALL];
};
struct inst_array_part_source {
    struct inst_array_part_source_out out;
};

struct inst_array_part_cell_in {
    u1 flag;
    u5 word;
    u7 offset;
    u3 scale;
};
struct inst_array_part_cell_out {
    u8 sum;
};
struct inst_array_part_cell {
    struct inst_array_part_cell_out out;
};

struct inst_array_part_in {
    u1 step;
    u7 offset[INST_ARRAY_PART_ALL];
};
struct inst_array_part_out {
    u8 sum[INST_ARRAY_PART_CELLS];
};
struct inst_array_part {
    struct inst_array_part_out out;
    struct inst_array_part_source source;
    struct inst_array_part_cell unit[INST_ARRAY_PART_CELLS];
    u3 scale[INST_ARRAY_PART_ALL];
};

HLS_RESET void inst_array_part_source_reset(struct inst_array_part_source *self)
{
    *self = (struct inst_array_part_source){0};
}

HLS_MODULE void inst_array_part_source(struct inst_array_part_source *self,
                                       const struct inst_array_part_source_in *in)
{
    for (int i = 0; i < INST_ARRAY_PART_ALL; i++) {
        if (in->step) {
            self->out.flag[i] = !self->out.flag[i] ^ (u1)(self->out.word[i] >> i);
            self->out.word[i] += (u5)(i + 1);
        }
    }
}

HLS_RESET void inst_array_part_cell_reset(struct inst_array_part_cell *self)
{
    *self = (struct inst_array_part_cell){0};
}

HLS_MODULE void inst_array_part_cell(struct inst_array_part_cell *self,
                                     const struct inst_array_part_cell_in *in)
{
    if (in->flag) {
        self->out.sum += in->word + in->offset * in->scale;
    }
}

HLS_RESET void inst_array_part_reset(struct inst_array_part *self)
{
    *self = (struct inst_array_part){0};
    inst_array_part_source_reset(&self->source);
    for (int i = 0; i < INST_ARRAY_PART_CELLS; i++) {
        inst_array_part_cell_reset(&self->unit[i]);
    }
}

HLS_MODULE void inst_array_part(struct inst_array_part *self, const struct inst_array_part_in *in)
{
    struct inst_array_part_cell_in to[INST_ARRAY_PART_CELLS];

    for (int i = 0; i < INST_ARRAY_PART_CELLS; i++) {
        self->out.sum[i] = self->unit[i].out.sum;
        to[i] = (struct inst_array_part_cell_in){
            .flag = self->source.out.flag[i],
            .word = self->source.out.word[i],
            .offset = in->offset[i + 2],
            .scale = self->scale[i + 1],
        };
    }
    for (int i = 0; i < INST_ARRAY_PART_ALL; i++) {
        self->scale[i] += (u3)in->offset[i];
    }
    inst_array_part_source(&self->source, &(struct inst_array_part_source_in){.step = in->step});
    for (int i = 0; i < INST_ARRAY_PART_CELLS; i++) {
        inst_array_part_cell(&self->unit[i], &to[i]);
    }
}
