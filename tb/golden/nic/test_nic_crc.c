// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_crc.c - what the codes of the NIC's packets see: every error of one to three bits and every burst to 16 in
 * packets of 3, 5, 12 and 14 flits, how many of four bits escape; chk of an ack: every single error, pairs counted.
 *
 * The syndrome of each bit is found with the golden decoder's own long division; that they add up is tested on errors at
 * random, through the decoder.
 *
 * Built for aries: c11.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/harness.h"
#include "tb/golden/nic/nic_packet.h"

enum { MOST_BITS = 48 * NIC_FLITS, VALUES = 1 << NIC_CRC_BITS };

static const unsigned lengths[] = {3, 5, 12, 14};

struct code {
    unsigned bits;             /* those that are covered, in the order of the wire */
    unsigned place[MOST_BITS]; /* of bit i: 48 * flit + bits from the front */
    unsigned syndrome[MOST_BITS];
    unsigned at[MOST_BITS]; /* syndrome by place; 0 where nothing is covered */
    unsigned places;
};

static bool covered(unsigned place)
{
    return place >= 3 && place != 10 && place != 11; /* vc, phase */
}

static void turn(uint64_t *flit, unsigned place)
{
    flit[place / 48] ^= UINT64_C(1) << (47 - place % 48);
}

/* Any good packet of that many flits: a put, or a get. */
static void sample(struct rng *rng, unsigned flits, uint64_t *flit)
{
    struct nic_packet p = {
        .vc = 0,
        .node = rng_below(rng, 1 << 18),
        .cmd = flits == 3 ? NIC_GET : NIC_PUT,
        .offset = rng_next(rng) >> 24,
        .src = rng_below(rng, 1 << 18),
        .tag = rng_below(rng, 1 << 10),
        .mdh = rng_below(rng, 1 << 12),
        .ssid = rng_below(rng, 1 << 9),
    };

    if (flits > 3) {
        p.bytes = 6 * (flits - 3) - 2;
        p.z = p.bytes - 1;
        for (unsigned i = 0; i < p.bytes; i++) {
            p.data[i] = (uint8_t)rng_next(rng);
        }
    }
    if (nic_encode(&p, flit) != flits || nic_remainder(flit, flits) != 0) {
        tap_ok(false, "a packet of %u flits", flits);
        exit(1);
    }
}

static void measure(struct code *code, unsigned flits, const uint64_t *flit)
{
    uint64_t corrupted[NIC_FLITS];

    *code = (struct code){.places = 48 * flits};
    for (unsigned place = 0; place < code->places; place++) {
        memcpy(corrupted, flit, sizeof corrupted);
        turn(corrupted, place);
        code->at[place] = nic_remainder(corrupted, flits);
        if (covered(place)) {
            code->place[code->bits] = place;
            code->syndrome[code->bits++] = code->at[place];
        }
    }
}

/* Escapes of weight 1 to 4: 4 by pairs of equal sums, each of which is one of three ways to halve it. */
static void count(const struct code *code, uint64_t *escapes)
{
    static uint32_t pairs[VALUES], singles[VALUES];
    const unsigned *s = code->syndrome;

    memset(pairs, 0, sizeof pairs);
    memset(singles, 0, sizeof singles);
    memset(escapes, 0, 5 * sizeof *escapes);
    for (unsigned i = 0; i < code->bits; i++) {
        escapes[1] += s[i] == 0;
        singles[s[i]]++;
        for (unsigned j = 0; j < i; j++) {
            escapes[2] += (s[i] ^ s[j]) == 0;
            pairs[s[i] ^ s[j]]++;
        }
    }
    for (unsigned v = 0; v < VALUES; v++) {
        escapes[3] += (uint64_t)pairs[v] * singles[v];
        escapes[4] += (uint64_t)pairs[v] * (pairs[v] - (pairs[v] != 0)) / 2;
    }
    escapes[3] /= 3;
    escapes[4] /= 3;
}

