// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_loop.h - two link control blocks on a short cable with traffic both ways, as one module.
 *
 * The traffic is made inside, so the native model and the Verilated one do exactly the same work
 * and neither waits for a test bench: what `make bench` measures is the two models.
 */
#ifndef LCB_LOOP_H
#define LCB_LOOP_H

#include "link/lcb.h"

struct lcb_loop_in {
    u1 enable; /* offer flits */
};

struct lcb_loop_out {
    u32 taken;    /* flits handed to the two blocks */
    u32 came;     /* flits that came out of them */
    u32 checksum; /* over all flits that came */
};

/* What stands beside each block: a packet source and the queue behind it. */
struct lcb_loop_end {
    u64 noise; /* xorshift64 */
    u4 left;   /* flits of the packet still to offer after this one */
    u1 offers;
    u48 flit;
    u1 freed;
    u3 freed_vc;
    u3 vc; /* of the packet that comes in */
};

struct lcb_loop {
    struct lcb_loop_out out;
    struct lcb lcb[2];
    struct lcb_loop_end end[2];
    u33 now;
};

HLS_RESET void lcb_loop_reset(struct lcb_loop *self);
HLS_MODULE void lcb_loop(struct lcb_loop *self, const struct lcb_loop_in *in);

#endif
