// SPDX-License-Identifier: Apache-2.0
/*
 * episode_bench.h - two LCBs and a spare one whose cables can be plugged into anything, for episodes of disorder.
 *
 *     source ─► LCB ─► cable ─┬─► plug ─► LCB ─► sink         a plug hears the cable of any end, its own too,
 *                             └─► plug                         lanes in any order, noise instead, or words that come and go
 *
 * The ledger hears what each LCB takes, hands up and reports, and when it begins a new epoch or is reset. A tap in
 * front of each lcb_rx looks for words that pass the CRC though nobody sent them: from there on nothing can be expected
 * to be delivered rightly, but the link still has to come back.
 */
#ifndef TB_EPISODE_BENCH_H
#define TB_EPISODE_BENCH_H

#include "tb/models/channel.h"
#include "tb/golden/link/ledger.h"
#include "hls/link/lcb.h"
#include "tb/models/traffic.h"

enum { EPISODE_ENDS = 3, EPISODE_NOBODY = EPISODE_ENDS, EPISODE_FLITS = 1 << 24 };

enum plug_noise { PLUG_CLEAR, PLUG_NOISE, PLUG_ZERO, PLUG_ONE };

/* What reaches the lanes of an end. */
struct episode_plug {
    unsigned from;               /* the end whose cable it hears, or EPISODE_NOBODY */
    uint8_t lane[CHANNEL_LANES]; /* lane l hears this lane of it */
    uint8_t noisy;               /* bit l: lane l hears noise instead */
    enum plug_noise noise;
    bool words_flap, clocks_flap; /* lane valid and lane up are random */
};

struct episode_end {
    struct lcb lcb;
    struct lcb_in in;
    struct traffic_config traffic;
    struct traffic_source source;
    struct traffic_sink sink;
    struct channel cable; /* from here */
    struct channel_symbol leaving[CHANNEL_LANES];
    struct episode_plug plug;
    u4 epoch;
    uint64_t time; /* its clock of the world, less the bench's */
    struct link_identity identity;

    struct golden_micropacket coming; /* words in front of lcb_rx */
    uint64_t due;                     /* number of the sender's micropacket that it should be */
    uint64_t strangers;               /* right CRC, but sent by nobody */

    uint64_t timeouts, deaths, reinits; /* of lives that a reset ended */
    uint64_t epochs;
    uint64_t early_epochs; /* that began with flits in the input queue */
};

struct episode_bench {
    uint64_t clock;
    unsigned ends; /* in use: 2, or 3 with the spare one */
    struct rng noise;
    struct episode_end end[EPISODE_ENDS];
    struct ledger ledger;
};

/* Power-up of all ends, end 0 and 1 joined by cables without errors. Between runs the ledger keeps its memory. */
void episode_bench_start(struct episode_bench *b, unsigned ends,
                         const struct traffic_config traffic[EPISODE_ENDS],
                         const struct channel_config cable[EPISODE_ENDS], uint64_t seed);

void episode_bench_step(struct episode_bench *b);
void episode_bench_run(struct episode_bench *b, uint64_t clocks);

/* An end through the reset that power-up gives. */
void episode_bench_reset(struct episode_bench *b, unsigned end);

/* Register bus; takes some clocks. */
void episode_bench_write(struct episode_bench *b, unsigned end, unsigned addr, uint64_t data);

/* A plug that hears this end and nothing else, lanes in order. */
struct episode_plug episode_plug_into(unsigned from);

/* Error patterns that no receiver could have seen, and words of nobody that passed for some. */
uint64_t episode_bench_escapes(const struct episode_bench *b);

/* Flits that the peer of this end has room for and does not say so: of these no account knows any more. */
uint64_t episode_bench_owed(const struct episode_bench *b, unsigned end);

/* A counter of an end, with what it had before each reset. */
uint64_t episode_bench_timeouts(const struct episode_bench *b);
uint64_t episode_bench_deaths(const struct episode_bench *b);

#endif
