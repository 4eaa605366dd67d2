// SPDX-License-Identifier: Apache-2.0
/*
 * enum_other.c - an input of an enum may hold what is no enumerator, and be compared with it.
 */
#include "hls.h"

enum enum_other_kind { KIND_NONE, KIND_DATA, KIND_LAST = 19 };

struct enum_other_in {
    enum enum_other_kind kind;
    u6 value;
};

struct enum_other_out {
    u6 sum;
};

struct enum_other {
    struct enum_other_out out;
};

HLS_RESET void enum_other_reset(struct enum_other *self)
{
    *self = (struct enum_other){0};
}

HLS_MODULE void enum_other(struct enum_other *self, const struct enum_other_in *in)
{
    if (in->kind == KIND_NONE)
        self->out.sum = in->value;
    else if (in->kind == KIND_DATA)
        self->out.sum += in->value;
    else if ((u5)in->kind == 31)
        self->out.sum = 1;
}
