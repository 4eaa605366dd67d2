// SPDX-License-Identifier: Apache-2.0
/*
 * nic_counts.h - which of the NIC's counters a bit of a block's out.count is.
 */
#ifndef NIC_COUNTS_H
#define NIC_COUNTS_H

#include "hls.h"
#include "nic/nic_map.h"

#define NIC_COUNTERS_LOG2 6
#define NIC_COUNTERS      (1 << NIC_COUNTERS_LOG2)

typedef uint(NIC_COUNTERS) nic_counts;      /* one bit per counter */
typedef uint(NIC_COUNTERS_LOG2) nic_number; /* of a counter */

/* A counter of the register map, numbered from the first one on. */
#define NUMBER(counter) (NR_##counter - NR_REGISTER_REFUSED)

/* Bits [from, from + n) of a block's counts, as counters from `at` on. */
static inline nic_counts counters(u64 bits, int from, int n, int at)
{
    return (nic_counts)(((bits >> from) & (((u64)1 << n) - 1)) << at);
}

#endif
