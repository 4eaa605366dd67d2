// SPDX-License-Identifier: Apache-2.0
/*
 * A struct of six bytes from an array by a variable index, as an argument: clang passes it as one integer of 48 bits,
 * which takes eight bytes of memory, of which two are not the struct's.
 */
#include "hls.h"

struct entry {
    u6 part[3];
    u9 sum;
};

static const struct entry first[3] = {{{54}, 0}, {{31}, 511}, {{63}, 1}};

static struct entry add(struct entry e, u8 x)
{
    e.part[x % 3] = (u6)x;
    e.sum += x;
    return e;
}

struct struct_by_value_in {
    u3 number;
    u8 x;
};

struct struct_by_value_out {
    struct entry entry;
};

struct struct_by_value {
    struct struct_by_value_out out;
    struct entry last[3];
};

HLS_RESET void struct_by_value_reset(struct struct_by_value *self)
{
    *self = (struct struct_by_value){};
}

HLS_MODULE void struct_by_value(struct struct_by_value *self, const struct struct_by_value_in *in)
{
    int i = in->number % 3;
    self->out.entry = in->x < 100 ? add(first[i], in->x) : add(self->last[i], in->x);
    self->last[i] = self->out.entry;
}
