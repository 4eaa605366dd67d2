// SPDX-License-Identifier: Apache-2.0
/*
 * crc: a CRC of 20 bits over words of 48 bits, one word per clock. The contract is in README.md.
 */
#include "hls.h"

struct crc_in {
    u1 valid; /* a word comes */
    u1 first; /* with valid: it is the first of its message */
    u48 word;
};
struct crc_out {
    u20 remainder; /* of the words so far */
    u1 match;      /* the remainder is zero: message and CRC agree */
};
struct crc {
    struct crc_out out;
};

static u20 divide(u48 word)
{
    u20 rest = 0;

    for (int i = 47; i >= 0; i--) {
        u1 carry = (u1)(rest >> 19) ^ (u1)(word >> i);
        rest = rest << 1 ^ (carry ? (u20)0xc4047 : (u20)0);
    }
    return rest;
}

HLS_RESET void crc_reset(struct crc *self)
{
    *self = (struct crc){0};
}

HLS_MODULE void crc(struct crc *self, const struct crc_in *in)
{
    u20 so_far = in->first ? (u20)0xfffff : self->out.remainder;

    if (in->valid) {
        self->out.remainder = divide(in->word ^ (u48)so_far << 28);
        self->out.match = self->out.remainder == 0;
    }
}