/* Escapes among all bursts of up to 16 places: every pattern behind a first wrong bit, in the order of a Gray code. */
static uint64_t bursts(const struct code *code)
{
    uint64_t escapes = 0;

    for (unsigned first = 0; first < code->places; first++) {
        unsigned sum = code->at[first];
        bool any = covered(first);
        unsigned gray = 0;

        escapes += any && sum == 0;
        for (unsigned i = 1; i < 1u << 15; i++) {
            const unsigned bit = (unsigned)__builtin_ctz(i);

            gray ^= 1u << bit;
            if (first + 1 + bit < code->places) {
                sum ^= code->at[first + 1 + bit];
            }
            escapes += any && sum == 0;
        }
    }
    return escapes;
}

/* The sum of syndromes says what the decoder says: errors of one to five bits, and those that escape by their sum. */
static bool agrees(struct rng *rng, const struct code *code, unsigned flits)
{
    for (unsigned n = 0; n < 20000; n++) {
        uint64_t flit[NIC_FLITS], before[NIC_FLITS];
        unsigned sum = 0;
        struct nic_packet p;

        sample(rng, flits, flit);
        memcpy(before, flit, sizeof before);
        for (unsigned k = 1 + rng_below(rng, 5); k > 0; k--) {
            const unsigned place = rng_below(rng, code->places);

            sum ^= code->at[place];
            turn(flit, place);
        }
        if ((nic_decode(flit, flits, false, &p) == NIC_WRONG_CODE) != (sum != 0)) {
            return false;
        }
    }
    return true;
}

static void packets(struct rng *rng, unsigned flits, cJSON *report)
{
    static struct code code;
    uint64_t flit[NIC_FLITS], escapes[5];
    cJSON *row = cJSON_CreateObject();

    sample(rng, flits, flit);
    measure(&code, flits, flit);
    tap_ok(agrees(rng, &code, flits), "%u flits: syndromes add up to what the decoder says", flits);
    count(&code, escapes);
    tap_ok(escapes[1] + escapes[2] + escapes[3] == 0,
           "%u flits: every error of 1 to 3 bits is seen", flits);
    tap_note("%u flits, %u bits under the CRC: %" PRIu64 " errors of 4 bits escape", flits,
             code.bits, escapes[4]);
    tap_ok(bursts(&code) == 0, "%u flits: every burst to 16 bits is seen", flits);
    cJSON_AddNumberToObject(row, "flits", flits);
    cJSON_AddNumberToObject(row, "bits", code.bits);
    cJSON_AddNumberToObject(row, "escapes_of_4", (double)escapes[4]);
    cJSON_AddItemToArray(report, row);
}

static void acks(struct rng *rng)
{
    unsigned single = 0, pairs = 0, escaped = 0;
    const struct nic_packet p = {.response = true,
                                 .vc = 4,
                                 .node = rng_below(rng, 1 << 18),
                                 .tag = rng_below(rng, 1 << 10),
                                 .gen = 2};
    uint64_t flit[NIC_FLITS];
    struct nic_packet got;

    nic_encode(&p, flit);
    for (unsigned i = 0; i < 48; i++) {
        turn(flit, i);
        single += covered(i) && nic_decode(flit, 1, true, &got) != NIC_WRONG_CODE;
        for (unsigned j = 0; j < i; j++) {
            turn(flit, j);
            pairs += covered(i) && covered(j);
            escaped +=
                covered(i) && covered(j) && nic_decode(flit, 1, true, &got) != NIC_WRONG_CODE;
            turn(flit, j);
        }
        turn(flit, i);
    }
    tap_ok(single == 0, "an ack: every single wrong bit is seen");
    tap_ok(pairs == 903 && escaped == 41, "an ack: %u of %u pairs of wrong bits are not seen",
           escaped, pairs);
}

int main(int argc, char **argv)
{
    struct rng rng;
    cJSON *report = cJSON_CreateObject(), *rows = cJSON_AddArrayToObject(report, "packets");

    rng_seed(&rng, test_seed(argc, argv));
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        packets(&rng, lengths[i], rows);
    }
    acks(&rng);
    report_write("build/reports/nic-crc.json", report);
    return tap_done();
}
