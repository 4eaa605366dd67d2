// SPDX-License-Identifier: Apache-2.0
/*
 * test_crc.c - what the link's CRC detects, computed over the real micropacket and checked twice.
 *
 * The word is ten flits of 48 bits, 460 data bits (payload and sideband) and CRC-20. golden/crc_code
 * counts what escapes by meeting in the middle; here the same counts are made by other methods: the
 * weight distribution of the dual code with MacWilliams' identity (MacWilliams and Sloane, "The
 * Theory of Error-Correcting Codes", ch. 5), long division of every word of a shortened code, and
 * division of random words. The published reach of the polynomial is from Koopman's CRC tables
 * (users.ece.cmu.edu/~koopman/crc): HD 6 up to 494 data bits.
 * The figures go to build/reports/crc.json.
 *
 * Built for aries: c11.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/golden/link/crc_code.h"
#include "tb/base/harness.h"

enum {
    CRC_WIDTH = 20,
    CRC_POLY = 0xC4047,
    FLITS = 10,
    FLIT_BITS = 48,
    CHUNK_BITS = 16, /* what a lane carries per step */
    MICROPACKET_BITS = FLITS * FLIT_BITS,
    LANES = 3,
};

/* The white paper's system (Cray WP-Aries01-1112): 25,000 nodes and BER 1e-7. */
static const double link_directions = 250e3, micropackets_per_second = 87.5e6, ber = 1e-7;

struct lane_bound {
    unsigned lanes;
    unsigned longest_detected; /* every burst of up to so many bits on one lane is seen */
    uint64_t escapes;          /* bursts of one bit more that are not */
};

struct figures {
    uint64_t undetected[CRC_MAX_WEIGHT + 1];
    unsigned hamming_distance; /* 7 stands for more than 6 */
    uint64_t bursts_undetected;
    double years;
    struct lane_bound lane[LANES];
};

static void out_of_memory(void)
{
    fputs("test_crc: out of memory: 30 MB are needed\n", stderr);
    exit(1);
}

static unsigned distance_of(const uint64_t *count)
{
    unsigned w = 1;
    while (w <= CRC_MAX_WEIGHT && count[w] == 0)
        w++;
    return w;
}

/* ---- the second method: weights of the dual code ---------------------------------------------- */

/* number[w] = dual code words of weight w: a Walsh transform of the syndromes' histogram. */
static void dual_weights(const struct crc_code *code, uint64_t *number)
{
    const size_t size = (size_t)1 << code->width;
    uint32_t syndrome[CRC_MAX_BITS];
    int32_t *sum = calloc(size, sizeof *sum);
    if (!sum)
        out_of_memory();
    crc_syndromes(code, syndrome);
    for (unsigned i = 0; i < code->bits; i++)
        sum[syndrome[i]]++;
    for (size_t half = 1; half < size; half *= 2)
        for (size_t i = 0; i < size; i++)
            if (!(i & half)) {
                const int32_t a = sum[i], b = sum[i | half];
                sum[i] = a + b;
                sum[i | half] = a - b;
            }
    for (size_t u = 0; u < size; u++)
        number[((int64_t)code->bits - sum[u]) / 2]++;
    free(sum);
}

/*
 * MacWilliams: A_w = 2^-width * sum over j of B_j K_w(j), K by its three-term recurrence. The sum
 * is taken modulo 2^64, which is exact because the result is far smaller.
 */
static void undetected_by_dual(const struct crc_code *code, uint64_t *count)
{
    const int64_t n = code->bits;
    uint64_t dual[CRC_MAX_BITS + 1] = {0}, total[CRC_MAX_WEIGHT + 1] = {0};
    dual_weights(code, dual);
    for (int64_t j = 0; j <= n; j++) {
        int64_t before = 0, now = 1;
        for (int64_t w = 0; w <= CRC_MAX_WEIGHT; w++) {
            total[w] += dual[j] * (uint64_t)now;
            const int64_t next = ((n - 2 * j) * now - (n - w + 1) * before) / (w + 1);
            before = now;
            now = next;
        }
    }
    for (unsigned w = 1; w <= CRC_MAX_WEIGHT; w++)
        count[w] = total[w] >> code->width;
}

