// SPDX-License-Identifier: Apache-2.0
/*
 * head_48.h - the head flit of machines with 48-bit flits: aries, a16, p16 and proto. From the top: vc, length, mode,
 * phase, destination (global, local, sub), hash.
 */
#ifndef CONFIG_HEAD_48_H
#define CONFIG_HEAD_48_H

#define RTR_FLIT_BITS    48
#define RTR_HEAD_VC_BITS 3
#define RTR_LENGTH_BITS  4
#define RTR_MODE_BITS    3
#define RTR_PHASE_BITS   2
#define RTR_GLOBAL_BITS  8
#define RTR_NEAR_BITS    0 /* no part of global has ways of its own */
#define RTR_LOCAL_BITS   8
#define RTR_SUB_BITS     2
#define RTR_HASH_BITS    8

#endif
