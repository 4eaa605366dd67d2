// SPDX-License-Identifier: Apache-2.0
/*
 * read_lines.h - what gets in parb wait for: puts, queued writes, atomic operations.
 */
#ifndef READ_LINES_H
#define READ_LINES_H

#define LINES       read_lines
#define LINES_LOG2  (NIC_GETS_LOG2)
#define LINES_KINDS 3
#include "nic/host/order_lines.inc"

#endif
