// SPDX-License-Identifier: Apache-2.0
/*
 * link_bench.h - two LCBs back to back over two cables, traffic at both ends, everything held
 * against the golden link.
 *
 *     source ─► LCB 0 ─► cable[0] ─► LCB 1 ─► sink        flow of end 0: what it sent
 *       sink ◄─ LCB 0 ◄─ cable[1] ◄─ LCB 1 ◄─ source      flow of end 1
 *
 * A step is one clock of everything. Golden flows hear what each LCB takes, hands up and reports;
 * a tap in front of each lcb_rx looks for words that pass the CRC though nobody sent them.
 */
#ifndef TB_LINK_BENCH_H
#define TB_LINK_BENCH_H

#include "tb/models/channel.h"
#include "tb/golden/link/link.h"
#include "tb/base/dut.h"
#include "hls/link/lcb.h"
#include "tb/system/link/two_ends.h"
#include "tb/models/traffic.h"

enum { BENCH_TAKEN = 4096, BENCH_SEQUENCES = 128, BENCH_AHEAD = 3 };

struct bench_config {
    struct traffic_config traffic[2]; /* source of end i, sink of end i */
    struct channel_config cable[2];   /* from end i to the other */
    const struct cosim_module *cosim; /* lockstep with the RTL, or null */
};

/*
 * Round trips: clocks from the first word of a micropacket to its acknowledgement, and the same in
 * micropackets: how many were begun before one could begin that knows of the acknowledgement; repeats: the same for one that is
 * repeated, as is decided BENCH_AHEAD slots before it begins.
 */
struct bench_trip {
    uint64_t began[BENCH_SEQUENCES];
    lcb_seq base, next;
    uint64_t clocks, micropackets, repeats, count;
};

struct bench_end {
    struct dut dut;
    struct lcb *lcb; /* the native model of dut */
    struct lcb_in in;
    struct traffic_source source;
    struct traffic_sink sink;
    struct golden_flow flow; /* from here to the other end */
    bool was_reset;          /* in this epoch, so that nobody reports what it had sent */
    u4 epoch;

    struct golden_micropacket coming; /* words in front of lcb_rx */
    uint64_t due;                     /* number of the peer's micropacket that it should be */
    uint64_t gross_escapes;           /* right CRC, but never sent */

    uint64_t taken_at[BENCH_TAKEN];
    uint64_t latency_most, latency_sum, latency_count;
    struct bench_trip trip;
    uint64_t early_epochs; /* that began with flits in the input queue */
    struct misses times;   /* snapshots of the peer's time that were not its time */
};

struct bench {
    struct bench_config config;
    struct two_ends ends;
    uint64_t clock;
    struct bench_end end[2];
    struct channel cable[2];
    u4 epoch;        /* last one that both ends were in */
    uint64_t epochs; /* how often that changed */
};

/* The load of each end: up to 127, down to 0 and up again, one in 4 clocks. */
unsigned bench_load(uint64_t clock);

/* Saturated traffic of packets of 1 to 14 flits on 8 VCs, error-free cables of delay 1. */
struct bench_config bench_defaults(void);

void bench_start(struct bench *b, const struct bench_config *config, uint64_t seed);
void bench_free(struct bench *b);

void bench_step(struct bench *b);
void bench_run(struct bench *b, uint64_t clocks);

/* Runs until both ends are in `state`; false if that takes more than limit clocks. */
bool bench_await(struct bench *b, enum link_state state, uint64_t limit);

/* Stops the sources and runs until all is delivered; false after limit clocks. */
bool bench_drain(struct bench *b, uint64_t limit);

/* New rates, delays and skews for a cable. */
void bench_cable(struct bench *b, unsigned from, const struct channel_config *config);

/* One end, or both for 2, through the reset that power-up gives. */
void bench_reset(struct bench *b, unsigned end);

/* A restart request for one clock. */
void bench_restart(struct bench *b, unsigned end);

/* Register bus; takes some clocks. */
uint64_t bench_read(struct bench *b, unsigned end, unsigned addr);
void bench_write(struct bench *b, unsigned end, unsigned addr, uint64_t data);
/* Whether the bus answers the access with an error. */
bool bench_bus_error(struct bench *b, unsigned end, bool write, unsigned addr, uint64_t data);

/* A counter by its register, of one end or (2) of both. */
uint64_t bench_count(const struct bench *b, unsigned end, enum lcb_counter counter);

/* Patterns that no receiver could have seen: the run is void from here. */
uint64_t bench_escapes(const struct bench *b);

/* How many of them were to be expected of what happened so far. */
double bench_escapes_expected(const struct bench *b);

/* The golden flows and sinks have nothing to complain of; if they have, says what through tap_why. */
bool bench_clean(const struct bench *b);

uint64_t bench_mismatches(const struct bench *b);

#endif
