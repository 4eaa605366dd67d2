// SPDX-License-Identifier: Apache-2.0
/*
 * router_bench.h - one router with a source and a sink at every port, all of it held against the golden
 * router.
 *
 *     source p ─► port p ─► router ─► port q ─► sink q        golden: what entered, what left
 *
 * A plan (golden/router.h) says where packets may go; router_tables.c writes it into the router over the
 * configuration bus. A step is one clock of everything.
 */
#ifndef TB_ROUTER_BENCH_H
#define TB_ROUTER_BENCH_H

#include "tb/base/dut.h"
#include "tb/golden/router/router.h"
#include "hls/router/router.h"
#include "tb/system/router/router_traffic.h"

struct router_bench;

struct router_bench_config {
    const struct dut_model *model;    /* router_bench_native, or whatever has its ports */
    bool knows_plan;                  /* and needs no tables */
    const struct cosim_module *cosim; /* lockstep with the RTL, or null */
    struct golden_plan plan;
    uint8_t bias[4]; /* flits on top of the load of a non-minimal candidate, per adaptive mode */
    uint64_t dead;   /* ports that must not be used */
    unsigned
        learns; /* clocks without new packets, in which the router may learn of ports that are dead now */
    bool (*watch)(
        struct router_bench *b); /* or null: called after each clock; false: no more of them */
    struct source_config source[RTR_PORTS];
    struct sink_config sink[RTR_PORTS];
};

struct router_bench {
    struct router_bench_config config;
    uint64_t clock;
    bool over;           /* as its watch said */
    uint64_t unanswered; /* requests on the register bus */
    bool refused;        /* the last access on the bus was answered with an error */
    struct rng rng;
    struct dut dut;
    const struct router_out *out; /* the first member of the model's state */
    struct router_in in;
    struct port_source source[RTR_PORTS];
    struct port_sink sink[RTR_PORTS];
    struct golden_router golden;
    uint64_t latency_most, latency_sum, latency_count; /* clocks from head in to head out */
};

/* hls/router as it is compiled. */
extern const struct dut_model router_bench_native;

/* The machine that hls/ is compiled for. */
const struct golden_machine *router_bench_machine(void);

/* Destination d of the default plan. */
struct traffic_place router_bench_place(const struct golden_plan *plan, unsigned d);

/* Its route, to be changed before the start. */
struct golden_route *router_bench_route(struct golden_plan *plan, unsigned d);

/*
 * Port p is destination p and nothing else leads there. Sources offer 1.0 of packets of 1 to 14 flits on all VCs to
 * all ports, in order; sinks take everything.
 */
void router_bench_defaults(struct router_bench_config *c);

/* Every source sends to the destinations whose bits are set. */
void router_bench_aim(struct router_bench_config *c, unsigned source, uint64_t destinations);

void router_bench_start(struct router_bench *b, const struct router_bench_config *config,
                        uint64_t seed);
void router_bench_free(struct router_bench *b);

void router_bench_step(struct router_bench *b);
void router_bench_run(struct router_bench *b, uint64_t clocks);

/*
 * Traffic of another kind from this clock on: light, full, with bubbles and links that are not always ready, slow
 * sinks, illegal heads; one packet in a hundred marked bad, all modes but SOURCE.
 */
enum { ROUTER_BENCH_KINDS = 5 };
void router_bench_change(struct router_bench *b, unsigned kind);

/* Stops the sources and runs until all has left; false after limit clocks. */
bool router_bench_drain(struct router_bench *b, uint64_t limit);

/* Ports that must not be used from now on, and not by what comes from now on. */
void router_bench_kill(struct router_bench *b, uint64_t dead);

/* Register bus; takes some clocks. */
void router_bench_write(struct router_bench *b, unsigned addr, uint64_t data);
uint64_t router_bench_read(struct router_bench *b, unsigned addr);

/* Address of a register of one port's tile. */
unsigned router_bench_address(unsigned port, unsigned reg);

/* A counter of all tiles together, as the native model holds it. */
uint64_t router_bench_count(const struct router_bench *b, unsigned counter);

/*
 * The golden router and all accounts have nothing to complain of, and after a drain all credits are back;
 * if not, says what through tap_why.
 */
bool router_bench_clean(const struct router_bench *b);

#endif
