// SPDX-License-Identifier: Apache-2.0
/*
 * table_structs: a constant table of structs, read whole and by field; a program of eight steps.
 */
#include "hls.h"

enum table_structs_op { STEP_ADD, STEP_XOR, STEP_SHIFT, STEP_JUMP };

struct table_structs_step {
    enum table_structs_op op;
    u8 value;
    struct {
        u3 taken, otherwise;
    } next;
};
struct table_structs_in {
    u8 data;
    u1 run;
};
struct table_structs_out {
    u8 acc;
    u3 pc;
};
struct table_structs {
    struct table_structs_out out;
};

static const struct table_structs_step program[8] = {
    {STEP_ADD, 17, {1, 2}},  {STEP_XOR, 0x5a, {2, 2}}, {STEP_SHIFT, 3, {3, 4}},
    {STEP_JUMP, 0, {0, 5}},  {STEP_ADD, 99, {6, 3}},   {STEP_XOR, 0xf0, {7, 6}},
    {STEP_SHIFT, 1, {7, 0}}, {STEP_JUMP, 128, {4, 1}},
};

HLS_RESET void table_structs_reset(struct table_structs *self)
{
    *self = (struct table_structs){.out.acc = 1};
}

HLS_MODULE void table_structs(struct table_structs *self, const struct table_structs_in *in)
{
    if (!in->run) {
        return;
    }
    struct table_structs_step step = program[self->out.pc];
    switch (step.op) {
    case STEP_ADD:
        self->out.acc += step.value + in->data;
        break;
    case STEP_XOR:
        self->out.acc ^= step.value ^ in->data;
        break;
    case STEP_SHIFT:
        self->out.acc = self->out.acc << step.value | self->out.acc >> (8 - step.value);
        break;
    case STEP_JUMP:
        break;
    }
    self->out.pc =
        self->out.acc >= program[self->out.pc].value ? step.next.taken : step.next.otherwise;
}
