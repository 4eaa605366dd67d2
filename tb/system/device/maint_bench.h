// SPDX-License-Identifier: Apache-2.0
/*
 * maint_bench.h - devices with maintenance taps, cables between their links, and ends: processors with an LCB of their own, who send
 * any phits and read and write registers of chips through packets.
 *
 * Layouts are written down here a second time. A path is a list of ports: by which each router is left, from the one where the processor is.
 */
#ifndef TB_MAINT_BENCH_H
#define TB_MAINT_BENCH_H

#include "hls/chip/device.h"
#include "tb/base/harness.h"
#include "tb/models/chip_cable.h"

enum {
    MAINT_CHIPS = 8,
    MAINT_ENDS = 4,
    MAINT_CABLES = 32,
    MAINT_PHITS = 40,
    MAINT_PATH = 8,
    MAINT_QUEUE = 256, /* packets */
};

struct maint_packet {
    uint32_t phit[MAINT_PHITS];
    unsigned count;
    bool bad; /* its flits are poisoned: a soft error */
};

/* Where a cable ends: a chip's port, or (chip < 0) an end. */
struct maint_place {
    int chip;
    unsigned port; /* number of the end */
};

/* A processor. */
struct maint_end {
    struct link_port link;
    struct link_port_in in;
    struct rng rng;
    struct maint_packet out[MAINT_QUEUE]; /* to be sent; a ring */
    unsigned first, waiting, at; /* at: the phit of the first that is offered; announced if it is */
    bool announced;
    struct maint_packet coming;            /* phits so far */
    struct maint_packet came[MAINT_QUEUE]; /* whole and good; a ring */
    unsigned came_first, came_count;
    unsigned owed[RTR_VCS]; /* credits to give back */
    uint64_t good, soft, cut;
};

struct maint_cable {
    struct maint_place place[2];
    struct chip_cable way[2]; /* from place i */
};

struct maint_bench {
    uint64_t clock;
    struct device chip[MAINT_CHIPS];
    struct device_in in[MAINT_CHIPS];
    struct maint_end end[MAINT_ENDS];
    struct maint_cable cable[MAINT_CABLES];
    unsigned chips, ends, cables;
    unsigned tag; /* of the last request */
};

void maint_start(struct maint_bench *b, unsigned chips, unsigned ends, uint64_t seed);
void maint_join(struct maint_bench *b, struct maint_place a, struct maint_place c, double ber,
                uint64_t seed);
void maint_run(struct maint_bench *b, uint64_t clocks);

/* All joined links up; false after limit clocks. */
bool maint_await(struct maint_bench *b, uint64_t limit);

/* An access. path: the ports that routers are left by, and the port by which the last chip is entered. */
struct maint_access {
    unsigned hops, port[MAINT_PATH];
    unsigned back_hops, back[MAINT_PATH]; /* of the reply; the last is the port of the processor */
    bool write;
    unsigned unit, address;
    uint64_t data;
};

/* The packet of a request on VC 0, its reply on VC 1. */
struct maint_packet maint_request_of(const struct maint_access *a, unsigned tag);
/* The core CRC of a packet goes into its end. */
void maint_seal(struct maint_packet *p);
/* Heads of mode SOURCE for these hops; how many. */
unsigned maint_heads(uint32_t *phit, unsigned vc, const unsigned *port, unsigned hops);

/* Whether this packet is the reply to a request with this tag; then what it says. */
bool maint_is_reply(const struct maint_packet *p, const struct maint_access *a, unsigned tag,
                    uint64_t *reply);

void maint_send(struct maint_end *e, const struct maint_packet *p);
/* The next packet that came; false if there is none. */
bool maint_take(struct maint_end *e, struct maint_packet *p);

/* Sends a request and runs until its reply is here; false after limit clocks. */
bool maint_ask(struct maint_bench *b, unsigned end, const struct maint_access *a, uint64_t *reply,
               uint64_t limit);
/* The same of a request that was sent with this tag. Other packets stay where they are. */
bool maint_answer(struct maint_bench *b, unsigned end, const struct maint_access *a, unsigned tag,
                  uint64_t *reply, uint64_t limit);

#endif
