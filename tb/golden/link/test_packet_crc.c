// SPDX-License-Identifier: Apache-2.0
/*
 * test_packet_crc.c - what the CRC and the framing of packet mode detect, computed.
 *
 * The code is a prefix of 11 bits, which is not sent, and the phits of a packet with its CRC. golden/crc_code counts what escapes of
 * 32, 19 and 3 phits; the same patterns are held against the long division of golden/packet. Framing: all errors of one and of two
 * bits in the kinds of streams of packets, holds and records, read by the golden reader without its CRC.
 * The figures go to build/reports/packet-crc.json.
 *
 * Built for aries: c11.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/harness.h"
#include "tb/golden/link/crc_code.h"
#include "tb/golden/link/packet.h"

enum {
    CRC_WIDTH = 16,
    CRC_POLY = 0xA2EB,
    PREFIX = 11,
    LANES = 3,
    MOST_BITS = PREFIX + 32 * GOLDEN_PHIT_BITS
};

/* ---- the code ---------------------------------------------------------------------------------- */

static struct crc_code code_of(unsigned phits)
{
    return (struct crc_code){
        .width = CRC_WIDTH, .poly = CRC_POLY, .bits = PREFIX + phits * GOLDEN_PHIT_BITS};
}

static void count_of(unsigned phits, uint64_t wanted, cJSON *list)
{
    const struct crc_code code = code_of(phits);
    uint64_t count[CRC_MAX_WEIGHT + 1] = {0};
    if (crc_undetected(&code, count)) {
        fputs("test_packet_crc: out of memory: 30 MB are needed\n", stderr);
        exit(1);
    }
    /* holds packet.distance */
    tap_ok(count[1] + count[2] + count[3] == 0,
           "packet CRC: %u phits: all errors of 1, 2 and 3 bits are found", phits);
    tap_equal(count[4], wanted, "packet CRC: %u phits: errors of 4 bits that pass", phits);
    for (unsigned w = 1; w <= 4; w++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddNumberToObject(row, "phits", phits);
        cJSON_AddNumberToObject(row, "weight", w);
        cJSON_AddNumberToObject(row, "undetected", (double)count[w]);
        cJSON_AddItemToArray(list, row);
    }
}

/* The same code by another way: patterns of four bits that syndromes say pass, through the long division. */
static void divided(struct rng *r)
{
    const struct crc_code code = code_of(32);
    uint32_t syndrome[CRC_MAX_BITS];
    static uint16_t at[1 << CRC_WIDTH];
    uint64_t tried = 0, passed = 0, others = 0;
    crc_syndromes(&code, syndrome);
    for (unsigned i = PREFIX; i < code.bits; i++)
        at[syndrome[i]] = (uint16_t)i;
    while (tried < 2000) {
        unsigned bit[4];
        for (unsigned i = 0; i < 3; i++)
            bit[i] = PREFIX + rng_below(r, code.bits - PREFIX);
        bit[3] = at[syndrome[bit[0]] ^ syndrome[bit[1]] ^ syndrome[bit[2]]];
        const bool hides = bit[3] != 0;
        if (!hides && rng_below(r, 4))
            continue;
        bit[3] = hides ? bit[3] : PREFIX + rng_below(r, code.bits - PREFIX);
        uint32_t phit[32];
        for (unsigned i = 0; i < 32; i++)
            phit[i] = (uint32_t)rng_next(r) & 0xffffff;
        const unsigned position = rng_below(r, GOLDEN_POSITIONS);
        phit[31] =
            golden_phit_set(phit[31], IN_PHIT_CRC, golden_link_crc(phit, 32, false, position));
        for (unsigned i = 0; i < 4; i++)
            phit[(bit[i] - PREFIX) / 24] ^= 1u << (23 - (bit[i] - PREFIX) % 24);
        const bool right =
            golden_phit_get(phit[31], IN_PHIT_CRC) == golden_link_crc(phit, 32, false, position);
        passed += hides && right;
        others += hides != right && bit[0] != bit[1] && bit[1] != bit[2] && bit[0] != bit[2] &&
                  bit[3] != bit[0] && bit[3] != bit[1] && bit[3] != bit[2];
        tried++;
    }
    /* holds packet.crc */
    tap_ok(others == 0 && passed > 10,
           "packet CRC: the long division lets pass what the syndromes say, and nothing else");
}

