// SPDX-License-Identifier: Apache-2.0
/*
 * enum_switch: an enumerated input, a switch with shared labels, fallthrough and default.
 */
#include "hls.h"

enum enum_switch_op {
    OP_NOP,
    OP_LOAD,
    OP_ADD,
    OP_ADD_TWICE,
    OP_INVERT,
    OP_SWAP,
    OP_ROTATE,
    OP_HALT
};

struct enum_switch_in {
    enum enum_switch_op op;
    u12 operand;
};
struct enum_switch_out {
    u12 acc;
    enum enum_switch_op last;
};
struct enum_switch {
    struct enum_switch_out out;
    u12 other;
};

HLS_RESET void enum_switch_reset(struct enum_switch *self)
{
    *self = (struct enum_switch){.out.last = OP_HALT, .other = 7};
}

HLS_MODULE void enum_switch(struct enum_switch *self, const struct enum_switch_in *in)
{
    switch (in->op) {
    case OP_LOAD:
        self->out.acc = in->operand;
        break;
    case OP_ADD_TWICE:
        self->out.acc += in->operand;
        [[fallthrough]];
    case OP_ADD:
        self->out.acc += in->operand;
        break;
    case OP_INVERT:
    case OP_HALT:
        self->out.acc = ~self->out.acc;
        break;
    case OP_SWAP: {
        u12 t = self->other;
        self->other = self->out.acc;
        self->out.acc = t;
        break;
    }
    default:
        self->other += in->operand ^ 0x5a5;
    }
    self->out.last = in->op;
}
