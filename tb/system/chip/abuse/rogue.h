// SPDX-License-Identifier: Apache-2.0
/*
 * rogue.h - the peer at the ring's fourth device: takes all that comes, and sends what a wrong or hostile peer may send.
 *
 * It forges neither a source nor a domain of others: those two a NIC writes, and protection rests on them. All else is
 * free: commands, handles, offsets, lengths, reserved bits, codes, answers that do not fit or come twice.
 */
#ifndef ABUSE_ROGUE_H
#define ABUSE_ROGUE_H

#include "tb/base/harness.h"
#include "tb/system/chip/abuse/ring.h"
#include "tb/golden/nic/nic_packet.h"

enum { ROGUE_QUEUE = 64, ROGUE_LONGEST = 16 };

struct rogue_packet {
    uint64_t flit[ROGUE_LONGEST];
    unsigned flits;
    bool bad, response;
};

/* What it does; all 0: nothing, a dead node. */
struct rogue_knobs {
    double request; /* chance per clock to send one of its own */
    double answer;  /* chance that a request to it is answered ... */
    double wrong;   /* ... and that what it sends is wrong in some way */
    bool source;    /* mode SOURCE is among its wrong ones */
};

struct rogue {
    struct rogue_knobs knobs;
    struct rng rng;
    unsigned ptag;   /* the domain of its requests, or one that nobody has */
    unsigned handle; /* of that domain, the first of 8 */
    struct rogue_packet queue[ROGUE_QUEUE], coming;
    unsigned first, count, at; /* of the queue; flits sent of the first one */
    unsigned used[2];          /* flits of a class in the router's input */
    uint64_t sent, taken;      /* packets */
};

void rogue_start(struct rogue *p, uint64_t seed, unsigned ptag, unsigned handle);
/* Before a clock of the ring: its processor port. */
void rogue_clock(struct rogue *p, struct ring *r);
/* Nothing waits to be sent, or is half here. */
bool rogue_idle(const struct rogue *p);

#endif
