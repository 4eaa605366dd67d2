// SPDX-License-Identifier: Apache-2.0
/*
 * crc_code.h - a CRC as a code: which error patterns of a word of given length it cannot see.
 *
 * A word of `bits` bits (data first, CRC last) is a polynomial over GF(2); its last bit is x^0. An
 * error pattern escapes when the generator divides it, so everything here is arithmetic on the
 * syndromes x^i mod g. Used by test_crc.c, which states the figures of the link's CRC-20, and
 * by whoever has to know whether a given error pattern is an escape.
 */
#ifndef GOLDEN_CRC_CODE_H
#define GOLDEN_CRC_CODE_H

#include <stdint.h>

enum { CRC_MAX_BITS = 2048, CRC_MAX_WEIGHT = 6 };

struct crc_code {
    unsigned width; /* degree of the generator, at most 24 */
    uint32_t poly;  /* generator without its top term, most significant coefficient first */
    unsigned bits;  /* length of the word, data and CRC together */
};

/* Remainder of the word's division by the generator; bit[0] is the first bit, 1 or 0 per byte. */
uint32_t crc_remainder(const struct crc_code *code, const uint8_t *bit);

/* Syndrome of an error in one bit, for every place: syndrome[i] belongs to bit i from the front. */
void crc_syndromes(const struct crc_code *code, uint32_t *syndrome);

/*
 * Number of undetected error patterns of weight w in count[w], w = 1..6. Weights 1-3 are
 * enumerated, 4-6 counted by meeting in the middle. Returns 0, or -1 when memory runs out.
 */
int crc_undetected(const struct crc_code *code, uint64_t count[CRC_MAX_WEIGHT + 1]);

/*
 * Number of undetected bursts that span exactly `span` places (first and last of them in error)
 * of a serial stream: place[k] is the bit of the word that is sent as the k-th of `places`.
 */
uint64_t crc_undetected_bursts(const struct crc_code *code, const unsigned *place, unsigned places,
                               unsigned span);

#endif
