// SPDX-License-Identifier: Apache-2.0
/*
 * pte_types.h - lines of page table entries: their keys, sets and places.
 *
 * Entries of page tables have 64 bits: [0] valid, [1] writable, [47:12] frame. A line is named by its key, {upper, context, number}: line n of a
 * table has entries 8 n to 8 n + 7; upper: of a context's first table of two.
 */
#ifndef PTE_TYPES_H
#define PTE_TYPES_H

#include "axi/memory.h"

#define PTE_WAYS      4
#define PTE_SETS_LOG2 (NIC_PTE_LOG2 - 2)
#define PTE_WALKS     (1 << NIC_WALKS_LOG2) /* lines that are read at once */

typedef uint(38) pte_key; /* {upper 1, context 4, number 33} */
typedef uint(19) pte_half;
#define PTE_UPPER_AT   37
#define PTE_CONTEXT_AT 33

typedef uint(PTE_SETS_LOG2) pte_set;
typedef uint(NIC_PTE_LOG2) pte_place; /* of a line: {way, set} */
typedef uint(NIC_PTE_LOG2 + 2) pte_beat_place;
typedef uint(NIC_WALKS_LOG2 + 1) pte_walk_count; /* of lines under way */
typedef u42 pte_line_address;                    /* of 64 bytes */

/* {frame 36, writable, valid}; not valid but writable: the table could not be read, and the frame is the enum mem_status. */
typedef uint(38) pte_entry;

/* An entry as it is kept: with half of its line's key under the code, so that a wrong bit of the key is found as one of the entry is. */
#define ECC      pte_ecc
#define ECC_DATA 57
#define ECC_BITS 7
#include "common/ecc.inc"

typedef uint(38 + 7) pte_code;
typedef uint(2 * (38 + 7))
    pte_beat; /* entries of a beat: those with the low half of the key, with the high one */

/* A line to be read. */
struct pte_ask {
    u1 valid;
    u1 must; /* also in the place of one that nobody has looked into yet */
    pte_key key;
    pte_line_address addr;
};

/* Of a line that was looked into. */
enum pte_mark {
    PTE_USED,   /* it may be replaced, if it will not be used again */
    PTE_AHEAD,  /* it will be used, once more than is known */
    PTE_BROKEN, /* it is forgotten */
};

/* The set of a line: first tables apart from others, contexts from each other. */
static inline pte_set set_of(pte_key key)
{
    u4 context = (u4)(key >> PTE_CONTEXT_AT);
    u1 upper = (u1)(key >> PTE_UPPER_AT);

    return (pte_set)((pte_set)key ^ (pte_set)(key >> PTE_SETS_LOG2) ^ (pte_set)context ^
                     (pte_set)((pte_set)upper << (PTE_SETS_LOG2 - 1)));
}

/* What half of a key adds to the check bits of an entry, whose code is linear. */
static inline u7 key_check(pte_half half)
{
    return (u7)(pte_ecc_encode((pte_ecc_data)((pte_ecc_data)half << 38)) >> 57);
}

#endif
