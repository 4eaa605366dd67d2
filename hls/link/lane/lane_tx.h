// SPDX-License-Identifier: Apache-2.0
/*
 * lane_tx.h - ports and registers of the sending side of the lanes.
 *
 * Discovery frames while the link comes up, then the words of lcb_tx, split over the lanes of the
 * map and scrambled. lane_tx sets the pace: advance asks lcb_tx for a word.
 */
#ifndef LANE_TX_H
#define LANE_TX_H

#include "link/flit/link_types.h"
#include "link/lane/scrambler.h"

struct lane_tx_in {
    u1 valid; /* from lcb_tx, exactly two clocks after advance */
    lcb_word word;

    u1 quiet; /* a dead link sends zeros */
    u1 start; /* level: begin the countdown at the next frame, then send data until it falls */
    lcb_lanes lane_map; /* lanes that carry data; constant while start */
    u16 info0;          /* for the discovery frame, start and count are put in here */
    u16 info1;
    struct link_identity identity; /* ours, for the frames */
    u10 echo;                      /* and whom we hear */
};

struct lane_tx_out {
#if LANE_PACE > 1
    u1 lane_valid; /* they have a new word: in every second clock */
#endif
    u16 lane[LANES]; /* to the SerDes, a word per clock, bit 15 first */
    u1 advance;      /* lcb_tx: emit a word in the next clock */
    u1 data;         /* data mode */
};

/* How the chunk of a clock is put together, determined a clock ahead: the lane map is constant while data goes out. */
struct lane_split {
#if LANES == 4
    u3 lanes;  /* of the map */
    u1 begin;  /* a word comes */
    u2 joined; /* chunks of the word before that go in front of it */
#else
    u1 one;   /* lane */
    u1 begin; /* the chunk begins with a word that comes */
    u1 join;  /* of two lanes: the end of one word and the beginning of the next */
#endif
};

typedef uint(LCB_WORD_BITS - 16) lane_rest; /* of a word what did not fit into its clock */

struct lane_tx {
    struct lane_tx_out out;
    u3 index;           /* word of the frame */
    u1 counts;          /* this is a start frame */
    frame_counts count; /* frames from it to data */
    u1 asks;            /* words are asked for */
    u2 phase;           /* of the period of lanes.h */
    struct lane_split split;
    u16 info0;
    u16 info1;
    u16 check;
    lane_rest rest; /* left-justified */
    u23 scrambler[LANES];
};

HLS_RESET void lane_tx_reset(struct lane_tx *self);
HLS_MODULE void lane_tx(struct lane_tx *self, const struct lane_tx_in *in);

#endif
