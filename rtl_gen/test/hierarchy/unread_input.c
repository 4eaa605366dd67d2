// SPDX-License-Identifier: Apache-2.0
/*
 * unread_input: a bundle that goes to a parent's instances, each of which reads a part of it. The fields that an instance does not read are
 * no ports of its module, nor of the one between; the module on top keeps all of them.
 */
#include "hls.h"

struct unread_input_config {
    u1 ready; // nothing reads it: the bundle's comment stands over the next one
    u4 step;
    u8 limit;
    struct {
        u8 low, high; // of the window
    } range[2];
    u3 mode; // a check alone reads it
};

struct unread_input_cell_in {
    u1 go;
    u1 spare;                          // plain: a port, though it is not read
    struct unread_input_config config; // how to count
};
struct unread_input_cell_out {
    u8 count;
};
struct unread_input_cell {
    struct unread_input_cell_out out;
};

HLS_RESET void unread_input_cell_reset(struct unread_input_cell *self)
{
    *self = (struct unread_input_cell){0};
}

HLS_MODULE void unread_input_cell(struct unread_input_cell *self,
                                  const struct unread_input_cell_in *in)
{
    hls_cover(in->go && in->config.mode == 5);
    if (in->go)
        self->out.count += in->config.step;
}

struct unread_input_pair_in {
    u2 go;
    u8 least[2];
    struct unread_input_config config; // how to count
};
struct unread_input_pair_out {
    u8 count[2];
    u1 below;
};
struct unread_input_pair {
    struct unread_input_pair_out out;
    struct unread_input_cell unit[2];
};

HLS_RESET void unread_input_pair_reset(struct unread_input_pair *self)
{
    self->out = (struct unread_input_pair_out){0};
    for (unsigned i = 0; i < 2; i++)
        unread_input_cell_reset(&self->unit[i]);
}

HLS_MODULE void unread_input_pair(struct unread_input_pair *self,
                                  const struct unread_input_pair_in *in)
{
    u1 below = 1;
    for (unsigned i = 0; i < 2; i++) {
        self->out.count[i] = self->unit[i].out.count;
        below &= self->unit[i].out.count < in->config.range[i].high;
    }
    self->out.below = below;
    for (unsigned i = 0; i < 2; i++) {
        struct unread_input_cell_in cell = {
            .go = in->go >> i & 1, .spare = below, .config = in->config};
        cell.config.limit = (u8)(in->least[i] * in->config.limit);
        unread_input_cell(&self->unit[i], &cell);
    }
}

struct unread_input_in {
    u2 go;
    u8 least[2];
    struct unread_input_config config; // how to count
};
struct unread_input_out {
    u8 count[2];
    u1 below;
};
struct unread_input {
    struct unread_input_out out;
    struct unread_input_pair pair;
};

HLS_RESET void unread_input_reset(struct unread_input *self)
{
    self->out = (struct unread_input_out){0};
    unread_input_pair_reset(&self->pair);
}

HLS_MODULE void unread_input(struct unread_input *self, const struct unread_input_in *in)
{
    for (unsigned i = 0; i < 2; i++)
        self->out.count[i] = self->pair.out.count[i];
    self->out.below = self->pair.out.below;
    struct unread_input_pair_in pair = {.go = in->go, .config = in->config};
    for (unsigned i = 0; i < 2; i++)
        pair.least[i] = in->least[i];
    unread_input_pair(&self->pair, &pair);
}
