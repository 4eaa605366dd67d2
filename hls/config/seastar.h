// SPDX-License-Identifier: Apache-2.0
/*
 * seastar.h - sizes of the chip of the Cray XT3: six links of a 3D torus and one port for the node's own engines.
 */
#ifndef CONFIG_SEASTAR_H
#define CONFIG_SEASTAR_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

#include "config/lcb_seastar.h"

#define SS_LINKS 6 /* x+, x-, y+, y-, z+, z-: ports 1 to 6 of the router; port 0 is the node's */

/* The NIC's scratch memory: three banks of so many words of 128 bits; processes, as powers of two. */
#define SS_SCRATCH_LOG2   13
#define SS_PROCESSES_LOG2 4

#endif
