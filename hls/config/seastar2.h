// SPDX-License-Identifier: Apache-2.0
/*
 * seastar2.h - the same chip with the two links of a ring and one port for the node's own engines.
 */
#ifndef CONFIG_SEASTAR2_H
#define CONFIG_SEASTAR2_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

#include "config/lcb_seastar.h"

#define SS_LINKS 2 /* x+, x-: ports 1 and 2 of the router; port 0 is the node's */

/* The NIC's scratch memory: three banks of so many words of 128 bits; processes, as powers of two. */
#define SS_SCRATCH_LOG2   10
#define SS_PROCESSES_LOG2 2

#endif
