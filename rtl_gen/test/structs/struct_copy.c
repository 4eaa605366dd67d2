// SPDX-License-Identifier: Apache-2.0
/*
 * struct_copy: whole structs with arrays and structs inside assigned, swapped, and moved within an
 * array of structs.
 */
#include "hls.h"

struct struct_copy_item {
    u5 tag;
    u9 part[3];
    struct {
        u1 dirty;
        u33 stamp;
    } meta;
};
struct struct_copy_in {
    struct struct_copy_item item;
    u2 op;
    u2 at;
};
struct struct_copy_out {
    struct struct_copy_item top;
};
struct struct_copy {
    struct struct_copy_out out;
    struct struct_copy_item stack[4];
};

HLS_RESET void struct_copy_reset(struct struct_copy *self)
{
    *self = (struct struct_copy){.stack[3] = {.tag = 30, .part = {7, 8, 9}}};
}

HLS_MODULE void struct_copy(struct struct_copy *self, const struct struct_copy_in *in)
{
    struct struct_copy_item t = self->stack[in->at];
    switch (in->op) {
    case 0:
        for (int i = 3; i > 0; i--) {
            self->stack[i] = self->stack[i - 1];
        }
        self->stack[0] = in->item;
        break;
    case 1:
        self->stack[in->at] = self->stack[0];
        self->stack[0] = t;
        break;
    case 2:
        self->stack[in->at] = in->item;
        self->stack[in->at].meta = t.meta;
        break;
    default:
        t.part[1]++;
        self->stack[3 - in->at] = t;
    }
    self->out.top = self->stack[0];
}
