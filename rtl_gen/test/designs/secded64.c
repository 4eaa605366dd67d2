// SPDX-License-Identifier: Apache-2.0
/*
 * secded64: eight check bits over 64 data bits correct one error and detect two (an extended
 * Hamming code: data bit i belongs to the check bits of the i-th number that is no power of two).
 * The module encodes, flips up to two bits of the word, decodes, and compares.
 */
#include "hls.h"

struct secded64_in {
    u64 data;
    u7 flip_a, flip_b; /* 72 .. 127: none */
};
struct secded64_out {
    u64 read;
    u1 corrected, failed;
    u16 corrections;
};
struct secded64 {
    struct secded64_out out;
    uint(72) word; /* {parity, seven check bits, data} */
};

static u7 secded64_check(u64 data)
{
    u7 check = 0;
    u7 place = 3;
    for (int i = 0; i < 64; i++) {
        if (data >> i & 1) {
            check ^= place;
        }
        place++;
        if ((place & (place - 1)) == 0) {
            place++;
        }
    }
    return check;
}

static u1 parity72(uint(72) x)
{
    u1 parity = 0;
    for (int i = 0; i < 72; i++) {
        parity ^= (u1)(x >> i);
    }
    return parity;
}

static uint(72) secded64_encode(u64 data)
{
    uint(72) word = (uint(72))secded64_check(data) << 64 | data;
    return (uint(72))parity72(word) << 71 | word;
}

/* The data with a single error put right. */
static u64 secded64_correct(u64 data, u7 syndrome)
{
    u7 place = 3;
    for (int i = 0; i < 64; i++) {
        if (syndrome == place) {
            data ^= (u64)1 << i;
        }
        place++;
        if ((place & (place - 1)) == 0) {
            place++;
        }
    }
    return data;
}

static uint(72) flip(uint(72) word, u7 at)
{
    return at < 72 ? word ^ (uint(72))1 << at : word;
}

HLS_RESET void secded64_reset(struct secded64 *self)
{
    *self = (struct secded64){0};
}

HLS_MODULE void secded64(struct secded64 *self, const struct secded64_in *in)
{
    u64 data = (u64)self->word;
    u7 syndrome = (u7)(self->word >> 64) ^ secded64_check(data);
    u1 odd = parity72(self->word);
    self->out.read = odd ? secded64_correct(data, syndrome) : data;
    self->out.corrected = odd;
    self->out.failed = !odd && syndrome != 0;
    self->out.corrections += odd;
    self->word = flip(flip(secded64_encode(in->data), in->flip_a), in->flip_b);
}
