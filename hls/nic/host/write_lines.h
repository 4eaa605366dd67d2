// SPDX-License-Identifier: Apache-2.0
/*
 * write_lines.h - what queued writes in parb wait for: gets, atomic operations.
 */
#ifndef WRITE_LINES_H
#define WRITE_LINES_H

#define LINES       write_lines
#define LINES_LOG2  (NIC_QUEUED_LOG2 - 1)
#define LINES_KINDS 2
#include "nic/host/order_lines.inc"

#endif
