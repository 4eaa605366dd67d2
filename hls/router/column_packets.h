// SPDX-License-Identifier: Apache-2.0
/*
 * column_packets.h - packets in a column buffer whose tail has come: an account per VC, taken by tails
 * that come and given back by tails that go.
 */
#ifndef COLUMN_PACKETS_H
#define COLUMN_PACKETS_H

#include "router/rtr_types.h"

#define VCC      column_packets
#define VCC_LOG2 RTR_COL_LOG2
#define VCC_KEPT 1 /* nobody reads spent and few */
#define VCC_FEW  1
#include "router/vc_credit.inc"

#endif
