// SPDX-License-Identifier: Apache-2.0
/*
 * orb_lists.h - where tags of requests wait: nic_list.inc. Each tag is at most once in each list.
 */
#ifndef ORB_LISTS_H
#define ORB_LISTS_H

#include "nic/packet/nic_types.h"

typedef uint(NIC_TAG_LOG2) orb_tag;

/* A tag whose request timed out. */
struct orb_aged {
    orb_tag tag;
    u1 bte;
    uint(NIC_FMA_LOG2) place; /* whose request it was */
    u3 epoch;                 /* since when */
};

/* How the request of a tag ended. */
struct orb_end {
    orb_tag tag;
    nic_status_field status;
};

#define LIST      orb_free_list
#define LIST_T    orb_tag
#define LIST_LOG2 NIC_TAG_LOG2
#include "common/fifo/nic_list.inc"

#define LIST      orb_quarantine
#define LIST_T    struct orb_aged
#define LIST_LOG2 NIC_TAG_LOG2
#include "common/fifo/nic_list.inc"

#define LIST      orb_refusals
#define LIST_T    struct orb_end
#define LIST_LOG2 NIC_DATA_LOG2
#include "common/fifo/nic_list.inc"

#define LIST      orb_flags
#define LIST_T    struct orb_end
#define LIST_LOG2 NIC_TAG_LOG2
#include "common/fifo/nic_list.inc"

#endif
