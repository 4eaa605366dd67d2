// SPDX-License-Identifier: Apache-2.0
/*
 * nic_counters.h - ports and registers of the counters and sums of a NIC: 48 bits each.
 *
 * Each has its turn once in 128 clocks: in clock t it is `summed`, in t + 1 its value, with all that it counted until t, stands
 * in `counted`.
 */
#ifndef NIC_COUNTERS_H
#define NIC_COUNTERS_H

#include "nic/regs/nic_counts.h"

struct nic_counters_in {
    nic_counts pulses; /* bit i: counter i counts one in this clock */
    u1 clear;          /* all to 0, each at its next turn; what is counted in that time is gone */
    struct nic_sent sent;
    struct nic_received received;
};

struct nic_counters_out {
    nic_number summed;
    u48 counted; /* of the one that was summed a clock before */
};

struct nic_counters {
    struct nic_counters_out out;
    nic_number turn;
    nic_number written;     /* summed a clock before */
    u8 clearing;            /* turns until all are 0 */
    u7 fresh[NIC_COUNTERS]; /* as next_state counts */
    u14 grown[NR_SUMS];
    u7 taken;         /* of `summed`, with */
    u1 taken_more;    /* what it counted in the clock in which that was taken; */
    u14 taken_amount; /* of a sum */
    HLS_BRAM u48 counters[1 << NIC_COUNTERS_LOG2];
    u48 word; /* of `summed` */
};

HLS_RESET void nic_counters_reset(struct nic_counters *self);
HLS_MODULE void nic_counters(struct nic_counters *self, const struct nic_counters_in *in);

#endif
