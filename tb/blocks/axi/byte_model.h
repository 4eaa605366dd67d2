// SPDX-License-Identifier: Apache-2.0
/*
 * byte_model.h - what packets of bytes look like in flits, computed bit by bit from the picture in hls/axi/bytes.h.
 */
#ifndef TB_BYTE_MODEL_H
#define TB_BYTE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/base/harness.h"

enum { BYTE_MODEL_MOST = 90, BYTE_MODEL_FLITS = 16 };

struct byte_packet {
    uint8_t data[128];
    unsigned bytes;
    unsigned vc;
    uint64_t user; /* 34 bits */
    bool bad;
};

/* A packet of up to `most` bytes. */
struct byte_packet byte_packet_random(struct rng *r, unsigned most);

/* Flits of a packet, head first; returns their number. */
unsigned byte_packet_flits(const struct byte_packet *p, uint64_t flit[BYTE_MODEL_FLITS]);

/* Beats of 8 bytes that a packet takes, at least one. */
unsigned byte_packet_beats(const struct byte_packet *p);

/* Beat i: its data, bytes behind the end are 0; *bytes: how many it has. */
uint64_t byte_packet_beat(const struct byte_packet *p, unsigned i, unsigned *bytes);

#endif
