// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_packet.h - golden model of what is on a Blue Gene/L link, written from the contract page (hls/bgl/README.md) and without any of
 * hls/bgl: fields by a table, CRCs by long division, gap words by a list.
 */
#ifndef GOLDEN_BGL_PACKET_H
#define GOLDEN_BGL_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GOLD_PACKET_MOST = 256, GOLD_ACK_BYTES = 8 };

/* Remainder of a string of bytes, its first `width` bits XOR start, times x^width, by division bit by bit. */
uint32_t gold_crc(unsigned width, uint32_t poly, uint32_t start, const uint8_t *bytes, size_t n);

uint8_t gold_crc8_header(const uint8_t *header);
uint8_t gold_crc8_ack(const uint8_t *ack);
uint32_t gold_crc24(const uint8_t *packet, size_t bytes); /* with the valid byte */

/* The checksum of an injection FIFO over one packet more, as software wrote it. */
uint32_t gold_checksum(uint32_t sum, const uint8_t *packet);

/* Fields of a header. */
enum gold_field {
    GOLD_SKIP,
    GOLD_SK,
    GOLD_HINTS, /* x+ is the highest of six bits */
    GOLD_DP,
    GOLD_G,
    GOLD_N, /* chunks - 1 */
    GOLD_SW,
    GOLD_DYN,
    GOLD_VC,
    GOLD_X,
    GOLD_Y,
    GOLD_Z,
    GOLD_SEQUENCE,
    GOLD_CRC8,
    GOLD_FIELDS,
};

unsigned gold_get(const uint8_t *header, enum gold_field field);
void gold_set(uint8_t *header, enum gold_field field, unsigned value);

struct gold_ack {
    unsigned expected, freed[4];
};

void gold_make_ack(uint8_t bytes[GOLD_ACK_BYTES], const struct gold_ack *ack);
bool gold_read_ack(const uint8_t bytes[GOLD_ACK_BYTES], struct gold_ack *ack);

/* What a gap word says follows; false if no word of the code is within two bits. */
struct gold_gap {
    bool ack;
    unsigned chunks; /* of the packet that follows, 0: none */
    unsigned wrong;  /* bits */
};
bool gold_read_gap(unsigned word, struct gold_gap *gap);
unsigned gold_make_gap(bool ack, unsigned chunks);

#endif
