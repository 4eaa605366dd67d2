// SPDX-License-Identifier: Apache-2.0
/*
 * rst_of_child: a module that its parent resets one by one, beside the reset of all: with a child and memories of its own, alone and
 * as an array.
 */
#include "hls.h"

struct rst_of_child_count_in {
    u1 up;
};

struct rst_of_child_count_out {
    u4 n;
};

struct rst_of_child_count {
    struct rst_of_child_count_out out;
};

HLS_RESET void rst_of_child_count_reset(struct rst_of_child_count *self)
{
    self->out.n = 3;
}

HLS_MODULE void rst_of_child_count(struct rst_of_child_count *self,
                                   const struct rst_of_child_count_in *in)
{
    self->out.n += in->up;
}

struct rst_of_child_unit_in {
    u1 rst; /* of this one alone */
    u4 data;
    u1 write;
};

struct rst_of_child_unit_out {
    u4 last;
    u4 n;
};

struct rst_of_child_unit {
    struct rst_of_child_unit_out out;
    u2 at;
    struct rst_of_child_count count;
    HLS_LUTRAM(1) u4 memory[4];
};

HLS_RESET void rst_of_child_unit_reset(struct rst_of_child_unit *self)
{
    self->out.last = 5;
    self->out.n = 3;
    self->at = 0;
    rst_of_child_count_reset(&self->count);
}

HLS_MODULE void rst_of_child_unit(struct rst_of_child_unit *self,
                                  const struct rst_of_child_unit_in *in)
{
    hls_reset_by(in->rst, rst_of_child_unit_reset, self);

    struct rst_of_child_count_in up = {.up = in->write};

    self->out.last = self->memory[self->at];
    if (in->write) {
        self->memory[self->at] = in->data;
        self->at++;
    }
    rst_of_child_count(&self->count, &up);
    self->out.n = self->count.out.n;
}

struct rst_of_child_in {
    u4 data;
    u1 write;
    u1 restart[2]; /* element i is reset */
    u1 hold;       /* so is the other one, while this differs from the clock before */
};

struct rst_of_child_out {
    u4 sum;
    u4 n;
};

struct rst_of_child {
    struct rst_of_child_out out;
    u1 held;
    struct rst_of_child_unit unit[2];
    struct rst_of_child_unit other;
};

HLS_RESET void rst_of_child_reset(struct rst_of_child *self)
{
    self->out = (struct rst_of_child_out){.n = 3};
    self->held = 0;
    for (int i = 0; i < 2; i++) {
        rst_of_child_unit_reset(&self->unit[i]);
    }
    rst_of_child_unit_reset(&self->other);
}

HLS_MODULE void rst_of_child(struct rst_of_child *self, const struct rst_of_child_in *in)
{
    struct rst_of_child_unit_in other = {self->held ^ in->hold, in->data, in->write};

    self->out.sum = self->unit[0].out.last + self->unit[1].out.last;
    self->held = in->hold;
    for (int i = 0; i < 2; i++) {
        struct rst_of_child_unit_in to = {in->restart[i], in->data, in->write};

        rst_of_child_unit(&self->unit[i], &to);
    }
    rst_of_child_unit(&self->other, &other);
    self->out.n = self->other.out.n;
}
