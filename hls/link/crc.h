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

/* x * power modulo the polynomial. The sum power + power is a shift that also holds for one bit. */
static inline lcb_crc crc_times_x(lcb_crc power)
{
    u1 top = (u1)(power >> (LCB_CRC_BITS - 1));

    return (lcb_crc)(power + power) ^ (top ? (lcb_crc)LCB_CRC_POLY : (lcb_crc)0);
}

/* The remainder of {crc, word}: the sum of what each bit that is set stands for. */
static inline lcb_crc crc_step(lcb_crc crc, lcb_word word)
{
    lcb_crc sum = 0;
    lcb_crc power = 1;

#pragma clang loop unroll(full)
    for (int i = 0; i < LCB_WORD_BITS; i++) {
        sum ^= (u1)(word >> i) ? power : (lcb_crc)0;
        power = crc_times_x(power);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < LCB_CRC_BITS; i++) {
        sum ^= (u1)(crc >> i) ? power : (lcb_crc)0;
        power = crc_times_x(power);
    }
    return sum;
}

#endif
