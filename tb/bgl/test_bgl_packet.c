// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_packet.c - headers, acks, gap words and CRCs of hls/bgl against the golden ones: the two tables of fields say the same.
 *
 * Built for bgl: san.
 */
#include "tb/base/harness.h"
#include "tb/golden/bgl/bgl_packet.h"
#include "hls/bgl/packet/bgl_packet.h"

#include <string.h>

enum { TRIALS = 2000 };

static struct misses wrong;

static void headers(struct rng *r)
{
    uint8_t bytes[8];
    u64 word = 0;
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)rng_next(r);
        word = (u64)(word << 8) | bytes[i];
    }
    unsigned hints = 0;
    for (unsigned p = 0; p < 6; p++)
        hints |= (unsigned)(header_hints(word) >> p & 1) << (5 - p);
    must_equal(&wrong, hints, gold_get(bytes, GOLD_HINTS), "hints");
    must_equal(&wrong, header_deposit(word), gold_get(bytes, GOLD_DP), "dp");
    must_equal(&wrong, header_group(word), gold_get(bytes, GOLD_G), "g");
    must_equal(&wrong, header_n(word), gold_get(bytes, GOLD_N), "n");
    must_equal(&wrong, header_dynamic(word), gold_get(bytes, GOLD_DYN), "dyn");
    must_equal(&wrong, header_vc(word), gold_get(bytes, GOLD_VC), "vc");
    must_equal(&wrong, header_x(word), gold_get(bytes, GOLD_X), "x");
    must_equal(&wrong, header_y(word), gold_get(bytes, GOLD_Y), "y");
    must_equal(&wrong, header_z(word), gold_get(bytes, GOLD_Z), "z");
    must_equal(&wrong, header_hint_byte(header_hints(word)), bytes[1] & 0xfc, "byte 1");
    const unsigned n = rng_below(r, 8), vc = rng_below(r, 4);
    const uint8_t anew = (uint8_t)header_byte2((u3)n, (u8)bytes[2], (u2)vc);
    gold_set(bytes, GOLD_N, n);
    gold_set(bytes, GOLD_VC, vc);
    must_equal(&wrong, anew, bytes[2], "byte 2 anew");
}

static void sums(struct rng *r)
{
    uint8_t text[257];
    const unsigned n = 1 + rng_below(r, 257);
    crc8_sum eight = CRC8_HEADER;
    crc24_sum middle = CRC24_START;
    crc32_sum long_one = CRC32_START;
    for (unsigned i = 0; i < n; i++) {
        text[i] = (uint8_t)rng_next(r);
        eight = crc8_step(eight, text[i]);
        middle = crc24_step(middle, text[i]);
        long_one = crc32_step(long_one, text[i]);
    }
    /* a start value of ones is the first bits inverted, also where there are fewer of them */
    must_equal(&wrong, eight, gold_crc(8, 0xa7, 0xff, text, n), "CRC-8 of %u bytes", n);
    must_equal(&wrong, middle, gold_crc24(text, n), "CRC-24 of %u bytes", n);
    must_equal(&wrong, long_one, gold_crc(32, 0x04c11db7, 0xffffffff, text, n),
               "CRC-32 of %u bytes", n);
}

static void acks(struct rng *r)
{
    struct gold_ack ack = {.expected = rng_below(r, 256)};
    u7 freed[4];
    uint8_t bytes[8];
    for (unsigned v = 0; v < 4; v++) {
        ack.freed[v] = rng_below(r, 128);
        freed[v] = (u7)ack.freed[v];
    }
    u56 word = ack_word((u8)ack.expected, freed);
    crc8_sum sum = CRC8_ACK;
    gold_make_ack(bytes, &ack);
    for (unsigned i = 0; i < 7; i++) {
        must_equal(&wrong, (u8)(word >> (48 - 8 * i)), bytes[i], "byte %u of an ack", i);
        sum = crc8_step(sum, bytes[i]);
    }
    must_equal(&wrong, sum, bytes[7], "CRC-8 of an ack");
    must(&wrong, ack_right(word), "an ack is not right");
    must_equal(&wrong, ack_expected(word), ack.expected, "expected");
}

/* Each word, with each error: what the votes say where the golden list has a word within two bits, and a distance where it has none. */
static void gaps(void)
{
    for (unsigned word = 0; word < 65536; word++) {
        struct gold_gap gap;
        const bool known = gold_read_gap(word, &gap);
        const u4 m = gap_votes((u16)word);
        const unsigned distance = (unsigned)gap_distance((u16)word, m);
        const bool right = distance <= 2 || distance >= 14, kind = m >= 8 || m == 7;
        must_equal(&wrong, right && kind, known, "gap word 0x%04x", word);
        if (known) {
            must_equal(&wrong, distance >= 8, gap.ack, "ack of gap word 0x%04x", word);
            must_equal(&wrong, m >= 8 ? (unsigned)m - 7 : 0, gap.chunks,
                       "chunks of gap word 0x%04x", word);
        }
    }
    for (unsigned i = 0; i < 18; i++) {
        const unsigned m = (i & 1) << 4 | (i < 2 ? 7 : 8 + i / 2 - 1);
        must_equal(&wrong, gap_word((u5)m), gold_make_gap(i & 1, i / 2), "gap word of m = 0x%02x",
                   m);
    }
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    for (unsigned i = 0; i < TRIALS; i++) {
        headers(&r);
        sums(&r);
        acks(&r);
    }
    gaps();
    tap_misses(&wrong, "fields, CRCs, acks and gap words are the golden ones");
    return tap_done();
}
