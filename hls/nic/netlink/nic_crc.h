// SPDX-License-Identifier: Apache-2.0
/*
 * nic_crc.h - the codes of a packet, end to end: the CRC of all that have more than one flit, chk of responses.
 *
 * CRC: polynomial 0xA2EB (x^16 + x^15 + x^13 + x^9 + x^7 + x^6 + x^5 + x^3 + x + 1, normal form), register all ones before
 * the first flit, bit 47 of each flit first, over the whole packet with vc and phase as zeros. It stands in [47:32] of the
 * last flit, with 32 bits behind it, and is such that the remainder of the whole is 0.
 *
 * What is kept from flit to flit is the remainder times x^-32: so it is, with zeros in the place of the CRC, the CRC itself,
 * and 0 where the remainder is.
 */
#ifndef NIC_CRC_H
#define NIC_CRC_H

#include "nic/packet/nic_packet.h"

#define NIC_CRC_POLY   0xA2EB
#define NIC_CRC_START  0x2A54 /* 0xFFFF times x^-48 */
#define NIC_CRC_BACK32 0x2DD3 /* x^-32 */
#define NIC_CRC_ON48   0x1D29 /* x^48 */
#define NIC_CRC_AT     32     /* in the last flit */

static inline u32 nic_crc_times_x(u32 power)
{
    u32 next = power << 1;

    return next ^ ((u1)(next >> 16) ? 1u << 16 | NIC_CRC_POLY : 0);
}

/* The remainder behind one more flit: the sum of what each bit that is set stands for. */
static inline nic_crc nic_crc_step(nic_crc crc, rtr_flit flit)
{
    u32 sum = 0;
    u32 power = NIC_CRC_BACK32;

#pragma clang loop unroll(full)
    for (int i = 0; i < 48; i++) {
        sum ^= (u1)(flit >> i) ? power : 0;
        power = nic_crc_times_x(power);
    }
    power = NIC_CRC_ON48;
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
        sum ^= (u1)(crc >> i) ? power : 0;
        power = nic_crc_times_x(power);
    }
    return (nic_crc)sum;
}

/* A head as the codes see it: without what routers change. */
static inline rtr_flit nic_covered(rtr_flit head)
{
    return head_on(head, 0, 0);
}

/* chk: polynomial x^4 + x + 1, start 1111, over the head of a response with chk as zeros; nic_covered() and without chk. */
static inline u4 nic_chk(rtr_flit head)
{
    rtr_flit start =
        (rtr_flit)(head ^ ((rtr_flit)0xF << 44)); /* start value: the first four bits turned over */
    u8 power = 1;
    u8 sum = 0;

#pragma clang loop unroll(full)
    for (int i = 0; i < 48; i++) {
        sum ^= (u1)(start >> i) ? power : (u8)0;
        power = (u8)(power << 1);
        power ^= (u1)(power >> 4) ? (u8)0x13 : (u8)0;
    }
    return (u4)sum;
}

#endif
