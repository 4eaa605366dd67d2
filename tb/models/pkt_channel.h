// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_channel.h - one direction of the cable between two LCBs in packet mode: lanes with a word in every second clock.
 *
 * Independent bit errors, bursts along a lane, lanes that die; and errors that aim: at a phit of a chosen kind, in its kind or its
 * content, one bit or two. golden/link/lane.h reads along what the sender puts on the lanes, so the channel knows which word is
 * going by. All random choices come from one seed.
 */
#ifndef TB_PKT_CHANNEL_H
#define TB_PKT_CHANNEL_H

#include "tb/golden/link/lane.h"
#include "tb/golden/link/packet.h"
#include "tb/models/channel.h"

/* What an error aims at. */
enum pkt_target {
    HIT_HEAD_KIND,
    HIT_HEAD_VC,
    HIT_HEAD,
    HIT_BODY_KIND,
    HIT_BODY,
    HIT_END_KIND,
    HIT_END_UPPER,
    HIT_END,
    HIT_RECORD_KIND,
    HIT_RECORD,
    HIT_HOLD_KIND,
    HIT_HOLD,
    HIT_BEHIND_END, /* the kind of the phit behind an end */
    HIT_TARGETS
};

enum { PKT_WORDS = 4096 };

struct pkt_channel_config {
    double ber, burst_rate;
    unsigned burst_min, burst_max;
    double hit[HIT_TARGETS]; /* probability for each phit of that kind; on three lanes */
    double hit_two;          /* that it is two bits instead of one */
    unsigned delay;          /* clocks from end to end, at least 1 */
    unsigned skew[CHANNEL_LANES];
};

struct pkt_channel {
    struct pkt_channel_config config;
    struct rng rng;
    uint64_t clock;
    uint64_t next_error, next_burst; /* bits and words of a lane until the next one */
    unsigned burst_left, burst_lane;
    bool burst_first;
    enum lane_state lane[CHANNEL_LANES];
    struct channel_symbol ring[CHANNEL_ROOM][CHANNEL_LANES];
    struct golden_lanes follow;
    uint32_t before;         /* the phit before */
    uint64_t sessions, sent; /* words of data since it began last, */
    uint8_t
        flipped[PKT_WORDS]; /* and how many bits of each flipped, at its number modulo PKT_WORDS */
    uint64_t words, bit_errors, bursts, hits[HIT_TARGETS];
    uint64_t phits[4]; /* as sent, by kind */
    uint64_t records;
    unsigned
        hit_phit; /* phit of the next packet that begins, from 1 on, in which one bit flips; then 0 */
    unsigned counted; /* phits of the packet that goes by */
    unsigned once;    /* bits of one error in the word of data that enters next; then 0 */
};

void pkt_channel_start(struct pkt_channel *c, const struct pkt_channel_config *config,
                       uint64_t seed);

/* New rates and delays from the next clock on. */
void pkt_channel_change(struct pkt_channel *c, const struct pkt_channel_config *config);

/* One clock: `in` enters if valid; `out` is what leaves. */
void pkt_channel_step(struct pkt_channel *c, bool valid, const uint16_t in[CHANNEL_LANES],
                      struct channel_symbol out[CHANNEL_LANES]);

#endif
