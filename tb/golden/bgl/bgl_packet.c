// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_packet.c - golden packets, acks and gap words.
 */
#include "tb/golden/bgl/bgl_packet.h"

#include <string.h>

enum { PADDED = GOLD_PACKET_MOST + 8 };

uint32_t gold_crc(unsigned width, uint32_t poly, uint32_t start, const uint8_t *bytes, size_t n)
{
    uint8_t text[PADDED] = {0};
    memcpy(text, bytes, n);
    for (unsigned i = 0; i < width / 8; i++)
        text[i] ^= (uint8_t)(start >> (width - 8 - 8 * i));
    /* the divisor under each bit that is 1, from the left */
    for (size_t bit = 0; bit < 8 * n; bit++) {
        if (!(text[bit / 8] >> (7 - bit % 8) & 1))
            continue;
        text[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        for (unsigned k = 0; k < width; k++) {
            const size_t at = bit + 1 + k;
            if (poly >> (width - 1 - k) & 1)
                text[at / 8] ^= (uint8_t)(0x80 >> at % 8);
        }
    }
    uint32_t rest = 0;
    for (unsigned i = 0; i < width / 8; i++)
        rest = rest << 8 | text[n + i];
    return rest;
}

uint8_t gold_crc8_header(const uint8_t *header)
{
    return (uint8_t)gold_crc(8, 0xa7, 0xff, header, 7);
}

uint8_t gold_crc8_ack(const uint8_t *ack)
{
    return (uint8_t)gold_crc(8, 0xa7, 0x5a, ack, 7);
}

uint32_t gold_crc24(const uint8_t *packet, size_t bytes)
{
    return gold_crc(24, 0x7b01bd, 0xffffff, packet, bytes);
}

/* First bit of each field, counted from the top of byte 0, and its bits. */
static const struct {
    unsigned first, bits;
} field_at[GOLD_FIELDS] = {
    [GOLD_SKIP] = {0, 7},      [GOLD_SK] = {7, 1},    [GOLD_HINTS] = {8, 6}, [GOLD_DP] = {14, 1},
    [GOLD_G] = {15, 1},        [GOLD_N] = {16, 3},    [GOLD_SW] = {19, 2},   [GOLD_DYN] = {21, 1},
    [GOLD_VC] = {22, 2},       [GOLD_X] = {24, 8},    [GOLD_Y] = {32, 8},    [GOLD_Z] = {40, 8},
    [GOLD_SEQUENCE] = {48, 8}, [GOLD_CRC8] = {56, 8},
};

static unsigned get_bits(const uint8_t *bytes, unsigned first, unsigned bits)
{
    unsigned value = 0;
    for (unsigned i = first; i < first + bits; i++)
        value = value << 1 | (bytes[i / 8] >> (7 - i % 8) & 1);
    return value;
}

static void set_bits(uint8_t *bytes, unsigned first, unsigned bits, unsigned value)
{
    for (unsigned i = 0; i < bits; i++) {
        const unsigned at = first + i;
        const uint8_t mask = (uint8_t)(0x80 >> at % 8);
        const bool one = value >> (bits - 1 - i) & 1;
        bytes[at / 8] = (uint8_t)((bytes[at / 8] & ~mask) | (one ? mask : 0));
    }
}

unsigned gold_get(const uint8_t *header, enum gold_field field)
{
    return get_bits(header, field_at[field].first, field_at[field].bits);
}

void gold_set(uint8_t *header, enum gold_field field, unsigned value)
{
    set_bits(header, field_at[field].first, field_at[field].bits, value);
}

/* Byte by byte: byte b of word w stands 24 - 8 b bits up, and 8 w more round the top. */
uint32_t gold_checksum(uint32_t sum, const uint8_t *packet)
{
    const unsigned skip = 2 * gold_get(packet, GOLD_SKIP);
    if (gold_get(packet, GOLD_SK))
        return sum;
    for (unsigned quad = 0; quad < 2 * (gold_get(packet, GOLD_N) + 1); quad++) {
        uint32_t word = 0;
        for (unsigned i = 0; i < 16; i++) {
            const unsigned at = 16 * quad + i;
            if (at >= skip)
                word ^= (uint32_t)packet[at] << (56 - 8 * (i % 4) + 8 * (i / 4)) % 32;
        }
        sum = (uint32_t)((((uint64_t)sum << 32 | sum) << 5 >> 32) + word);
    }
    return sum;
}

/* kind 4, expected 8, freed 4 x 7, expected inverted 8, spare 8, CRC-8. */
void gold_make_ack(uint8_t bytes[GOLD_ACK_BYTES], const struct gold_ack *ack)
{
    memset(bytes, 0, GOLD_ACK_BYTES);
    set_bits(bytes, 0, 4, 9);
    set_bits(bytes, 4, 8, ack->expected);
    for (unsigned v = 0; v < 4; v++)
        set_bits(bytes, 12 + 7 * v, 7, ack->freed[v]);
    set_bits(bytes, 40, 8, 255 - ack->expected);
    bytes[7] = gold_crc8_ack(bytes);
}

bool gold_read_ack(const uint8_t bytes[GOLD_ACK_BYTES], struct gold_ack *ack)
{
    uint8_t again[GOLD_ACK_BYTES];
    ack->expected = get_bits(bytes, 4, 8);
    for (unsigned v = 0; v < 4; v++)
        ack->freed[v] = get_bits(bytes, 12 + 7 * v, 7);
    gold_make_ack(again, ack);
    return memcmp(again, bytes, GOLD_ACK_BYTES) == 0;
}

/* Words that announce 1 to 8 chunks; with an ack before them their complements. */
static const uint16_t gap_data[8] = {0xff00, 0x55aa, 0x33cc, 0x9966,
                                     0x0ff0, 0xa55a, 0xc33c, 0x6996};

unsigned gold_make_gap(bool ack, unsigned chunks)
{
    const unsigned word = chunks == 0 ? 0x9696 : gap_data[chunks - 1];
    return ack ? word ^ 0xffff : word;
}

bool gold_read_gap(unsigned word, struct gold_gap *gap)
{
    for (unsigned i = 0; i < 18; i++) {
        const bool ack = i & 1;
        const unsigned wrong = (unsigned)__builtin_popcount(word ^ gold_make_gap(ack, i / 2));
        if (wrong <= 2) {
            *gap = (struct gold_gap){.ack = ack, .chunks = i / 2, .wrong = wrong};
            return true;
        }
    }
    return false;
}
