// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_bench.h - a torus of native nodes with two cores each, and cables that delay, corrupt, slip and cut.
 *
 * Cores write packets into injection FIFOs and read reception FIFOs by AXI4; a driver writes registers by AXI4-Lite. What is injected is
 * kept in a list; each packet that arrives is explained by an entry of it, found by the number that its body carries. A broadcast
 * arrives at every node of its line.
 */
#ifndef TB_BGL_BENCH_H
#define TB_BGL_BENCH_H

#include "tb/base/dut.h"
#include "tb/base/harness.h"
#include "tb/golden/bgl/bgl_wire.h"
#include "hls/bgl/bgl_node.h"

enum { BENCH_MOST = 64, BENCH_DELAY = 1024, PORTS = 6, CORES = 2, CORE_QUEUE = 64 };

/* A packet as it was injected. */
struct bench_packet {
    uint8_t bytes[256];
    unsigned chunks, from, to, fifo;
    unsigned wanted; /* arrivals */
    unsigned arrived;
    uint64_t taken, came; /* clocks: last quad written, last quad read */
};

/* One direction of a cable. */
struct bench_cable {
    unsigned to, port; /* the far end, BENCH_MOST: none */
    unsigned delay;    /* clocks, from 1 on */
    double ber;
    bool cut;
    uint64_t skip; /* bits until the next wrong one */
    uint64_t flipped;
    unsigned slips;             /* bytes to leave out */
    uint16_t ring[BENCH_DELAY]; /* byte, and 0x100: valid */
};

struct bench_core {
    /* writing: packets of the list in order, one burst each */
    unsigned queue[CORE_QUEUE], first, count;
    unsigned beat, fifo;
    bool address, beats, answer;
    bool fired;      /* what was driven in the clock before was taken */
    unsigned settle; /* clocks until the status shows the last quad */
    unsigned errors; /* SLVERR */
    /* reading */
    unsigned read_fifo, quads, wanted;
    bool asks, reads, status, asked;
    uint8_t got[256];
    bool deaf; /* reads nothing */
};

struct bgl_bench {
    unsigned size[3], nodes;
    struct bgl_node *node;
    struct bgl_node_in *in;
    struct dut first; /* node 0 and its RTL, where it has one beside it */
    struct bench_cable cable[BENCH_MOST][PORTS];
    struct bench_core core[BENCH_MOST][CORES];
    struct gold_wire wire[BENCH_MOST][PORTS]; /* listeners, where `listen` */
    bool listen;
    struct bench_packet *packet;
    unsigned packets, capacity;
    uint64_t now;
    uint64_t arrived, unexplained, wrong, twice, disordered; /* packets */
    /* of deterministic packets of one FIFO to one node and group: the last one's number, and 1 */
    unsigned order[BENCH_MOST][BGL_INJECTION][BENCH_MOST][2];
    void (*on_arrival)(struct bgl_bench *b, unsigned node, unsigned fifo, struct bench_packet *p);
    void (*manual)(
        struct bgl_bench *b); /* drives the cores' ports instead of the bench's own cores */
    struct rng rng;
};

/* A torus x X y X z with all cables of one length, every register written and every link up. Exits with one line if it does not come up. */
void bench_start(struct bgl_bench *b, unsigned x, unsigned y, unsigned z, unsigned delay,
                 uint64_t seed);
/* The same, node 0 in lockstep with its RTL from reset on. */
void bench_start_lockstep(struct bgl_bench *b, unsigned x, unsigned y, unsigned z, unsigned delay,
                          uint64_t seed, const struct cosim_module *rtl);
void bench_free(struct bgl_bench *b);
void bench_step(struct bgl_bench *b);
void bench_run(struct bgl_bench *b, uint64_t clocks);

unsigned bench_node(const struct bgl_bench *b, unsigned x, unsigned y, unsigned z);
unsigned bench_coordinate(const struct bgl_bench *b, unsigned node, unsigned dimension);

/* Registers, by word address: one value each for all nodes at once, or one node's. */
void bench_write_all(struct bgl_bench *b, unsigned word, const uint64_t *data);
void bench_write(struct bgl_bench *b, unsigned node, unsigned word, uint64_t data);
uint64_t bench_read(struct bgl_bench *b, unsigned node, unsigned word);

/* Places, neighbours, hints, identities and arbiters of all nodes, as at the start. */
void bench_write_places(struct bgl_bench *b);

/*
 * A packet from a node to another with random contents, queued at the core of the FIFO. `fields`: values of the header's bits of
 * software. Returns its number, or -1 if the core's queue is full.
 */
struct bench_order {
    unsigned from, to, fifo, chunks;
    bool dynamic, deposit;
    unsigned vc, group, hints;
};
int bench_send(struct bgl_bench *b, const struct bench_order *order);

/* Steps until everything has arrived that was sent, at most so many clocks; whether it has. */
bool bench_drain(struct bgl_bench *b, uint64_t clocks);

/* Packets that have not arrived are wanted no longer. */
void bench_forgive(struct bgl_bench *b);

/* All links in RUN. */
bool bench_up(const struct bgl_bench *b);

/* After a drain: FIFOs empty, tokens at home, CRC-32 of both ends of every link equal; says what is not. */
bool bench_at_rest(const struct bgl_bench *b, struct misses *m);

#endif
