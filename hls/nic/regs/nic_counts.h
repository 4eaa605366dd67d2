// SPDX-License-Identifier: Apache-2.0
/*
 * nic_counts.h - which of the NIC's counters a bit of a block's out.count is, and what blocks report beside such bits.
 */
#ifndef NIC_COUNTS_H
#define NIC_COUNTS_H

#include "nic/regs/nic_map.h"
#include "nic/packet/nic_packet.h"

#define NIC_COUNTERS_LOG2 7 /* numbers of counters and sums, from NR_REGISTER_REFUSED on */

/* A counter of the register map, numbered from the first one on. */
#define NUMBER(counter) (NR_##counter - NR_REGISTER_REFUSED)

/* Those of this machine: the last ones are of collective engines. */
#if NIC_CE
#define NIC_COUNTERS NR_COUNTERS
#else
#define NIC_COUNTERS NUMBER(CE_FATAL)
#endif

typedef uint(NIC_COUNTERS) nic_counts;      /* one bit per counter */
typedef uint(NIC_COUNTERS_LOG2) nic_number; /* of a counter or sum */
typedef u7 nic_amount;                      /* what a sum grows by in a clock */

/* The first sum; all are behind the counters. */
#define NIC_SUMS_AT NUMBER(ORB_REQUEST_BYTES)
#if NR_COUNTERS > NIC_SUMS_AT || NIC_SUMS_AT + NR_SUMS > 1 << NIC_COUNTERS_LOG2
#error "nic.rdl: counters and sums overlap, or there are more than 128"
#endif

/* Bits [from, from + n) of a block's counts, as counters from `at` on. */
static inline nic_counts counters(u64 bits, int from, int n, int at)
{
    return (nic_counts)((nic_counts)((bits >> from) & (((u64)1 << n) - 1)) << at);
}

/* Of a response that fits: how long its request took, in 16 clocks, NIC_TIME_MOST or more as that. */
struct nic_time {
    u1 valid;
    u9 units;
};
#define NIC_TIME_LOG2 4
#define NIC_TIME_MOST 511

/* What grows in this clock, of the initiator ... */
struct nic_sent {
    nic_amount request_bytes;
    nic_amount request_flits;
    nic_amount response_bytes;
};

/* ... and of the target. */
struct nic_received {
    nic_amount request_bytes;
    nic_amount response_flits;
};

#endif
