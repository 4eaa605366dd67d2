// SPDX-License-Identifier: Apache-2.0
/* orb_lists.c - where tags of requests wait: nic_list.inc. */
#define LIST_BODY
#include "nic/initiator/orb_lists.h"
