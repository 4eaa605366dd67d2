// SPDX-License-Identifier: Apache-2.0
/*
 * bytes: __builtin_memcpy and __builtin_memset between scalars and arrays of bytes, and 128-bit
 * plain integers.
 */
#include "hls.h"

struct bytes_in {
    u32 word;
    u2 at;
    u8 byte_in;
    u5 turn;
};
struct bytes_out {
    u32 patched;
    u16 middle;
    u64 folded;
};
struct bytes {
    struct bytes_out out;
    u8 history[8];
};

HLS_RESET void bytes_reset(struct bytes *self)
{
    *self = (struct bytes){.out.folded = 1};
    __builtin_memset(self->history, 0x5a, sizeof self->history);
}

HLS_MODULE void bytes(struct bytes *self, const struct bytes_in *in)
{
    u8 part[4];
    __builtin_memcpy(part, &in->word, sizeof part);
    part[in->at] ^= in->byte_in;
    __builtin_memcpy(&self->out.patched, part, sizeof part);
    __builtin_memcpy(&self->out.middle, &self->history[3], sizeof self->out.middle);
    for (int i = 7; i > 0; i--) {
        self->history[i] = self->history[i - 1];
    }
    self->history[0] = part[in->byte_in & 3];

    unsigned __int128 wide = (unsigned __int128)in->word << (in->turn + 64) | self->out.folded;
    wide *= 0x9e3779b97f4a7c15;
    self->out.folded = (u64)(wide >> 64) ^ (u64)wide;
}
