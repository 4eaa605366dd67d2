// SPDX-License-Identifier: Apache-2.0
/*
 * amo_lines.h - what operations of amo wait for that have not begun: puts, queued writes, gets.
 */
#ifndef AMO_LINES_H
#define AMO_LINES_H

#define LINES       amo_lines
#define LINES_LOG2  (NIC_AMO_QUEUE_LOG2 - 1)
#define LINES_KINDS 3
#include "nic/host/order_lines.inc"

#endif
