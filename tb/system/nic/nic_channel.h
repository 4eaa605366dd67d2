// SPDX-License-Identifier: Apache-2.0
/*
 * nic_channel.h - NICs without netlinks, joined beat by beat: each packet is delayed on its own, so packets overtake each
 * other, and may be lost. Responses may come twice; requests cannot, because links and routers deliver once.
 */
#ifndef NIC_CHANNEL_H
#define NIC_CHANNEL_H

#include "nic/nic.h"
#include "tb/system/nic/nic_bench.h"
#include "tb/system/nic/nic_cover.h"

/* Clocks and chances. */
struct channel_knobs {
    unsigned delay, delay_extra; /* of a packet: delay + up to delay_extra */
    double loss;                 /* of a packet */
    double repeat;               /* of a response: it comes twice ... */
    unsigned repeat_delay;       /* ... the second time up to that much later */
    double late;                 /* of a request: it comes late, and its response too ... */
    unsigned late_delay;         /* ... by three quarters of that to all of it, each */
    double stall;                /* per clock: room to the sender falls */
};

struct channel_packet {
    uint64_t due; /* the clock from which it is handed over */
    unsigned count, next;
    struct beat beat[BEATS];
};

/*
 * Looks at each packet (class 0: a request, 1: a response) on its way to the node that its head names, and may change it. What it adds to due, which
 * is 0, is how much later it comes; false: it is lost.
 */
typedef bool channel_tamper(void *whose, int class, struct channel_packet *p);

/* Packets of one class on their way to one node. */
struct channel_queue {
    struct channel_packet *packet;
    unsigned count, room;
    int under_way; /* the one that is being handed over, or -1 */
};

struct channel_node {
    struct nic nic;
    struct nic_in in;
    struct channel_queue queue[2];    /* requests, responses */
    struct channel_packet sending[2]; /* what comes out of the NIC, until its tail */
    uint64_t answers;                 /* responses that were handed to it */
};

struct nic_channel {
    struct channel_knobs knobs;
    struct channel_node *node;
    struct nic_cover *cover; /* looks on, or null */
    channel_tamper *tamper;  /* or null */
    void *tamper_whose;
    bool late[GN_NODES][1 << NIC_TAG_LOG2];     /* the request of a tag was */
    uint64_t packets[2], lost, repeated, stray; /* stray: to a node that there is not */
};

/* A bench of so many NICs, whose addresses are their numbers, wiped and enabled. Who gives one another address in its NODE register does so in b->node, too. */
struct nic_bench *channel_bench_new(unsigned nodes, uint64_t seed, struct golden_nic *golden);
struct nic_channel *channel_of(const struct nic_bench *b);
/* A packet that no NIC sent, to a node. */
void channel_send(struct nic_bench *b, unsigned to, int class, const struct channel_packet *p);

#endif
