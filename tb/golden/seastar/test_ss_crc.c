// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_crc.c - what the codes of SeaStar detect, computed: CRC-16 of a link's micropacket of 640 bits, CRC-32C of a header
 * packet of 576 bits, the check of a head over 50 bits.
 *
 * Built for aries: c11.
 */
#include <stdlib.h>

#include "tb/base/harness.h"
#include "tb/golden/link/crc_code.h"

enum {
    LINK_BITS = 640, /* ten words of 64 bits, the CRC in the last */
    LINK_WIDTH = 16,
    HEAD_BITS = 50,    /* dst, length, src, stream, f, l, [11:8]; its check */
    PACKET_BITS = 576, /* nine flits, the CRC among them */
    PACKET_PAIRS = PACKET_BITS * (PACKET_BITS - 1) / 2
};

static void by_weight(const char *what, const struct crc_code *code, uint64_t wanted)
{
    uint64_t count[CRC_MAX_WEIGHT + 1] = {0};

    if (crc_undetected(code, count)) {
        tap_ok(false, "%s: out of memory", what);
        return;
    }
    tap_equal(count[1] + count[2] + count[3], 0, "%s: errors of 1, 2 and 3 bits that pass", what);
    tap_equal(count[4], wanted, "%s: errors of 4 bits that pass", what);
}

static void bursts(const struct crc_code *code)
{
    unsigned place[LINK_BITS];
    uint64_t passed = 0;

    for (unsigned i = 0; i < LINK_BITS; i++) {
        place[i] = i;
    }
    for (unsigned span = 1; span <= LINK_WIDTH; span++) {
        passed += crc_undetected_bursts(code, place, LINK_BITS, span);
    }
    tap_equal(passed, 0, "link CRC-16: bursts of up to 16 bits that pass");
    tap_equal(crc_undetected_bursts(code, place, LINK_BITS, LINK_WIDTH + 1), LINK_BITS - LINK_WIDTH,
              "of 17 bits one passes at each place: the generator itself");
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/*
 * Distance 6: the generator has the factor x + 1, so no odd number of errors passes; all bits, and all pairs of bits, have
 * syndromes of their own, so no two and no four do.
 */
static void header(void)
{
    const uint32_t generator = 0x1EDC6F41;
    static uint32_t pair[PACKET_PAIRS];
    uint32_t one[PACKET_BITS], rest = 1;
    unsigned pairs = 0, equal = 0, none = 0;

    for (unsigned i = 0; i < PACKET_BITS; i++) {
        one[i] = rest;
        rest = rest << 1 ^ (rest >> 31 ? generator : 0);
    }
    for (unsigned i = 0; i < PACKET_BITS; i++) {
        for (unsigned k = 0; k < i; k++) {
            pair[pairs++] = one[i] ^ one[k];
        }
    }
    qsort(pair, pairs, sizeof *pair, by_value);
    for (unsigned i = 0; i < pairs; i++) {
        equal += i > 0 && pair[i] == pair[i - 1];
        none += pair[i] == 0;
    }
    tap_equal(__builtin_popcount(generator) % 2, 1,
              "CRC-32C has the factor x + 1: no odd number of errors passes");
    tap_equal(none, 0, "header of 576 bits: errors of 2 bits that pass");
    tap_equal(equal, 0, "errors of 4 bits that pass");
}

int main(int argc, char **argv)
{
    const struct crc_code link = {.width = LINK_WIDTH, .poly = 0xA2EB, .bits = LINK_BITS};
    const struct crc_code head = {.width = 8, .poly = 0x2F, .bits = HEAD_BITS};

    test_no_options(argc, argv);
    by_weight("link CRC-16", &link, 209164);
    bursts(&link);
    by_weight("check of a head", &head, 1807);
    header();
    return tap_done();
}
