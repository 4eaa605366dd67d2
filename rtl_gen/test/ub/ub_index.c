// SPDX-License-Identifier: Apache-2.0
/*
 * ub_index: indices out of range on purpose, of arrays in registers, in locals, of structs, of two
 * dimensions, of constant tables and of instances. In the hardware they read zero and write
 * nothing, also where the address would fall into a neighbouring row or field.
 */
#include "hls.h"

struct ub_index_child_in {
    u4 x;
};
struct ub_index_child_out {
    u4 y;
};
struct ub_index_child {
    struct ub_index_child_out out;
};

struct ub_index_in {
    u1 write;
    u4 at;   /* of 10, of 5, of 7 and of 3 */
    u3 row;  /* of 3 */
    u3 col;  /* of 5 */
    u8 data; /* odd, so that nothing written is zero */
};
struct ub_index_out {
    u8 read, below, stacked;
    u5 value;
    u4 element;
    u6 entry;
    u4 child;
    u8 word[10];
    struct {
        u3 tag;
        u5 value;
    } item[5];
    u4 grid[3][5];
};
struct ub_index {
    struct ub_index_out out;
    struct ub_index_child c[3];
};

static const u6 table[7] = {11, 22, 33, 44, 55, 63, 1};

HLS_RESET void ub_index_child_reset(struct ub_index_child *self)
{
    self->out.y = 9;
}

HLS_MODULE void ub_index_child(struct ub_index_child *self, const struct ub_index_child_in *in)
{
    self->out.y = in->x | 1;
}

HLS_RESET void ub_index_reset(struct ub_index *self)
{
    self->out = (struct ub_index_out){0};
    for (int i = 0; i < 10; i++) {
        self->out.word[i] = 100 + i;
    }
    for (int i = 0; i < 5; i++) {
        self->out.item[i].tag = 7;
        self->out.item[i].value = 20 + i;
    }
    for (int i = 0; i < 15; i++) {
        self->out.grid[i / 5][i % 5] = 1 + i;
    }
    for (int i = 0; i < 3; i++) {
        ub_index_child_reset(&self->c[i]);
    }
}

HLS_MODULE void ub_index(struct ub_index *self, const struct ub_index_in *in)
{
    u8 stacked[6] = {1, 3, 5, 7, 9, 11};
    stacked[in->at] = in->data;
    self->out.stacked = stacked[in->at];
    self->out.read = self->out.word[in->at];
    self->out.below = self->out.word[(int)in->at - 5];
    self->out.value = self->out.item[in->at].value;
    self->out.element = self->out.grid[in->row][in->col];
    self->out.entry = table[in->at];
    self->out.child = self->c[in->at].out.y;
    if (in->write) {
        self->out.word[in->at] = in->data;
        self->out.item[in->at].value = in->data & 31;
        self->out.grid[in->row][in->col] = in->data & 15;
    }
    for (int i = 0; i < 3; i++) {
        struct ub_index_child_in child_in = {in->data & 15};
        ub_index_child(&self->c[i], &child_in);
    }
}
