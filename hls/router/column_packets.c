// SPDX-License-Identifier: Apache-2.0
/* column_packets.c - whole packets in a column buffer: vc_credit.inc. */
#define VCC_BODY
#include "router/column_packets.h"
