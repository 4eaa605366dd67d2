// SPDX-License-Identifier: Apache-2.0
/*
 * nic_bench.h - nodes of one NIC and one host each, joined by a channel of beats that delays, reorders and loses
 * packets; or by whole chips (chip_bench.h).
 */
#ifndef NIC_BENCH_H
#define NIC_BENCH_H

#include "nic/nic.h"
#include "tb/golden/nic.h"
#include "tb/nic/host.h"
#include "tb/nic/nic_driver.h"

enum { BENCH_MEMORY = 1 << 24 }; /* bytes of each host */

/* The channel between netlinks: clocks and chances. */
struct channel_knobs {
    unsigned delay, delay_extra; /* of a packet: delay + up to delay_extra */
    double loss;                 /* of a packet */
    double repeat;               /* of a response: it comes twice */
    double stall;                /* per clock: room to the sender falls */
};

struct channel_packet {
    uint64_t due;
    unsigned count, next;
    struct beat beat[BEATS];
};

/* Packets of one class on their way to one node. */
struct channel_queue {
    struct channel_packet *packet;
    unsigned count, room;
    int under_way; /* the one that is being handed over, or -1 */
};

struct bench_node {
    struct nic nic;
    struct nic_in in;
    struct nic_driver driver;
    struct host *host;
    struct channel_queue queue[2];    /* requests, responses */
    struct channel_packet sending[2]; /* what comes out of the NIC, until its tail */
    unsigned number;
    uint64_t answers; /* responses that were handed to it */
    struct nic_bench *bench;
};

struct nic_bench {
    unsigned nodes;
    uint64_t clock;
    struct bench_node *node;
    struct golden_nic *golden; /* NULL: nobody explains accesses */
    struct channel_knobs channel;
    struct rng rng;
    uint64_t packets[2], lost, repeated, stray; /* stray: to a node that there is not */
};

/* Nodes 0 to nodes - 1, wiped and enabled, with host memory as physical window; accesses are shown to golden. */
struct nic_bench *bench_new(unsigned nodes, uint64_t seed, struct golden_nic *golden);
void bench_free(struct nic_bench *b);
void bench_clock(struct nic_bench *b);

/* Until all drivers are idle. */
void bench_settle_drivers(struct nic_bench *b);

/* A register, when it is written; and its value. */
void bench_write(struct nic_bench *b, unsigned node, uint16_t address, uint64_t data);
uint64_t bench_read(struct nic_bench *b, unsigned node, uint16_t address);

/* Tables, here and in the golden model. */
void bench_segment(struct nic_bench *b, unsigned node, unsigned mdh, const struct gn_segment *s);
void bench_domain(struct nic_bench *b, unsigned node, unsigned ptag, const struct gn_domain *d);
void bench_queue(struct nic_bench *b, unsigned node, unsigned queue, const struct gn_ring *r);
/* An FMA descriptor of this domain, without NTT. */
void bench_descriptor(struct nic_bench *b, unsigned node, unsigned descriptor, uint8_t ptag,
                      unsigned limit);

/* Clocks until STATUS.drained everywhere and nothing is under way in the channel; false after patience clocks. */
bool bench_drain(struct nic_bench *b, uint64_t patience);

#endif
