// SPDX-License-Identifier: Apache-2.0
/*
 * channel.h - one direction of the cable between two LCBs, with everything that can go wrong in it.
 *
 * Per clock it takes one 16-bit symbol per lane from lane_tx and gives one per lane to lane_rx,
 * later by the cable delay plus the lane's skew. On the way: independent bit errors, bursts along a
 * lane or across lanes, lanes that die in several ways and come back. All random choices come from
 * one seed. Rare errors are drawn as distances to the next one, so a rate of 1e-9 costs nothing.
 *
 * Errors are put on the symbol as it enters the cable. golden/lane.h reads along there, so the
 * channel knows the error pattern of every micropacket in code order before the receiver can see
 * it. A pattern that the generator polynomial divides is an escape: no receiver can tell. The same
 * knowledge lets it corrupt and forge acknowledgements.
 */
#ifndef TB_CHANNEL_H
#define TB_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/golden/link/lane.h"
#include "tb/base/harness.h"

enum {
    CHANNEL_LANES = GOLDEN_LANES,
    CHANNEL_LANE_BITS = 16,
    CHANNEL_ROOM = 2048, /* most clocks a symbol can be under way, a power of two */
    CHANNEL_MAX_SKEW = 16,
    CHANNEL_MAX_BURST = 64,
};

enum lane_state {
    LANE_GOOD,
    LANE_DOWN,  /* signal lost, and the SerDes says so: lane up is 0 */
    LANE_ZERO,  /* stuck at 0, lane up still 1 */
    LANE_ONE,   /* stuck at 1 */
    LANE_NOISE, /* random bits */
    LANE_STATES,
};

/* What comes out of a lane into which `data` goes. */
uint16_t lane_data(enum lane_state state, uint16_t data, struct rng *rng);

struct channel_symbol {
    uint16_t data;
    uint8_t valid;
    uint8_t up; /* the SerDes has a signal on this lane */
};

struct channel_config {
    double ber;        /* probability of each bit to be flipped */
    unsigned spared;   /* bit l: lane l gets none of these */
    double burst_rate; /* probability that a burst starts, per clock */
    unsigned burst_min, burst_max;
    bool burst_across; /* half of the bursts run across the lanes instead of along one */
    double ack_loss;   /* probability that a micropacket with an ack is corrupted */
    double ack_forge;  /* that its ack is put outside the window, with a right CRC; on all lanes */
    unsigned delay;    /* clocks from end to end, at least 1 */
    unsigned skew[CHANNEL_LANES];
};

struct channel_burst {
    unsigned left; /* bits still to come */
    bool across;   /* runs over all bits of a clock, else over the 16 of a lane */
    unsigned lane;
    unsigned place; /* bit of this clock's word where it goes on */
    bool first;
};

struct channel {
    struct channel_config config;
    struct rng rng;
    uint64_t clock;
    uint64_t next_error; /* bits until the next one */
    uint64_t next_burst; /* clocks until the next one */
    struct channel_burst burst;
    enum lane_state lane[CHANNEL_LANES];
    struct channel_symbol ring[CHANNEL_ROOM][CHANNEL_LANES];
    struct golden_lanes follow;
    struct golden_micropacket pattern; /* for the next micropacket that begins */
    bool armed, injecting;
    const struct channel *reverse; /* the other direction: whose micropackets are acknowledged */
    uint64_t bit_errors, bursts;
    uint64_t errored; /* micropackets with errors */
    uint64_t blind;   /* those of them with a pattern of a kind that can escape */
    uint64_t escapes; /* those that did */
    uint64_t acks_lost, acks_forged;
};

/* A random pattern of even weight passes with this probability: x + 1 divides the generator. */
#define CHANNEL_PASSES (2.0 / (1 << GOLDEN_DEGREE))

void channel_start(struct channel *c, const struct channel_config *config,
                   const struct channel *reverse, uint64_t seed);

/* New rates, delay or skews from the next clock on; what is under way stays as it is. */
void channel_change(struct channel *c, const struct channel_config *config);

void channel_lane(struct channel *c, unsigned lane, enum lane_state state);

/* Flips these bits in the next micropacket that begins. */
void channel_inject(struct channel *c, const struct golden_micropacket *pattern);

/* One clock: `in` enters, `out` is what leaves. */
void channel_step(struct channel *c, const uint16_t in[CHANNEL_LANES],
                  struct channel_symbol out[CHANNEL_LANES]);

#endif
