// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_wire.h - golden listener on a wire: frames, the scrambler, and every byte behind them as gap, ack or packet.
 *
 * It explains one direction of a cable without errors: what is no frame, gap, ack or packet is counted as unexplained.
 */
#ifndef GOLDEN_BGL_WIRE_H
#define GOLDEN_BGL_WIRE_H

#include "tb/golden/bgl/bgl_packet.h"

struct gold_wire {
    /* of the listener's owner; may be null. A packet has 32 n bytes and the valid byte. */
    void *owner;
    void (*packet)(void *owner, const uint8_t *bytes, unsigned n);
    void (*ack)(void *owner, const struct gold_ack *ack);
    uint64_t bytes, packets, acks, gaps, frames; /* seen */
    uint64_t unexplained;                        /* bytes, or things with a wrong CRC */
    /* the listener's own */
    uint8_t recent[12]; /* the last bytes, while frames are sought */
    bool data;          /* behind the start frames */
    unsigned left;      /* start frames and their bytes to follow, 0: none */
    unsigned lfsr, bit;
    uint8_t held[GOLD_PACKET_MOST + 4];
    unsigned have, need, chunks, next_chunks;
    enum { WIRE_GAP, WIRE_ACK, WIRE_PACKET } what;
};

/* One byte; a wire that is silent, or a link that is trained again, begins with gold_wire_lost. */
void gold_wire_byte(struct gold_wire *w, uint8_t byte);
void gold_wire_lost(struct gold_wire *w);

#endif
