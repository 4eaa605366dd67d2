// SPDX-License-Identifier: Apache-2.0
/*
 * protoxc.h - aries' NIC, all of its tables, at proto's router and link: the chip of machined (sim/host/machined), native and fast.
 *
 * Programs of the field make thousands of queues and registrations; a router of four tiles takes a twentieth of the time of 48.
 */
#ifndef CONFIG_PROTOXC_H
#define CONFIG_PROTOXC_H

#include "config/aries.h"

#undef LCB_SHARED
#undef LCB_SHARED_MOST
#undef LCB_RESPONSES
#undef RTR_ROWS
#undef RTR_COLS
#undef RTR_LINKS
#undef RTR_VCS
#undef RTR_VC_BITS
#undef RTR_INQ_LOG2
#undef NL_COUNT
#undef NL_NICS
#undef NL_TILES

#define LCB_SHARED      23
#define LCB_SHARED_MOST 23
#define LCB_RESPONSES   0x02
#define RTR_ROWS        2
#define RTR_COLS        2
#define RTR_LINKS       2
#define RTR_VCS         2
#define RTR_VC_BITS     1
#define RTR_INQ_LOG2    8
#define NL_COUNT        1
#define NL_NICS         1
#define NL_TILES        2

#endif
