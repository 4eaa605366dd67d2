// SPDX-License-Identifier: Apache-2.0
/*
 * lane_rx.h - ports and registers of the receiving side of the lanes.
 *
 * Discovery frames go to the detectors; once a start frame says where data begins, the words of
 * each lane go through its deskew buffer, are descrambled and joined into words for lcb_rx.
 */
#ifndef LANE_RX_H
#define LANE_RX_H

#include "link/lane/lane_train.h"
#include "link/flit/link_types.h"
#include "link/lane/scrambler.h"

#define DESKEW_LOG2 5 /* words: a skew of 16 clocks, start pulse and pointer margin */

struct lane_rx_in {
    lcb_lanes lane_valid; /* from the SerDes: lane l has a word in this clock */
    lcb_lanes lane_up;    /* lane l has recovered its clock */
    u16 lane[LANES];

    u1 hunt;            /* link: bring-up, look for discovery frames */
    u1 arm;             /* take start frames and data */
    lcb_lanes lane_map; /* lanes that carry data; constant while arm */
    u4 epoch;           /* data of another one is not taken */
};

struct lane_rx_out {
    u1 valid;
    lcb_word word;

    lcb_lanes good; /* lanes with a good score */
    u1 agreed;      /* all good lanes receive the same info0, info1, identity and echo */
    u16 info0;
    u16 info1;
    struct link_identity identity; /* of the sender */
    u10 echo;                      /* whom it hears */
    u1 started;                    /* data has arrived on all lanes of the map */
    u1 overflow;                   /* for one clock: skew beyond the deskew buffer */
};

/* Where the chunks that have been read go, determined a clock before they are joined. */
struct lane_places {
#if LANES == 4
    u3 lanes;
    u2 kept; /* chunks of the word that ends that came before: 0 with four lanes */
#else
    u1 three, one;       /* lanes */
    u1 top_two, top_one; /* the first chunk comes from lane 2, or else from lane 1 */
    u1 middle_one;       /* the second one comes from lane 1 */
    u1 second;           /* of two lanes: the clock in which a word ends and the next one begins */
#endif
    u1 ends; /* a word does */
};

struct lane_rx {
    struct lane_rx_out out;
    lcb_lanes counts;    /* lane l got a start frame and knows where its data begins */
    u7 remaining[LANES]; /* words until then */
    u5 write[LANES];
    u5 read;
    u1 fetched;       /* of each lane of the map the next word has been read */
    u16 words[LANES]; /* still scrambled */
    u2 phase;
    struct lane_places at;
    uint(LCB_WORD_BITS - 16) rest; /* of a word that has not ended, right-justified */
    u23 scrambler[LANES];
    struct lane_train train[LANES];
    HLS_LUTRAM(1) u16 deskew0[1 << DESKEW_LOG2];
    HLS_LUTRAM(1) u16 deskew1[1 << DESKEW_LOG2];
    HLS_LUTRAM(1) u16 deskew2[1 << DESKEW_LOG2];
#if LANES == 4
    HLS_LUTRAM(1) u16 deskew3[1 << DESKEW_LOG2];
#endif
};

HLS_RESET void lane_rx_reset(struct lane_rx *self);
HLS_MODULE void lane_rx(struct lane_rx *self, const struct lane_rx_in *in);

#endif
