// SPDX-License-Identifier: Apache-2.0
/*
 * struct_padding: structs that clang lays out with bytes of padding as members of their own; an element
 * of an array of them, at a variable index, as argument, as local copy and as target.
 */
#include "hls.h"

struct padded {
    u5 kind;
    uint(129) payload;
    u9 count;
};
struct struct_padding_in {
    struct padded offer[3];
    u2 at;
    u1 keep;
};
struct struct_padding_out {
    u14 sum;
    uint(129) mixed;
};
struct struct_padding {
    struct struct_padding_out out;
    struct padded kept[4];
};

static u14 weight(struct padded p)
{
    p.count ^= p.kind;
    return (u14)p.count + (u14)(p.payload >> 115);
}

HLS_RESET void struct_padding_reset(struct struct_padding *self)
{
    *self = (struct struct_padding){.kept = {{.kind = 1}, {.kind = 2}}};
}

HLS_MODULE void struct_padding(struct struct_padding *self, const struct struct_padding_in *in)
{
    struct padded old = self->kept[in->at];

    self->out.sum = weight(in->offer[in->at < 3 ? in->at : (u2)2]);
    self->out.mixed = old.payload ^ old.kind;
    if (in->keep) {
        old.count++;
        self->kept[(u2)(in->at + 1)] = old;
    } else {
        self->kept[in->at] = in->offer[1];
    }
}
