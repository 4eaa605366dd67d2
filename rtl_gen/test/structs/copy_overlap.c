// SPDX-License-Identifier: Apache-2.0
/*
 * copy_overlap: __builtin_memmove between parts that overlap, up and down: of an array, of structs, at an index that
 * varies, and of whole arrays that lie one behind the other.
 */
#include "hls.h"

struct copy_overlap_item {
    u5 tag;
    u9 part[2];
};
struct copy_overlap_in {
    struct copy_overlap_item item;
    u8 a;
    u2 at;
};
struct copy_overlap_out {
    u8 up[6], down[6];
    struct copy_overlap_item queue[4];
};
struct copy_overlap {
    struct copy_overlap_out out;
    struct {
        u8 row[3][2];
    } line;
    u8 window[8];
};

HLS_RESET void copy_overlap_reset(struct copy_overlap *self)
{
    *self = (struct copy_overlap){0};
}

HLS_MODULE void copy_overlap(struct copy_overlap *self, const struct copy_overlap_in *in)
{
    u8 *line = &self->line.row[0][0];
    struct {
        u4 first[3], second[3], third[3];
    } lists = {{(u4)in->a, (u4)in->at, 3}, {4, (u4)(in->a >> 4), 6}, {7, 8, 9}};

    __builtin_memmove(&self->out.up[1], &self->out.up[0], 5);
    self->out.up[0] = in->a;
    __builtin_memmove(&self->out.down[0], &self->out.down[1], 5);
    self->out.down[5] = in->a;
    __builtin_memmove(&self->out.queue[1], &self->out.queue[0], 3 * sizeof self->out.queue[0]);
    self->out.queue[0] = in->item;
    __builtin_memmove(&self->window[in->at + 1], &self->window[in->at], 4);
    self->window[in->at] = in->a;
    __builtin_memmove(&lists.second, &lists.first, 6);
    __builtin_memmove(line + 2, line, 4);
    line[in->at & 1] = lists.second[1] + lists.third[1];
    __builtin_memmove(line, line, 6);
}
