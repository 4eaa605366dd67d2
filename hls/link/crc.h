// SPDX-License-Identifier: Apache-2.0
/*
 * crc.h - the micropacket CRC, one word per clock.
 *
 * Polynomial 0xC4047 (x^20 + x^19 + x^18 + x^14 + x^6 + x^2 + x + 1, normal form, top term
 * implied), register all ones before the first flit, most significant bit of each word first, no
 * final inversion. It covers payload slots 0 to 8 and then the 28 sideband bits of the tail: 460
 * bits, so 0xC4047 still has Hamming distance 6 (Koopman's CRC tables).
 *
 * Computed as the remainder of the whole division: a step takes the remainder so far and the next
 * word. The sender's tail ends in zeros, for which the last remainder then stands in; the receiver
 * divides the tail as it came and must find 0. All ones in front of the message are, twenty bits
 * earlier, the start value LCB_CRC_START.
 */
#ifndef CRC_H
#define CRC_H

#include "link/sideband.h"

/* x^exponent modulo the polynomial. */
static inline u32 crc_power(int exponent)
{
    u32 power = 1;

#pragma clang loop unroll(full)
    for (int i = 0; i < exponent; i++) {
        power = power + power;
        power ^= (u1)(power >> LCB_CRC_BITS) ? (1u << LCB_CRC_BITS) | LCB_CRC_POLY : 0;
    }
    return power;
}

/* The remainder of bits * x^exponent: the sum of what each bit that is set stands for. */
static inline u32 crc_sum(u32 bits, int count, int exponent)
{
    u32 sum = 0;

#pragma clang loop unroll(full)
    for (int i = 0; i < count; i++) {
        sum ^= (u1)(bits >> i) ? crc_power(exponent + i) : 0;
    }
    return sum;
}

/* The remainder of {crc, word}. The lowest bits of the word are their own remainder. */
static inline lcb_crc crc_step(lcb_crc crc, lcb_word word)
{
    u32 above = (u32)(word >> LCB_CRC_BITS);

    return (lcb_crc)word ^ (lcb_crc)crc_sum(above, LCB_WORD_BITS - LCB_CRC_BITS, LCB_CRC_BITS) ^
           (lcb_crc)crc_sum(crc, LCB_CRC_BITS, LCB_WORD_BITS);
}

#endif
