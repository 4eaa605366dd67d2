// SPDX-License-Identifier: Apache-2.0
/*
 * ring_states.h - every state of a ring of Blue Gene/L nodes in which packets move whole: what is in the bubble FIFOs, and in dynamic FIFOs where there are some. What
 * may move is asked of bgl_channel, with the availability that bgl_tokens gives for what the next FIFO holds.
 *
 * A FIFO has places for two full packets; packets are full or half as long. A full packet has 8 chunks here as everywhere, so accounts begin with
 * what the real FIFO has beyond that taken.
 */
#ifndef TB_BGL_RING_STATES_H
#define TB_BGL_RING_STATES_H

#include <stdbool.h>
#include <stdint.h>

enum { RING_MOST = 4, RING_HELD = 4, RING_FULL = 8, RING_HALF = 4 };

/* What is wrong with the design, on purpose. */
enum ring_edit {
    RING_RIGHT,
    RING_LENGTHS, /* the bubble VC is charged real lengths */
    RING_ENTERS,  /* one free place is enough for a packet that enters */
};

struct ring_packet {
    unsigned chunks, hops; /* hops that are left */
};

/* In one step a packet enters the ring at a node, goes on from it, or arrives there. */
enum ring_act { RING_INJECT, RING_GO, RING_GO_DYNAMIC, RING_ARRIVE, RING_ARRIVE_DYNAMIC };

struct ring_step {
    enum ring_act act;
    unsigned node;
    struct ring_packet packet;
};

struct ring_found {
    uint64_t states, stuck;
    /* a shortest way to a state that is stuck */
    struct ring_step way[64];
    unsigned steps;
};

/*
 * All states of a ring of so many nodes, or those up to the first that is stuck. `dynamic`: packets are dynamic, each node has a dynamic FIFO of
 * one packet as well.
 */
struct ring_found ring_explore(unsigned nodes, bool dynamic, enum ring_edit edit, bool all);

#endif
