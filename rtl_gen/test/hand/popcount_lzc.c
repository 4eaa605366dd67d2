// SPDX-License-Identifier: Apache-2.0
/*
 * popcount_lzc: ones and leading zeros of 64 bits. The contract is in README.md.
 */
#include "hls.h"

struct popcount_lzc_in {
    u64 x;
};
struct popcount_lzc_out {
    u7 ones;
    u7 zeros; /* above the highest one; 64 when there is none */
};
struct popcount_lzc {
    struct popcount_lzc_out out;
};

/* Seven bits are three: four full adders. */
static u3 count7(u7 x)
{
    u1 a = (u1)x, b = (u1)(x >> 1), c = (u1)(x >> 2);
    u1 d = (u1)(x >> 3), e = (u1)(x >> 4), f = (u1)(x >> 5), g = (u1)(x >> 6);
    u1 low = a ^ b ^ c, low_carry = (a & b) | (c & (a | b));
    u1 high = d ^ e ^ f, high_carry = (d & e) | (f & (d | e));
    u1 carry = (low & high) | (g & (low | high));
    u1 upper = (low_carry & high_carry) | (carry & (low_carry | high_carry));

    return (u3)upper << 2 | (u3)(u1)(low_carry ^ high_carry ^ carry) << 1 | (u1)(low ^ high ^ g);
}

/* From here on every sum of two has a bit more to carry in. */
static u4 count15(u15 x)
{
    return (u4)count7((u7)x) + (u4)count7((u7)(x >> 7)) + (u4)(x >> 14);
}

/* Leading zeros of four bits that are not all zero. */
static u2 leading(u4 x)
{
    u1 upper = (u2)(x >> 2) == 0;
    u1 odd = !(x & 8) && ((x & 4) || !(x & 2));

    return (u2)upper << 1 | odd;
}

HLS_RESET void popcount_lzc_reset(struct popcount_lzc *self)
{
    *self = (struct popcount_lzc){.out.zeros = 64};
}

HLS_MODULE void popcount_lzc(struct popcount_lzc *self, const struct popcount_lzc_in *in)
{
    u64 x = in->x;
    u5 low = (u5)count15((u15)x) + (u5)count15((u15)(x >> 15)) + (u5)(u1)(x >> 60);
    u5 high = (u5)count15((u15)(x >> 30)) + (u5)count15((u15)(x >> 45)) + (u5)(u1)(x >> 61);
    u6 most = (u6)low + (u6)high + (u6)(u1)(x >> 62);
    u16 any = 0; /* the nibbles that have a one, and four of them each */
    u4 any4 = 0;

    for (int i = 0; i < 16; i++) {
        any |= (u16)((u4)(x >> 4 * i) != 0) << i;
    }
    for (int i = 0; i < 4; i++) {
        any4 |= (u4)((u4)(any >> 4 * i) != 0) << i;
    }
    u2 first = leading(any4);
    u2 second = leading((u4)(any >> ((u4)(u2)~first << 2)));
    u4 nibble = (u4)(x >> ((u6)(u2)~first << 4 | (u6)(u2)~second << 2));

    self->out.ones = (u7)most + (u7)(x >> 63);
    self->out.zeros = any4 == 0 ? (u7)64 : (u7)first << 4 | (u7)second << 2 | leading(nibble);
}