static bool same_by_dual(const struct crc_code *code, const uint64_t *count)
{
    uint64_t other[CRC_MAX_WEIGHT + 1] = {0};
    undetected_by_dual(code, other);
    return memcmp(other + 1, count + 1, CRC_MAX_WEIGHT * sizeof *count) == 0;
}

/* ---- further cross-checks ---------------------------------------------------------------------- */

/* Every word of a short code with the same generator, by long division. */
static bool shortened_code_agrees(void)
{
    const struct crc_code code = {CRC_WIDTH, CRC_POLY, CRC_WIDTH + 18};
    uint64_t counted[CRC_MAX_WEIGHT + 1], divided[CRC_MAX_WEIGHT + 1] = {0};
    if (crc_undetected(&code, counted))
        out_of_memory();
    for (uint32_t data = 1; data < UINT32_C(1) << 18; data++) {
        uint8_t bit[CRC_WIDTH + 18] = {0};
        unsigned weight = 0;
        for (unsigned i = 0; i < 18; i++)
            weight += bit[i] = data >> i & 1;
        for (uint32_t crc = crc_remainder(&code, bit); crc; crc &= crc - 1)
            weight++;
        if (weight <= CRC_MAX_WEIGHT)
            divided[weight]++;
    }
    return memcmp(counted + 1, divided + 1, CRC_MAX_WEIGHT * sizeof *counted) == 0;
}

/* The remainder of a random word is the sum of the syndromes of its ones. */
static bool syndromes_agree(const struct crc_code *code)
{
    uint32_t syndrome[CRC_MAX_BITS];
    uint64_t random = 1;
    crc_syndromes(code, syndrome);
    for (unsigned round = 0; round < 1000; round++) {
        uint8_t bit[CRC_MAX_BITS];
        uint32_t sum = 0;
        for (unsigned i = 0; i < code->bits; i++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bit[i] = random >> 63;
            sum ^= bit[i] ? syndrome[i] : 0;
        }
        if (sum != crc_remainder(code, bit))
            return false;
    }
    return true;
}

static bool distance_at(unsigned data_bits, unsigned distance)
{
    const struct crc_code code = {CRC_WIDTH, CRC_POLY, data_bits + CRC_WIDTH};
    uint64_t count[CRC_MAX_WEIGHT + 1];
    if (crc_undetected(&code, count))
        out_of_memory();
    return distance_of(count) == distance && same_by_dual(&code, count);
}

/* ---- the link's figures ------------------------------------------------------------------------ */

/*
 * The bits of a micropacket in the order in which one lane sends them: chunks of 16 bits in code
 * order, dealt to the live lanes in turn, first bit first.
 */
static unsigned lane_places(unsigned lanes, unsigned lane, unsigned *place)
{
    unsigned n = 0;
    for (unsigned chunk = lane; chunk < MICROPACKET_BITS / CHUNK_BITS; chunk += lanes)
        for (unsigned bit = 0; bit < CHUNK_BITS; bit++)
            place[n++] = chunk * CHUNK_BITS + bit;
    return n;
}

static struct lane_bound lane_bound(const struct crc_code *code, unsigned lanes)
{
    struct lane_bound bound = {.lanes = lanes};
    for (unsigned span = 1; bound.escapes == 0; span++) {
        bound.longest_detected = span - 1;
        for (unsigned lane = 0; lane < lanes; lane++) {
            unsigned place[MICROPACKET_BITS];
            const unsigned n = lane_places(lanes, lane, place);
            bound.escapes += crc_undetected_bursts(code, place, n, span);
        }
    }
    return bound;
}

static uint64_t bursts_in_code_order(const struct crc_code *code, unsigned from, unsigned to)
{
    unsigned place[MICROPACKET_BITS];
    uint64_t escapes = 0;
    for (unsigned i = 0; i < code->bits; i++)
        place[i] = i;
    for (unsigned span = from; span <= to; span++)
        escapes += crc_undetected_bursts(code, place, code->bits, span);
    return escapes;
}

static struct figures link_figures(const struct crc_code *code)
{
    struct figures f = {0};
    if (crc_undetected(code, f.undetected))
        out_of_memory();
    f.hamming_distance = distance_of(f.undetected);
    f.bursts_undetected = bursts_in_code_order(code, 1, CRC_WIDTH);
    for (unsigned i = 0; i < LANES; i++)
        f.lane[i] = lane_bound(code, LANES - i);
    const double ber6 = ber * ber * ber * ber * ber * ber;
    const double per_second =
        link_directions * micropackets_per_second * (double)f.undetected[6] * ber6;
    f.years = 1 / (per_second * 365.25 * 24 * 3600);
    return f;
}

