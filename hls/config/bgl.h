// SPDX-License-Identifier: Apache-2.0
/*
 * bgl.h - the Blue Gene/L generation: the torus unit of a node, six links of a byte a clock.
 *
 * Chunks, VCs, FIFOs and their sizes: Adiga et al., "Blue Gene/L torus interconnection network", IBM J. Res. Dev. 49
 * (2/3), 2005; sizes of the FIFOs of the host's side: public headers of the machine's software. Limits of the link are our own.
 */
#ifndef CONFIG_BGL_H
#define CONFIG_BGL_H

struct hls_machine; /* the comment above stands in each file of its Verilog */

/* lcb_link, lane_train and their frames are those of the LCB. */
#include "config/lcb_micropacket.h"

#define LCB_SHARED      0 /* nothing is shared: tokens are of one VC each */
#define LCB_SHARED_MOST 0
#define LCB_RESPONSES   0

#define BGL_PORTS                                                                                  \
    6 /* x+ 0, x- 1, y+ 2, y- 3, z+ 4, z- 5: port o meets the neighbour's port o ^ 1 */
#define BGL_VCS       4  /* 0, 1 dynamic; 2 bubble; 3 high-priority bubble */
#define BGL_CHUNKS    32 /* of a FIFO of any kind: 1 KB */
#define BGL_FULL      8  /* chunks of a full packet */
#define BGL_INJECTION 8  /* injection FIFOs: 0-2, 4-6 normal, 3, 7 high-priority */

/* Reset values of what registers can change. */
#define BGL_TIMEOUT     1024 /* clocks on top of the round trip */
#define BGL_RETRY_LIMIT 64   /* time-outs without progress until the link is trained again */
#define BGL_TRAIN_LIMIT 8192 /* clocks of a bring-up */
#define BGL_ALONE       8192 /* clocks after which a fresh end throws away what is offered */
#define BGL_LINK_RETRY  8    /* trainings without progress until the link is dead */
#define BGL_ACK_EVERY   1024 /* clocks after which an idle link says what it has */

#endif
