// SPDX-License-Identifier: Apache-2.0
/*
 * lane.h - golden reading of one direction's lanes, from the symbols that a sender puts on them.
 *
 * Follows discovery frames until one says that data begins, then takes the chunks of each clock back
 * to words and micropackets, unscrambled. It sees the symbols before the cable corrupts them, so it
 * knows every micropacket as sent; from what the cable flips it knows its error pattern in code
 * order too. The channel uses it to recognise escapes and to forge acknowledgements.
 */
#ifndef GOLDEN_LANE_H
#define GOLDEN_LANE_H

#include "tb/golden/link/link.h"

enum {
    GOLDEN_LANE_BITS = 16,
    GOLDEN_CHUNKS = GOLDEN_BITS / GOLDEN_LANE_BITS,
    GOLDEN_SCRAMBLER_WORDS = 23,
    GOLDEN_SENT = 256
};

struct golden_micropacket {
    uint64_t slot[GOLDEN_SLOTS];
};

struct golden_lanes {
    bool data;                   /* data mode */
    unsigned index;              /* word of the discovery frame due next */
    uint16_t info0;              /* of the frame coming in */
    uint16_t chip, port;         /* who sends it */
    uint64_t zeros;              /* clocks in a row with nothing but zeros */
    unsigned lanes;              /* in the map */
    unsigned lane[GOLDEN_LANES]; /* of the map, the highest first */
    uint16_t scrambler[GOLDEN_LANES][GOLDEN_SCRAMBLER_WORDS];
    unsigned step; /* of the scramblers, modulo GOLDEN_SCRAMBLER_WORDS */

    /* This clock, if data: its chunks are chunk to chunk + lanes - 1 of micropacket `sent`, those from GOLDEN_CHUNKS on the next one's. */
    unsigned chunk;
    struct golden_micropacket plain, error, next_plain, next_error;
    bool complete; /* it has the last one */

    /* Micropackets in the order in which they were sent, the last GOLDEN_SENT of them. */
    struct golden_micropacket log[GOLDEN_SENT];
    uint64_t sent;
    uint64_t repeats;  /* those of them that carried flits and had been sent before */
    unsigned next;     /* sequence number of the next new micropacket */
    uint64_t sessions; /* how often data mode began */
};

/* Chunk c of a micropacket, in the order in which chunks are sent. */
uint16_t golden_chunk(const struct golden_micropacket *m, unsigned c);

void golden_lanes_start(struct golden_lanes *g);

/*
 * One clock's symbols as the sender made them. Returns true in data mode; then `plain` has this
 * clock's chunks, and `complete` says that the micropacket is whole.
 */
bool golden_lanes_symbols(struct golden_lanes *g, const uint16_t lane[GOLDEN_LANES]);

/* The sender's micropacket is to count as sent with these bits of its tail inverted. */
void golden_lanes_forge(struct golden_lanes *g, uint64_t flip);

/*
 * What the cable flipped in the same clock, then the end of the clock: a complete micropacket goes
 * to the log and `error` holds its pattern until the next call of golden_lanes_symbols.
 */
void golden_lanes_errors(struct golden_lanes *g, const uint16_t error[GOLDEN_LANES]);

#endif
