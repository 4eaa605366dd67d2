// SPDX-License-Identifier: Apache-2.0
/*
 * crc_code.c - counts the error patterns that a CRC cannot see; crc_code.h says what comes out.
 *
 * Method: let h2[v] and h3[v] be the number of 2- and 3-subsets of places whose syndromes sum to
 * v. Two subsets with equal sums make a divisible pattern of their symmetric difference, so sums
 * over h2 and h3 count the patterns of weight 4 (2+2), 5 (2+3) and 6 (3+3), each as often as it can
 * be split, plus the pairs of subsets that overlap, which are patterns of smaller weight and are
 * taken off. Cost: C(480,3) = 18 million steps for the 480-bit micropacket.
 */
#include "tb/golden/link/crc_code.h"

#include <stdlib.h>

uint32_t crc_remainder(const struct crc_code *code, const uint8_t *bit)
{
    const uint32_t top = UINT32_C(1) << code->width;
    uint32_t rest = 0;
    for (unsigned i = 0; i < code->bits; i++) {
        rest = rest << 1 | bit[i];
        if (rest & top)
            rest ^= top | code->poly;
    }
    return rest;
}

void crc_syndromes(const struct crc_code *code, uint32_t *syndrome)
{
    const uint32_t top = UINT32_C(1) << code->width;
    uint32_t power = 1;
    for (unsigned i = code->bits; i-- > 0;) {
        syndrome[i] = power;
        power <<= 1;
        if (power & top)
            power ^= top | code->poly;
    }
}

static uint64_t choose2(uint64_t n)
{
    return n * (n - (n > 0)) / 2;
}

/* Counts the sums of all pairs and triples; the patterns of weight 1 to 3 are those with sum 0. */
static void count_subsets(const uint32_t *syndrome, unsigned n, uint32_t *pairs, uint32_t *triples,
                          uint64_t *count)
{
    for (unsigned i = 0; i < n; i++) {
        count[1] += syndrome[i] == 0;
        for (unsigned j = i + 1; j < n; j++) {
            const uint32_t sum = syndrome[i] ^ syndrome[j];
            pairs[sum]++;
            for (unsigned k = j + 1; k < n; k++)
                triples[sum ^ syndrome[k]]++;
        }
    }
    count[2] = pairs[0];
    count[3] = triples[0];
}

int crc_undetected(const struct crc_code *code, uint64_t count[CRC_MAX_WEIGHT + 1])
{
    const size_t sums = (size_t)1 << code->width;
    const uint64_t n = code->bits;
    uint32_t syndrome[CRC_MAX_BITS];
    uint32_t *pairs = calloc(sums, sizeof *pairs);
    uint32_t *triples = calloc(sums, sizeof *triples);
    if (!pairs || !triples) {
        free(pairs);
        free(triples);
        return -1;
    }
    for (unsigned w = 0; w <= CRC_MAX_WEIGHT; w++)
        count[w] = 0;
    crc_syndromes(code, syndrome);
    count_subsets(syndrome, code->bits, pairs, triples, count);

    uint64_t two_two = 0, two_three = 0, three_three = 0;
    for (size_t v = 0; v < sums; v++) {
        two_two += choose2(pairs[v]);
        two_three += (uint64_t)pairs[v] * triples[v];
        three_three += choose2(triples[v]);
    }
    /* Overlaps: a shared place may be any that the smaller pattern leaves free. */
    count[4] = (two_two - (n - 2) * count[2]) / 3;
    count[5] = (two_three - 3 * (n - 3) * count[3] - choose2(n - 1) * count[1]) / 10;
    count[6] = (three_three - 3 * (n - 4) * count[4] - choose2(n - 2) * count[2]) / 10;
    free(pairs);
    free(triples);
    return 0;
}

/* Walks the inner patterns of one burst in Gray order: one syndrome is added per step. */
static uint64_t bursts_at(const uint32_t *syndrome, const unsigned *place, unsigned span)
{
    const uint32_t inner = span > 2 ? span - 2 : 0;
    uint32_t sum = syndrome[place[0]];
    if (span > 1)
        sum ^= syndrome[place[span - 1]];
    uint64_t escapes = sum == 0;
    for (uint32_t step = 1; step < UINT32_C(1) << inner; step++) {
        unsigned changed = 0;
        while (!(step >> changed & 1))
            changed++;
        sum ^= syndrome[place[1 + changed]];
        escapes += sum == 0;
    }
    return escapes;
}

uint64_t crc_undetected_bursts(const struct crc_code *code, const unsigned *place, unsigned places,
                               unsigned span)
{
    uint32_t syndrome[CRC_MAX_BITS];
    uint64_t escapes = 0;
    crc_syndromes(code, syndrome);
    for (unsigned first = 0; first + span <= places; first++)
        escapes += bursts_at(syndrome, place + first, span);
    return escapes;
}
