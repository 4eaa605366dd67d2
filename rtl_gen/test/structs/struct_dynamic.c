// SPDX-License-Identifier: Apache-2.0
/*
 * struct_dynamic: dynamic indices at several levels of nested arrays and structs, on both sides of
 * one assignment, and whole elements copied between variable places.
 */
#include "hls.h"

struct struct_dynamic_cell {
    u4 level[3];
    u7 mark;
};
struct struct_dynamic_row {
    struct struct_dynamic_cell cells[4];
    u1 used;
};
struct struct_dynamic_in {
    u1 from_row, to_row;
    u2 from, to, level;
    u2 op;
    u4 grid[2][4];
};
struct struct_dynamic_out {
    u7 mark;
    u4 picked;
    u8 used;
};
struct struct_dynamic {
    struct struct_dynamic_out out;
    struct struct_dynamic_row row[2];
};

HLS_RESET void struct_dynamic_reset(struct struct_dynamic *self)
{
    *self = (struct struct_dynamic){.row[1].cells[2] = {.level = {9, 8, 7}, .mark = 100}};
}

HLS_MODULE void struct_dynamic(struct struct_dynamic *self, const struct struct_dynamic_in *in)
{
    u2 level = in->level == 3 ? (u2)0 : in->level;
    self->out.mark = self->row[in->from_row].cells[in->from].mark;
    self->out.picked = in->grid[in->from_row][in->to] ^ self->row[in->to_row].cells[1].level[level];
    switch (in->op) {
    case 0:
        self->row[in->to_row].cells[in->to] = self->row[in->from_row].cells[in->from];
        break;
    case 1:
        self->row[in->to_row].cells[in->to].level[level] += in->grid[in->to_row][in->from];
        self->row[in->to_row].used ^= 1;
        break;
    case 2:
        self->row[in->to_row] = self->row[in->from_row];
        self->row[in->to_row].cells[3].mark++;
        break;
    default:
        self->row[in->from_row].cells[in->to].mark =
            self->row[in->to_row].cells[in->from].mark * 3 + in->grid[0][in->from];
    }
    self->out.used += self->row[0].used + self->row[1].used;
}
