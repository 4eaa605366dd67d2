// SPDX-License-Identifier: Apache-2.0
/*
 * builtin_names: memcpy, memmove, memset, abs and labs are clang's builtins of these names; a function of a file that is named
 * like another one, round, is that function.
 */
#include "hls.h"

#include <stdlib.h>
#include <string.h>

struct builtin_names_in {
    u8 a, b;
    u16 from[3];
};
struct builtin_names_out {
    u8 octet[6];
    u16 words[3];
    u9 distance;
    u10 further;
    u8 rounded;
};
struct builtin_names {
    struct builtin_names_out out;
};

static u8 round(u8 a)
{
    return a & 0xf0;
}

HLS_RESET void builtin_names_reset(struct builtin_names *self)
{
    memset(self, 0, sizeof *self);
}

HLS_MODULE void builtin_names(struct builtin_names *self, const struct builtin_names_in *in)
{
    memmove(&self->out.octet[1], &self->out.octet[0], 5);
    memset(self->out.octet, in->a, 1);
    memcpy(self->out.words, in->from, sizeof self->out.words);
    self->out.distance = (u9)abs((int)in->a - (int)in->b);
    self->out.further = (u10)labs((long)in->a - 3 * (long)in->b);
    self->out.rounded = round(in->a);
}