static cJSON *report_of(const struct figures *f)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddNumberToObject(report, "data_bits", MICROPACKET_BITS - CRC_WIDTH);
    cJSON_AddStringToObject(report, "polynomial", "0xC4047");
    cJSON_AddNumberToObject(report, "hamming_distance", f->hamming_distance);
    cJSON *undetected = cJSON_AddObjectToObject(report, "undetected");
    for (unsigned w = 1; w <= 5; w++) {
        const char name[2] = {(char)('0' + w), 0};
        cJSON_AddNumberToObject(undetected, name, (double)f->undetected[w]);
    }
    cJSON_AddNumberToObject(report, "bursts_undetected", (double)f->bursts_undetected);
    cJSON_AddNumberToObject(report, "weight6_codewords", (double)f->undetected[6]);
    cJSON_AddNumberToObject(report, "years_between_undetected", f->years);
    cJSON *lanes = cJSON_AddArrayToObject(report, "lane_bursts");
    for (unsigned i = 0; i < LANES; i++) {
        cJSON *bound = cJSON_CreateObject();
        cJSON_AddNumberToObject(bound, "lanes", f->lane[i].lanes);
        cJSON_AddNumberToObject(bound, "longest_detected", f->lane[i].longest_detected);
        cJSON_AddNumberToObject(bound, "escapes_one_longer", (double)f->lane[i].escapes);
        cJSON_AddItemToArray(lanes, bound);
    }
    return report;
}

static void print_figures(const struct figures *f)
{
    for (unsigned w = 1; w <= CRC_MAX_WEIGHT; w++)
        tap_note("undetected of weight %u: %" PRIu64, w, f->undetected[w]);
    tap_note("years between undetected errors: %.3g", f->years);
    for (unsigned i = 0; i < LANES; i++)
        tap_note("lanes %u: bursts on one lane up to %u bits seen, %" PRIu64 " of %u bits not",
                 f->lane[i].lanes, f->lane[i].longest_detected, f->lane[i].escapes,
                 f->lane[i].longest_detected + 1);
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
    const struct crc_code code = {CRC_WIDTH, CRC_POLY, MICROPACKET_BITS};
    const struct figures f = link_figures(&code);
    print_figures(&f);
    tap_equal(f.hamming_distance, 6, "no undetected error of weight 1-5 in a micropacket");
    tap_ok(same_by_dual(&code, f.undetected), "weights 1-6 agree with the dual code");
    tap_equal(f.undetected[6], 31588564, "31588564 undetected words of weight 6");
    tap_ok(distance_at(494, 6), "HD 6 at 494 data bits, as published");
    tap_ok(distance_at(495, 4), "HD 4 at 495 data bits, as published");
    tap_ok(shortened_code_agrees(), "a code of 18 data bits, every word divided, agrees");
    tap_ok(syndromes_agree(&code), "remainders of random micropackets are sums of syndromes");
    tap_equal(f.bursts_undetected, 0, "no undetected burst up to 20 bits in code order");
    tap_equal(bursts_in_code_order(&code, CRC_WIDTH + 1, CRC_WIDTH + 1),
              MICROPACKET_BITS - CRC_WIDTH,
              "of the 21-bit bursts only the generator escapes, once per place");
    tap_ok(f.lane[0].longest_detected == 19 && f.lane[0].escapes == 216,
           "three lanes: bursts on one lane seen up to 19 bits, 216 of 20 bits escape");
    tap_ok(f.lane[1].longest_detected == 18 && f.lane[1].escapes == 168,
           "two lanes: bursts on one lane seen up to 18 bits, 168 of 19 bits escape");
    tap_ok(f.lane[2].longest_detected == 20 && f.lane[2].escapes == 460,
           "one lane: bursts seen up to 20 bits, the generator escapes 460 times");
    tap_ok(f.years > 7250, "more than the white paper's 7,250 years between undetected errors");
    tap_ok(report_write("build/reports/crc.json", report_of(&f)), "report written");
    return tap_done();
}
