// SPDX-License-Identifier: Apache-2.0
/* beat_store.c - two FIFOs of beats of packets that are good: beat_queue.inc. */
#define BQ_BODY
#include "nic/netlink/beat_store.h"
