// SPDX-License-Identifier: Apache-2.0
/*
 * crc.h - the micropacket CRC, one word per clock.
 *
 * Polynomial 0xC4047 (x^20 + x^19 + x^18 + x^14 + x^6 + x^2 + x + 1, normal form, top term
 * implied), register all ones before the first flit, most significant bit of each word first, no
 * final inversion. It covers payload slots 0 to 8 and then the 28 sideband bits of the tail: 460
 * bits, so 0xC4047 still has Hamming distance 6 (Koopman's CRC tables).
 */
#ifndef CRC_H
#define CRC_H

#include "link/sideband.h"

/* The sum crc + crc is the shift by one; it also holds for the one-bit mark of formal.h. */
static inline lcb_crc crc_bit(lcb_crc crc, u1 bit)
{
    u1 top = (u1)(crc >> (LCB_CRC_BITS - 1)) ^ bit;

    return (lcb_crc)((lcb_crc)(crc + crc) ^ (top ? (lcb_crc)LCB_CRC_POLY : 0));
}

/* Continues crc over one payload flit. */
static inline lcb_crc crc_flit(lcb_crc crc, lcb_flit flit)
{
    for (int i = LCB_FLIT_BITS - 1; i >= 0; i--) {
        crc = crc_bit(crc, (u1)(flit >> i));
    }
    return crc;
}

/* Finishes crc over the sideband. */
static inline lcb_crc crc_side(lcb_crc crc, lcb_side side)
{
    for (int i = LCB_SIDE_BITS - 1; i >= 0; i--) {
        crc = crc_bit(crc, (u1)(side >> i));
    }
    return crc;
}

#endif
