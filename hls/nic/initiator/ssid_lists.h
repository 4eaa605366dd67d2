// SPDX-License-Identifier: Apache-2.0
/*
 * ssid_lists.h - where ids of transactions wait: nic_list.inc. Each id is at most once in each list.
 */
#ifndef SSID_LISTS_H
#define SSID_LISTS_H

#include "nic/packet/nic_types.h"

typedef uint(NIC_SSID_LOG2) ssid_id;

/* A transaction that was closed: what has to be reported. */
struct ssid_closed {
    ssid_id id;
    u1 local; /* the local event is wanted */
    u1 over;  /* and nothing is outstanding: with this status it ends */
    u1 note;  /* or NOTE is next */
    nic_status_field status;
};

/* Its last answer came, or the last one before NOTE. */
struct ssid_over {
    ssid_id id;
    u1 note;
    nic_status_field status;
};

/* A request of it timed out and may still be under way. */
struct ssid_stale {
    ssid_id id;
    u1 failed; /* as in its channel_note */
    u3 epoch;  /* since when */
};

#define LIST      ssid_free_list
#define LIST_T    ssid_id
#define LIST_LOG2 NIC_SSID_LOG2
#include "common/fifo/nic_list.inc"

#define LIST      ssid_closed_list
#define LIST_T    struct ssid_closed
#define LIST_LOG2 NIC_SSID_LOG2
#include "common/fifo/nic_list.inc"

#define LIST       ssid_over_list
#define LIST_T     struct ssid_over
#define LIST_LOG2  NIC_SSID_LOG2
#define LIST_QUICK (NIC_SSID_LOG2 <= 6)
#include "common/fifo/nic_list.inc"

#define LIST      ssid_stale_list
#define LIST_T    struct ssid_stale
#define LIST_LOG2 NIC_SSID_LOG2
#include "common/fifo/nic_list.inc"

#endif
