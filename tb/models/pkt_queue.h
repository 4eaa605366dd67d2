// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_queue.h - the input queue behind a link in packet mode, as its contract has it: flits come before their packet is believed.
 *
 * Each VC has its own part. A packet with a transmit error whose flits are all here is rolled back; one that has begun to leave
 * is truncated: its end is stored, poisoned, and its flits that are still to be read give no credit. Credit waits for the
 * verdict. A part with one place left takes no more of a packet but its end.
 */
#ifndef TB_PKT_QUEUE_H
#define TB_PKT_QUEUE_H

#include "tb/base/harness.h"

enum { PKT_QUEUE_VCS = 4, PKT_QUEUE_PART = 256, PKT_QUEUE_SUMS = 512 };

struct pkt_queue {
    struct rng rng;
    double drain; /* probability per clock that a flit is read */
    unsigned vcs, vc_lsb;
    bool stands; /* no flit is read */
    struct pkt_queue_vc {
        struct {
            uint32_t flit;
            bool head, tail, poisoned;
        } flit[PKT_QUEUE_PART];
        uint64_t written, read, began;
        unsigned owed, mute;
        bool open;    /* a packet has begun to leave */
        uint32_t sum; /* of its flits */
        uint64_t came, left;
        uint32_t sums[PKT_QUEUE_SUMS]; /* of packets that came whole, in order */
    } vc[PKT_QUEUE_VCS];
    int coming; /* VC of the packet that comes in, or -1 */
    uint32_t coming_sum;
    unsigned held;
    bool full;    /* it takes no more of that packet */
    bool refused; /* for one clock: a good packet without a place */
    uint64_t rolled_back, truncated, refusals;
    uint64_t good_out, poisoned_out;
    struct misses misses;
};

void pkt_queue_start(struct pkt_queue *q, unsigned vcs, unsigned vc_lsb, double drain,
                     uint64_t seed);

/* One clock: a flit comes (valid) or none; ok counts with its tail: 0 good, 1 soft, 2 transmit error. */
void pkt_queue_take(struct pkt_queue *q, bool valid, uint32_t flit, bool head, bool tail,
                    unsigned ok);

/* The same clock: whether a credit is given back, and of which VC. */
bool pkt_queue_free(struct pkt_queue *q, unsigned *vc);

/* Whether nothing is in it. */
bool pkt_queue_empty(const struct pkt_queue *q);

#endif