/* ---- bursts on a lane -------------------------------------------------------------------------- */

/* Where bit `bit` (23: kind[1]) of the part order stands in a phit: kind[1], content, kind[0]. */
static unsigned code_place(unsigned phit, unsigned part_bit)
{
    const unsigned in_phit = part_bit == 23 ? 23 : part_bit == 0 ? 22 : part_bit - 1;
    return PREFIX + phit * GOLDEN_PHIT_BITS + (23 - in_phit);
}

/* The bits of a packet of 32 phits on one of so many lanes, in the order in which they are sent. */
static unsigned lane_order(unsigned lanes, unsigned lane, unsigned place[])
{
    unsigned n = 0, chunk = 0;
    for (unsigned word = 0; word < 16; word++)
        for (unsigned part = LANES; part-- > 0; chunk++) {
            if (chunk % lanes != lane)
                continue;
            for (unsigned bit = 16; bit-- > 0;)
                place[n++] = code_place(2 * word + (bit < 8), 8 * part + bit % 8);
        }
    return n;
}

static void bursts(unsigned lanes, unsigned least)
{
    enum { LONGEST = 17 };
    const struct crc_code code = code_of(32);
    unsigned place[MOST_BITS], seen = LONGEST;
    uint64_t escapes = 0;
    for (unsigned span = 1; span <= LONGEST && seen == LONGEST; span++) {
        escapes = 0;
        for (unsigned lane = 0; lane < lanes; lane++) {
            const unsigned n = lane_order(lanes, lane, place);
            escapes += crc_undetected_bursts(&code, place, n, span);
        }
        seen = escapes ? span - 1 : seen;
    }
    tap_at_least(seen, least, "packet CRC: bursts on one of %u lanes up to so many bits are found",
                 lanes);
    tap_note("%u lanes: all bursts to %u bits; of %u bits %" PRIu64 " pass in a packet of 32",
             lanes, seen, seen + 1, escapes);
}

/* ---- framing ----------------------------------------------------------------------------------- */

enum { STREAM = 36, WATCHED = 30 };

struct stream {
    uint32_t phit[STREAM];
    int item[STREAM]; /* number of the packet or record; -1: neither */
    unsigned from[STREAM], length[STREAM];
    bool record[STREAM];
    unsigned count;
};

/* A stream of packets of 2 to 6 phits with holds, records and idle phits; contents tell nothing of the kind. */
static void make_stream(struct stream *s, struct rng *r)
{
    int items = 0;
    unsigned position = 0;
    memset(s, 0, sizeof *s);
    while (s->count < WATCHED + 2) {
        const unsigned start = s->count, what = rng_below(r, 4);
        if (start % 2 == 0 && what == 0) {
            uint32_t record[2] = {1u << 21 | ((uint32_t)rng_next(r) & 0xfffff), 0};
            record[1] = (uint32_t)PHIT_OF_END << 22 | 2u << 16;
            record[1] |= golden_link_crc(record, 2, true, 0);
            for (unsigned i = 0; i < 2; i++) {
                s->phit[s->count] = record[i];
                s->record[s->count] = true;
                s->item[s->count++] = items;
            }
            items++;
            continue;
        }
        if (start % 2 == 1 && what == 1) {
            s->item[s->count++] = -1;
            continue;
        }
        uint32_t packet[8];
        unsigned at[8], length = 2 + rng_below(r, 5);
        for (unsigned i = 0; i < length && s->count < STREAM - 1; i++) {
            const enum golden_kind kind = i == 0            ? PHIT_OF_HEAD
                                          : i + 1 == length ? PHIT_OF_END
                                                            : PHIT_OF_BODY;
            packet[i] = (uint32_t)kind << 22 | ((uint32_t)rng_next(r) & GOLDEN_CONTENT);
            at[i] = s->count;
            s->item[s->count++] = items;
            if (i + 1 < length && rng_below(r, 8) == 0) {
                s->phit[s->count] = GOLDEN_HOLD;
                s->item[s->count++] = items;
            }
            if (kind == PHIT_OF_END) {
                packet[i] = golden_phit_set(packet[i], IN_PHIT_COUNT, length);
                packet[i] = golden_phit_set(packet[i], IN_PHIT_CRC,
                                            golden_link_crc(packet, length, false, position));
            }
            s->phit[at[i]] = packet[i];
        }
        position += length;
        items++;
    }
}

