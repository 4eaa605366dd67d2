// SPDX-License-Identifier: Apache-2.0
/*
 * phit_store.h - a phit in the replay buffer.
 *
 *   35  28 27 22 21                     0
 *  +------+-----+------------------------+
 *  |kinds | ecc |        content         |    kinds: the kind four times; ecc, an instance of ecc.inc, is over the content
 *  +------+-----+------------------------+
 *
 *  Four copies correct a single-bit error in a kind and detect a double-bit error: none moves the border of a packet.
 */
#ifndef PHIT_STORE_H
#define PHIT_STORE_H

#include "link/packet/phit.h"

#define ECC      phit_ecc
#define ECC_DATA LCB_FLIT_BITS
#define ECC_BITS LCB_ECC_BITS
#include "common/ecc.inc"

typedef uint(LCB_FLIT_BITS + LCB_ECC_BITS + 8) phit_stored;

/* A phit as it was read. */
struct phit_read {
    struct phit phit;
    u1 corrected; /* a single-bit error */
    u1 fatal;     /* a double-bit error in the content */
    u1 torn;      /* or in the kind */
};

static inline phit_stored phit_store(struct phit phit)
{
    u8 kinds = (u8)((u8)((u8)phit.kind << 6) | (u8)((u8)phit.kind << 4) | (u8)((u8)phit.kind << 2) |
                    phit.kind);

    return (phit_stored)(((phit_stored)kinds << (LCB_FLIT_BITS + LCB_ECC_BITS)) |
                         phit_ecc_encode(phit.content));
}

/* How many of four copies of a bit are set. */
static inline u3 copies_set(u8 kinds, int bit)
{
    return (u3)((u3)(u1)(kinds >> bit) + (u3)(u1)(kinds >> (2 + bit)) +
                (u3)(u1)(kinds >> (4 + bit)) + (u3)(u1)(kinds >> (6 + bit)));
}

static inline struct phit_read phit_load(phit_stored stored)
{
    struct phit_ecc_result content = phit_ecc_decode((phit_ecc_word)stored);
    u8 kinds = (u8)(stored >> (LCB_FLIT_BITS + LCB_ECC_BITS));
    u3 high = copies_set(kinds, 1);
    u3 low = copies_set(kinds, 0);
    u1 torn = high == 2 || low == 2;
    u1 differ = (u3)(high & 3) != 0 || (u3)(low & 3) != 0;

    return (struct phit_read){
        .phit = {.kind = (u2)((u2)((u2)(u1)(high >= 3) << 1) | (u1)(low >= 3)),
                 .content = content.data},
        .corrected = content.corrected || (differ && !torn),
        .fatal = content.fatal,
        .torn = torn,
    };
}

#endif
