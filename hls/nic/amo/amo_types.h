// SPDX-License-Identifier: Apache-2.0
/*
 * amo_types.h - sizes of amo, and what its parts say to each other.
 */
#ifndef AMO_TYPES_H
#define AMO_TYPES_H

#include "nic/amo/amo_retire.h"
#include "nic/packet/nic_types.h"

#define AMO_WAYS      (1 << NIC_AMO_WAYS_LOG2)
#define AMO_ENTRIES   (1 << NIC_AMO_LOG2)
#define AMO_SETS_LOG2 (NIC_AMO_LOG2 - NIC_AMO_WAYS_LOG2)
#define AMO_SETS      (1 << AMO_SETS_LOG2)
#define AMO_FLYING    (1 << NIC_PUTS_LOG2) /* operations that are done here and not answered; writes */

#if NIC_AMO_LOG2 <= NIC_AMO_WAYS_LOG2
#error "config: NIC_AMO_LOG2 is more than NIC_AMO_WAYS_LOG2: there are two sets at least"
#endif

typedef uint(NIC_AMO_LOG2) amo_entry;      /* {set, way} */
typedef uint(AMO_ENTRIES) amo_entries;     /* one bit per entry */
typedef uint(NIC_AMO_LOG2 + 1) amo_number; /* of entries */
typedef uint(AMO_SETS_LOG2) amo_set;
typedef uint(NIC_AMO_WAYS_LOG2) amo_way;
typedef uint(AMO_WAYS) amo_ways; /* one bit per way of a set */

typedef uint(NIC_PUTS_LOG2) amo_place;       /* of an answer */
typedef uint(NIC_PUTS_LOG2 + 1) amo_answers; /* a number of them; of a write since the beginning */

/* {whom 33, counted 1, status 4, fetch 1, wide 1} and the lower 18 bits of the old value; its upper 46, {use 2, ssid 9}. */
#define ECC      answer_ecc
#define ECC_DATA 58
#define ECC_BITS 8
#include "common/ecc.inc"

#define AMO_ANSWER_BITS (58 + 8)
typedef uint(2 * AMO_ANSWER_BITS) amo_answer_code;

/* An answer. */
struct amo_end {
    u1 valid;
    u1 ready; /* it waits for no write: the operation is not done, or its change is kept back */
    amo_operation number;
    amo_answer_code code;
};

static inline amo_entries bit_of(amo_entry entry)
{
    return (amo_entries)((amo_entries)1 << entry);
}

static inline amo_way first_way(amo_ways ways)
{
    amo_way first = AMO_WAYS - 1;

    for (int w = AMO_WAYS - 2; w >= 0; w--) {
        first = (u1)(ways >> w) ? (amo_way)w : first;
    }
    return first;
}

#endif
