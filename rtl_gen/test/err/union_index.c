// SPDX-License-Identifier: Apache-2.0
/* A union read at a variable place, in another type than it was written in. */
#include "hls.h"

struct union_index_in {
    u32 word;
    u2 at;
};
struct union_index_out {
    u8 byte_of;
};
struct union_index {
    struct union_index_out out;
};

HLS_RESET void union_index_reset(struct union_index *self)
{
    *self = (struct union_index){0};
}

HLS_MODULE void union_index(struct union_index *self, const struct union_index_in *in)
{
    union {
        unsigned word;
        unsigned char part[4];
    } both = {.word = (unsigned)in->word};
    self->out.byte_of = both.part[2];
    self->out.byte_of = both.part[in->at];
}
