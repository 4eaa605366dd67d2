// SPDX-License-Identifier: Apache-2.0
/*
 * secded.h - single error correction, double error detection over one stored flit.
 *
 *   54  48 47                              0
 *  +------+---------------------------------+
 *  | ecc  |              flit               |
 *  +------+---------------------------------+
 *
 * Extended Hamming: data bit i has as its column the i-th number from 3 on that is not a power of
 * two; check bit j of the lower 6 is the parity of all data bits whose column has bit j; the top
 * check bit is the parity of data and the other check bits. An odd overall parity is one wrong bit,
 * which the syndrome names; an even one with a syndrome is two.
 */
#ifndef SECDED_H
#define SECDED_H

#include "link/link_types.h"

#define LCB_STORED_BITS  (LCB_FLIT_BITS + LCB_ECC_BITS)
#define LCB_HAMMING_BITS (LCB_ECC_BITS - 1)

typedef uint(LCB_STORED_BITS) lcb_stored;
typedef uint(LCB_ECC_BITS) lcb_ecc;
typedef uint(LCB_HAMMING_BITS) lcb_hamming;

struct secded_result {
    lcb_flit flit;
    u1 corrected; /* one bit was wrong */
    u1 fatal;     /* two bits were wrong, flit is not to be trusted */
};

/* The column after one: powers of two belong to the check bits. */
static inline unsigned secded_next_column(unsigned column)
{
    unsigned next = column + 1;

    return (next & (next - 1)) == 0 ? next + 1 : next;
}

static inline lcb_hamming secded_hamming(lcb_flit flit)
{
    lcb_hamming check = 0;
    unsigned column = 3;

#pragma clang loop unroll(full)
    for (int i = 0; i < LCB_FLIT_BITS; i++) {
        check ^= (u1)(flit >> i) ? (lcb_hamming)column : 0;
        column = secded_next_column(column);
    }
    return check;
}

static inline u1 secded_parity(lcb_stored word)
{
    u64 folded = word;

    folded ^= folded >> 32;
    folded ^= folded >> 16;
    folded ^= folded >> 8;
    folded ^= folded >> 4;
    folded ^= folded >> 2;
    folded ^= folded >> 1;
    return (u1)folded;
}

static inline lcb_stored secded_encode(lcb_flit flit)
{
    lcb_stored word = (lcb_stored)(((lcb_stored)secded_hamming(flit) << LCB_FLIT_BITS) | flit);

    return (lcb_stored)(word | ((lcb_stored)secded_parity(word) << (LCB_STORED_BITS - 1)));
}

/* The flit bit whose column is the syndrome: upper and lower part are decoded on their own. */
static inline lcb_flit secded_flip(lcb_hamming syndrome, u1 odd)
{
    uint(1 << (LCB_HAMMING_BITS - 2)) upper = 1;
    u4 lower = odd;
    lcb_flit flip = 0;
    unsigned column = 3;

    upper <<= syndrome >> 2;
    lower <<= (u2)syndrome;
#pragma clang loop unroll(full)
    for (int i = 0; i < LCB_FLIT_BITS; i++) {
        u1 hit = (u1)(upper >> (column >> 2)) & (u1)(lower >> (column & 3));

        flip |= (lcb_flit)((lcb_flit)hit << i);
        column = secded_next_column(column);
    }
    return flip;
}

static inline struct secded_result secded_decode(lcb_stored word)
{
    lcb_flit flit = (lcb_flit)word;
    lcb_hamming syndrome = secded_hamming(flit) ^ (lcb_hamming)(word >> LCB_FLIT_BITS);
    u1 odd = secded_parity(word);

    return (struct secded_result){
        .flit = flit ^ secded_flip(syndrome, odd),
        .corrected = odd,
        .fatal = (u1)(!odd && syndrome != 0),
    };
}

#endif
