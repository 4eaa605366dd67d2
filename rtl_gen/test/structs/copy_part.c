// SPDX-License-Identifier: Apache-2.0
/*
 * copy_part: __builtin_memcpy and __builtin_memset of bytes that begin or end within an element, and of elements of one
 * size into those of another.
 */
#include "hls.h"

struct copy_part_in {
    u16 word;
    u32 wide;
    u2 at;
};
struct copy_part_out {
    u16 copied[4], filled[2], shifted[3];
    u32 joined;
    sint(20) number;
    u8 octet[4];
};
struct copy_part {
    struct copy_part_out out;
    u16 from[4];
};

HLS_RESET void copy_part_reset(struct copy_part *self)
{
    *self = (struct copy_part){0};
}

HLS_MODULE void copy_part(struct copy_part *self, const struct copy_part_in *in)
{
    u32 cut = 0;

    self->from[in->at] = in->word;
    __builtin_memcpy(&self->out.copied[1], &self->from[0], 3);
    __builtin_memset(&self->out.filled[0], 0xff, 1);
    __builtin_memset((char *)&self->out.filled[1] + 1, (u8)in->word, 1);
    __builtin_memcpy((char *)&self->out.shifted[0] + 1, &in->word, 2);
    __builtin_memcpy(&self->out.joined, &self->from[1], 4);
    __builtin_memcpy(self->out.octet, &in->wide, 4);
    __builtin_memcpy(&cut, (const char *)&in->wide + 1, 2);
    self->out.number = (sint(20))cut;
}
