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

#include "link/micropacket/sideband.h"

typedef uint(LCB_WORD_BITS / 2) crc_half;

/* x * power modulo the polynomial. The sum power + power is a shift that also holds for one bit. */
static inline u32 crc_times_x(u32 power)
{
    u32 next = power + power;

    return next ^ ((u1)(next >> LCB_CRC_BITS) ? 1u << LCB_CRC_BITS | LCB_CRC_POLY : 0);
}

/*
 * The remainder of {crc, word}: the sum of what each bit that is set stands for. The lowest bits of the word
 * are their own remainder. The others, a word of them, go in halves and the function stays one, because clang then
 * works on several bits at once.
 */
__attribute__((noinline)) static inline lcb_crc crc_step(lcb_crc crc, lcb_word word)
{
    lcb_word above =
        ((lcb_word)crc << (LCB_WORD_BITS - LCB_CRC_BITS)) | (lcb_word)(word >> LCB_CRC_BITS);
    u32 sum = 0;
    u32 power = LCB_CRC_POLY;

#pragma clang loop unroll(full)
    for (int half = 0; half < 2; half++) {
        u32 bits = (crc_half)(above >> (LCB_WORD_BITS / 2 * half));

#pragma clang loop unroll(full)
        for (int i = 0; i < LCB_WORD_BITS / 2; i++) {
            sum ^= (bits & 1u << i) != 0 ? power : 0;
            power = crc_times_x(power);
        }
    }
    return (lcb_crc)(word ^ sum);
}

#endif
