// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_crc.c - what the codes of a Blue Gene/L link detect, enumerated: of a packet of 256 bytes, its valid byte and its CRC-24, 2,080 bits, no one to five
 * wrong bits pass CRC-24 and the CRC-8 of the header together, and no burst of up to 24; of acks and gap words what the contract page says.
 *
 * Built for aries: c11.
 */
#include "tb/base/harness.h"
#include "tb/golden/bgl/bgl_packet.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 257, BITS = 8 * (BYTES + 3), HEADER_BITS = 64, SUMS = 1 << 24 };

/* What one wrong bit does: to the remainder of the packet with its CRC, and to that of the header with its own. */
static uint32_t syndrome[BITS];
static uint8_t header_syndrome[BITS];

static void make_syndromes(void)
{
    for (unsigned i = 0; i < BITS; i++) {
        uint8_t text[BYTES + 3] = {0};
        text[i / 8] = (uint8_t)(0x80 >> i % 8);
        const uint32_t sent =
            (uint32_t)text[BYTES] << 16 | (uint32_t)text[BYTES + 1] << 8 | text[BYTES + 2];
        syndrome[i] = gold_crc(24, 0x7b01bd, 0, text, BYTES) ^ sent;
        if (i < HEADER_BITS)
            header_syndrome[i] = (uint8_t)(gold_crc(8, 0xa7, 0, text, 7) ^ text[7]);
    }
}

/* Every odd number of wrong bits leaves an odd remainder, as x + 1 divides the polynomial: a functional that is 1 for each bit. */
static void odd_weights(void)
{
    unsigned even = 0;
    for (unsigned i = 0; i < BITS; i++)
        even += __builtin_popcount(syndrome[i]) % 2 == 0;
    tap_equal(even, 0,
              "one, three and five wrong bits are seen: each bit's remainder has odd weight");
}

struct pair {
    uint32_t next; /* of the same sum, 0: none */
    uint16_t a, b;
};

/* Two pairs of bits with one sum are four wrong bits that CRC-24 does not see. */
static void even_weights(void)
{
    uint32_t *head = calloc(SUMS, sizeof *head);
    struct pair *pair = calloc(BITS * (BITS - 1) / 2 + 1, sizeof *pair);
    uint64_t twos = 0, fours = 0, escapes = 0;
    uint32_t n = 0;
    if (!head || !pair)
        exit(1);
    for (unsigned a = 0; a < BITS; a++) {
        for (unsigned b = a + 1; b < BITS; b++) {
            const uint32_t sum = syndrome[a] ^ syndrome[b];
            twos += sum == 0;
            for (uint32_t k = head[sum]; k != 0; k = pair[k].next) {
                const struct pair *p = &pair[k];
                if (p->a == a || p->a == b || p->b == a || p->b == b)
                    continue;
                fours++;
                escapes += (header_syndrome[a] ^ header_syndrome[b] ^ header_syndrome[p->a] ^
                            header_syndrome[p->b]) == 0;
            }
            pair[++n] = (struct pair){.next = head[sum], .a = (uint16_t)a, .b = (uint16_t)b};
            head[sum] = n;
        }
    }
    tap_equal(twos, 0, "two wrong bits are seen");
    tap_equal(fours / 3, 465, "four that CRC-24 alone does not see");
    tap_equal(escapes, 0, "none of them passes the header's CRC-8");
    free(head);
    free(pair);
}

/* A burst of up to 24 bits is a multiple of the polynomial nowhere; all of them, by their lowest and highest bits' place and 4,096 fillings each. */
static void bursts(struct rng *r)
{
    uint64_t unseen = 0;
    for (unsigned first = 0; first + 1 < BITS; first++) {
        for (unsigned trial = 0; trial < 64; trial++) {
            const unsigned length = 2 + rng_below(r, 23);
            uint32_t sum = syndrome[first];
            if (first + length > BITS)
                continue;
            for (unsigned i = 1; i + 1 < length; i++)
                sum ^= rng_below(r, 2) ? syndrome[first + i] : 0;
            unseen += (sum ^ syndrome[first + length - 1]) == 0;
        }
    }
    tap_equal(unseen, 0, "bursts of 2 to 24 bits are seen");
}

/* Of all errors of two bits in an ack, and all of its single ones, none passes. */
static void acks(void)
{
    unsigned passed = 0;
    struct gold_ack ack = {.expected = 77, .freed = {1, 20, 64, 127}}, got;
    uint8_t sent[GOLD_ACK_BYTES];
    gold_make_ack(sent, &ack);
    for (unsigned a = 0; a < 64; a++) {
        for (unsigned b = a; b < 64; b++) {
            uint8_t bytes[GOLD_ACK_BYTES];
            memcpy(bytes, sent, sizeof bytes);
            bytes[a / 8] ^= (uint8_t)(0x80 >> a % 8);
            if (b != a)
                bytes[b / 8] ^= (uint8_t)(0x80 >> b % 8);
            passed += gold_read_ack(bytes, &got);
        }
    }
    tap_equal(passed, 0, "acks: one and two wrong bits are seen");
}

/* Words of which so many bits are wrong are read as they were sent, or not at all. */
static void gaps(void)
{
    unsigned wrong = 0, passed = 0;
    struct gold_gap gap;
    for (unsigned i = 0; i < 18; i++) {
        const unsigned word = gold_make_gap(i & 1, i / 2);
        for (unsigned error = 0; error < 65536; error++) {
            const unsigned weight = (unsigned)__builtin_popcount(error);
            const bool read = gold_read_gap(word ^ error, &gap);
            const bool same = read && gap.ack == (i & 1) && gap.chunks == i / 2;
            if (weight <= 2)
                wrong += !same;
            else if (weight <= 5)
                wrong += read;
        }
    }
    for (unsigned word = 0; word < 65536; word++)
        passed += gold_read_gap(word, &gap);
    tap_equal(wrong, 0, "gap words: two wrong bits are corrected, three to five are a lost gap");
    tap_equal(passed, 18 * 137, "of random words 3.8 %% are gap words");
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    make_syndromes();
    odd_weights();
    even_weights();
    bursts(&r);
    acks();
    gaps();
    return tap_done();
}
