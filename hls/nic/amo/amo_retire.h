// SPDX-License-Identifier: Apache-2.0
/*
 * amo_retire.h - operations of amo that are under way, retired in the order in which they came: so one count says which are over.
 */
#ifndef AMO_RETIRE_H
#define AMO_RETIRE_H

#include "nic/packet/nic_types.h"

#define AMO_UNDER_WAY (1 << NIC_PUTS_LOG2) /* operations */

typedef uint(NIC_PUTS_LOG2) amo_operation; /* the number of one, in the order in which they came */
typedef uint(NIC_PUTS_LOG2 + 1) amo_operations; /* a number of them */

/* One that is in memory, or kept back, or will never be there. */
struct amo_over {
    u1 valid;
    amo_operation number;
};

struct amo_retire_in {
    u1 comes; /* one more, whose number is out.number: only while out.room was 1 */
    struct amo_over written, over, dropped;
};

struct amo_retire_out {
    amo_operation number; /* of the next one */
    u1 room;
    u1 retired; /* for one clock: one more, in their order */
    u1 none;    /* is under way */
};

struct amo_retire {
    struct amo_retire_out out;
    amo_operation oldest;
    amo_operations count;
    uint(AMO_UNDER_WAY) over; /* a bit for each */
};

HLS_RESET void amo_retire_reset(struct amo_retire *self);
HLS_MODULE void amo_retire(struct amo_retire *self, const struct amo_retire_in *in);

#endif
