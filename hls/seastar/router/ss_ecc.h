// SPDX-License-Identifier: Apache-2.0
/*
 * ss_ecc.h - codes of the router's memories.
 *
 * A flit is stored as two code words. Each has the tail mark, so that a packet still ends if one of them is uncorrectable.
 */
#ifndef SS_ECC_H
#define SS_ECC_H

#include "seastar/router/ss_flit.h"

#define ECC      ss_low_ecc
#define ECC_DATA 34 /* flit [31:0], tail, bad */
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      ss_high_ecc
#define ECC_DATA 33 /* flit [63:32], tail */
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      ss_entry_ecc
#define ECC_DATA 4 /* port, v */
#define ECC_BITS 4
#include "common/ecc.inc"

#define ECC      ss_packet_ecc
#define ECC_DATA 20 /* port, next VC's lowest bit, born, length */
#define ECC_BITS 6
#include "common/ecc.inc"

#define SS_WORD_BITS (34 + 7 + 33 + 7)
typedef uint(SS_WORD_BITS) ss_word;

struct ss_marked {
    ss_flit flit;
    u1 tail;
    u1 bad;
};

static inline ss_word ss_encode(struct ss_marked m)
{
    ss_low_ecc_data low = (ss_low_ecc_data)((u32)m.flit) | ((ss_low_ecc_data)m.tail << 32) |
                          ((ss_low_ecc_data)m.bad << 33);
    ss_high_ecc_data high =
        (ss_high_ecc_data)((u32)(m.flit >> 32)) | ((ss_high_ecc_data)m.tail << 32);

    return ((ss_word)ss_high_ecc_encode(high) << 41) | ss_low_ecc_encode(low);
}

static inline ss_low_ecc_word ss_low(ss_word word)
{
    return (ss_low_ecc_word)word;
}

static inline ss_high_ecc_word ss_high(ss_word word)
{
    return (ss_high_ecc_word)(word >> 41);
}

#endif
