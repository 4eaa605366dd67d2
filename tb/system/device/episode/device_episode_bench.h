// SPDX-License-Identifier: Apache-2.0
/*
 * device_episode_bench.h - two devices under traffic whose links can be plugged into anything, and the ledger of what
 * their processors sent.
 *
 * Powered up and configured once per process, by device_bench; every run begins with copies of that.
 */
#ifndef TB_DEVICE_EPISODE_BENCH_H
#define TB_DEVICE_EPISODE_BENCH_H

#include "tb/system/device/device_bench.h"
#include "tb/golden/link/ledger.h"

enum {
    EPISODE_LINKS = RTR_LINKS,
    EPISODE_PORTS = DEV_PROCESSORS,
    EPISODE_SOURCES = 2 * EPISODE_PORTS,
};

/* What an end of a link hears: the other end or its own, lanes in any order, noise, words that come and go. */
struct device_plug {
    bool loop, flaps, noisy;
    uint8_t lane[CHANNEL_LANES];
};

struct device_episode_end {
    struct device device;
    struct device_in in;
    struct port_source source[EPISODE_PORTS];
    struct port_sink sink[EPISODE_PORTS];
    struct channel cable[EPISODE_LINKS]; /* from here */
    struct channel_symbol leaving[EPISODE_LINKS][CHANNEL_LANES];
    struct device_plug plug[EPISODE_LINKS];
    uint64_t crossed[EPISODE_LINKS]; /* flits that came over each link */
};

struct device_episode {
    uint64_t clock;
    struct rng rng;
    struct device_episode_end end[2];
    struct channel_config good; /* all cables, when they are good */
    struct ledger ledger;
    unsigned
        keeper; /* clocks between two looks of management for dead links, 0: it does not look */
    uint64_t resets, restarts;
    uint64_t dropped; /* packets without a way, as counted by routers that were reset since */

    uint64_t links; /* bit l: things happen to link l */
    bool scribbled; /* registers do not hold what management wants */
    bool saying;    /* what happens, line by line */
};

/* Both devices as they are when they were powered and configured, cables and links good. */
void device_episode_start(struct device_episode *ep, const struct channel_config *good);

void device_episode_go(struct device_episode *ep, uint64_t clocks);

/* Device i comes back configured and empty; everything that was under way may be gone. */
void device_episode_reset(struct device_episode *ep, unsigned i);

/* Register bus of link l of device i; takes some clocks. */
void device_episode_write(struct device_episode *ep, unsigned i, unsigned l, unsigned addr,
                          uint64_t data);

/* All plugs and cables good. */
void device_episode_heal(struct device_episode *ep);

/* Packets that routers had no way for, because both links were dead: dropped and counted. */
uint64_t device_episode_dropped(const struct device_episode *ep);

#endif