/*
 * Reads the stream. A reader without CRC believes what kinds, the phit behind the end and the count let pass; what it believes
 * has to be what was sent there. A packet that passes for a record, or the reverse, has another prefix: with the kinds next to it
 * a burst of 13 bits, which the CRC finds for certain.
 */
static bool misled(const struct stream *s, const uint32_t *phit, unsigned count)
{
    struct golden_reader g;
    golden_reader_start(&g, 32, 2);
    g.recovers = false;
    g.blind = true;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t believed = g.good;
        golden_reader_phit(&g, phit[i], i % 2);
        if (g.good == believed)
            continue;
        /* the item ends with the phit before this one, and begins where the text of it began */
        const unsigned end = i - 1, begin = (unsigned)g.began;
        bool same = s->item[begin] == s->item[end] && s->item[begin] >= 0 &&
                    (begin == 0 || s->item[begin - 1] != s->item[begin]) &&
                    s->item[end + 1] != s->item[end];
        for (unsigned k = begin; k <= end && same; k++)
            same = phit[k] == s->phit[k];
        const bool swapped =
            s->record[begin] != g.believed_record && s->item[begin] == s->item[end];
        if (!same && !swapped)
            return true;
        if (g.recovers)
            return false;
    }
    return false;
}

static void framing(struct rng *r)
{
    uint64_t tried[3] = {0}, wrong[3] = {0};
    for (unsigned n = 0; n < 300; n++) {
        struct stream s;
        make_stream(&s, r);
        for (unsigned a = 0; a < 2 * WATCHED; a++) {
            uint32_t one[STREAM], two[STREAM];
            memcpy(one, s.phit, sizeof one);
            one[a / 2] ^= 1u << (22 + a % 2);
            tried[1]++;
            wrong[1] += misled(&s, one, WATCHED + 2);
            for (unsigned b = a + 1; b < 2 * WATCHED; b++) {
                memcpy(two, one, sizeof two);
                two[b / 2] ^= 1u << (22 + b % 2);
                tried[2]++;
                wrong[2] += misled(&s, two, WATCHED + 2);
            }
        }
    }
    /* holds packet.framing */
    tap_ok(wrong[1] == 0,
           "framing: all %" PRIu64
           " errors of one bit in kinds are found by kinds, next phit or count",
           tried[1]);
    tap_ok(wrong[2] == 0,
           "framing: all %" PRIu64
           " errors of two bits in kinds are found by kinds, next phit or count",
           tried[2]);
    tap_note("%" PRIu64 " and %" PRIu64 " were not", wrong[1], wrong[2]);
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    cJSON *list = cJSON_CreateArray();
    count_of(32, 465776, list);
    count_of(19, 57208, list);
    count_of(3, 0, list);
    divided(&r);
    bursts(3, 12);
    bursts(2, 11);
    bursts(1, 11);
    framing(&r);
    tap_ok(report_write("build/reports/packet-crc.json", list),
           "build/reports/packet-crc.json is written");
    return tap_done();
}
