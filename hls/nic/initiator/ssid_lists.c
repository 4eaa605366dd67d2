// SPDX-License-Identifier: Apache-2.0
/* ssid_lists.c - where ids of transactions wait: nic_list.inc. */
#define LIST_BODY
#include "nic/initiator/ssid_lists.h"
