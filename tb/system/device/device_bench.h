// SPDX-License-Identifier: Apache-2.0
/*
 * device_bench.h - two devices, their links joined by cables with errors, processors at the other ports.
 *
 *     source ─► device 0 ─► router ─► LCB ═ cable ═ LCB ─► router ─► device 1 ─► sink     and back
 *
 * Each router is held against a golden router of its own, packet by packet, at all its ports; a third one watches
 * the processors of both as if all were one router: what goes in at a processor comes out once, whole, in
 * order where its mode says so. Link i of one device is joined to link i of the other. Packets that come in at one port may take one row of
links, those of different ports different ones: a table entry holds no more. Where more processors are than destinations can be distinguished
apart (aries: NICs), those that follow each other share one.
 */
#ifndef TB_DEVICE_BENCH_H
#define TB_DEVICE_BENCH_H

#include "tb/models/channel.h"
#include "tb/base/dut.h"
#include "tb/golden/router/router.h"
#include "hls/chip/device.h"
#include "tb/system/router/router_traffic.h"

struct device_bench_config {
    const struct cosim_module *cosim; /* lockstep with the RTL, or null */
    struct channel_config cable;      /* all of them, both ways */
    double load;                      /* flits per clock that each processor offers */
    double ready;                     /* probability that a processor takes a flit in a clock */
    double bad; /* probability that a packet comes from its processor marked bad */
    unsigned min_length, max_length; /* flits of a packet */
    unsigned vcs;                    /* a bit for each that processors use */
    uint64_t links;                  /* a bit for each that packets may take */
    bool across;                     /* packets go to processors of the other device only */
};

struct device_end {
    struct dut dut;
    const struct device *device; /* the native model of dut */
    struct device_in in;
    struct port_source source[DEV_PROCESSORS];
    struct port_sink sink[DEV_PROCESSORS];
    struct golden_router golden;     /* of this router */
    struct channel cable[RTR_LINKS]; /* from here to the other end */
    uint64_t reports;                /* flits that a dead link gave back */
    uint64_t marked;                 /* packets with a mark that the processors got */
};

struct device_bench {
    struct device_bench_config config;
    uint64_t clock;
    struct device_end end[2];
    struct golden_router fabric; /* both: port end * DEV_PROCESSORS + processor */
};

struct device_bench_config device_bench_defaults(void);
void device_bench_start(struct device_bench *b, const struct device_bench_config *config,
                        uint64_t seed);
void device_bench_free(struct device_bench *b);
void device_bench_run(struct device_bench *b, uint64_t clocks);

/* All links up; false after limit clocks. */
bool device_bench_await(struct device_bench *b, uint64_t limit);

/* Stops the sources and runs until all has arrived; false after limit clocks. */
bool device_bench_drain(struct device_bench *b, uint64_t limit);

/* Sum of a counter over all links. */
uint64_t device_bench_link_count(const struct device_bench *b, unsigned counter);

uint64_t device_bench_mismatches(const struct device_bench *b);

/* Nobody has anything to complain of; if somebody has, says what through tap_why. */
bool device_bench_clean(const struct device_bench *b);

#endif
