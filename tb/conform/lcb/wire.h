// SPDX-License-Identifier: Apache-2.0
/*
 * wire.h - what an LCB puts on its lanes, against the frame, the micropacket and the sequence rules.
 *
 * It reads along where golden/lane.h does, in front of everything that the cable does. Micropackets that are cut when a
 * link goes down are not judged: one counts when another follows it in the same session.
 */
#ifndef TB_CONFORM_LCB_WIRE_H
#define TB_CONFORM_LCB_WIRE_H

#include "tb/golden/link/lane.h"

enum { WIRE_NUMBERS = 128, WIRE_FRAME = 6 };

struct wire {
    /* frames */
    uint16_t frame[WIRE_FRAME];
    unsigned word; /* of the frame that comes, 0: none does */
    bool whole;    /* one is complete and will be judged when the next one begins */
    const char *frame_fault;
    uint64_t frame_clock;

    /* micropackets */
    uint64_t session;               /* of golden_lanes, in which the last one was */
    struct golden_micropacket last; /* not judged yet */
    uint64_t last_clock;
    bool waits, last_loose;
    unsigned stray, last_stray; /* lanes outside the map that sent something during it */
    unsigned epoch;             /* of the session */
    bool begun;                 /* one was judged since the lanes came up */
    unsigned next;              /* number of the next new one */
    struct golden_micropacket copy[WIRE_NUMBERS];
    bool copied[WIRE_NUMBERS];
    bool acks_seen; /* in this epoch */
    unsigned ack;   /* the last that was sent */
    bool nak;
    unsigned without_ack; /* micropackets since */
    uint64_t naks;        /* tails that said it */
    uint64_t judged;
};

void wire_start(struct wire *w);

/* The symbols of a clock, as follow has them after it; peer: the other direction. loose: acks are forged here. */
void wire_clock(struct wire *w, const struct golden_lanes *follow,
                const uint16_t lane[GOLDEN_LANES], const struct wire *peer, bool loose,
                uint64_t clock);

#endif
