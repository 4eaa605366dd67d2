// SPDX-License-Identifier: Apache-2.0
/*
 * test_ntt.c - virtual PEs to nodes against a table of the bench: random heads, writes of what is being read, wrong bits
 * in entries, the wipe; and ntt_place over all granularities.
 *
 * Built for aries: fast; proto: san. Recorded for ntt.
 */
#include "tb/base/harness.h"
#include "nic/initiator/ntt.h"
#include "tb/models/nic_beats.h"

#include <string.h>

enum { ENTRIES = 1 << NIC_NTT_LOG2, GONE = 4 };

struct entry {
    bool valid;
    unsigned node, flips; /* wrong bits of its word */
};

struct bench {
    struct ntt dut;
    struct rng rng;
    struct entry table[ENTRIES];
    struct beat sent[GONE]; /* what came in the clocks before, as it must go out */
    unsigned looked[GONE];  /* its flips, if it is translated */
    uint64_t clock, heads, refused, corrected, fatal;
    struct misses wrong;
};

static uint64_t now;

static void put(struct beat *b, unsigned at, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        b->word &= ~((beat_word)1 << (at + i));
        b->word |= (beat_word)(value >> i & 1) << (at + i);
    }
}

static uint64_t get(const struct beat *b, unsigned at, unsigned width)
{
    return (uint64_t)(b->word >> at) & (((uint64_t)1 << width) - 1);
}

static struct beat draw_beat(struct bench *b)
{
    struct beat beat = {.valid = rng_below(&b->rng, 8) != 0};

    for (unsigned i = 0; i < 144; i += 48) {
        put(&beat, i, 48, rng_next(&b->rng));
    }
    beat.head = rng_below(&b->rng, 3) != 0;
    beat.tail = rng_below(&b->rng, 2) != 0;
    beat.bad = rng_below(&b->rng, 16) == 0;
    put(&beat, 69, 13, rng_below(&b->rng, ENTRIES));
    if (rng_below(&b->rng, 4) != 0) {
        put(&beat, 82, 1, 0);
        put(&beat, 69, 13, rng_below(&b->rng, 8));
    }
    return beat;
}

/* The node, by arithmetic: of 2^g PEs the entry names the block, the PE the place in it. */
static struct beat translated(struct bench *b, struct beat beat, unsigned *flips)
{
    const struct entry *e = &b->table[get(&beat, 69, 13) % ENTRIES];
    uint64_t block = (uint64_t)1 << get(&beat, 66, 3), pe = get(&beat, 18, 18);

    *flips = 0;
    if (!beat.valid || !beat.head || get(&beat, 83, 1) == 0) {
        return beat;
    }
    *flips = e->flips;
    b->heads++;
    put(&beat, 18, 18, e->node / block * block + pe % block);
    put(&beat, 83, 1, e->flips == 2 && get(&beat, 82, 1) == 0); /* why, if not of the PE */
    if (!e->valid || e->flips == 2) {
        put(&beat, 82, 1, 1);
    }
    b->refused += get(&beat, 82, 1);
    return beat;
}

static bool same(const struct beat *a, const struct beat *b, bool any_node)
{
    beat_word hides = any_node ? ~((beat_word)0x3FFFF << 18) : ~(beat_word)0;

    return a->valid == b->valid && a->head == b->head && a->tail == b->tail && a->bad == b->bad &&
           ((a->word ^ b->word) & hides) == 0;
}

static void step(struct bench *b, struct ntt_in *in)
{
    unsigned at = b->clock % GONE, due = (b->clock + GONE - 1) % GONE;

    in->tarb = draw_beat(b);
    b->sent[at] = translated(b, in->tarb, &b->looked[at]);
    ntt(&b->dut, in);
    now++;
    if (b->clock++ == 0) {
        return;
    }
    unsigned flips = b->sent[due].valid ? b->looked[due] : 0;

    if (!same(&b->dut.out.beat, &b->sent[due], flips == 2)) {
        nic_miss_beat(&b->wrong, &b->dut.out.beat, &b->sent[due],
                      "a beat, %u bits of its entry wrong", flips);
    }
    must_equal(&b->wrong, b->dut.out.count,
               flips == 1   ? 1
               : flips == 2 ? 2
                            : 0,
               "counts of corrected and lost, %u bits of the entry wrong", flips);
    b->corrected += flips == 1;
    b->fatal += flips == 2;
}

/* A write, seen from the next clock on; of another table nothing happens. */
static void write_entry(struct bench *b, struct ntt_in *in, unsigned index, bool other)
{
    struct entry e = {.valid = rng_below(&b->rng, 8) != 0, .node = rng_below(&b->rng, 1 << 18)};

    in->write = (struct nic_write){
        .valid = 1,
        .addr = (u16)(0x4000 + index),
        .data = (u64)e.node | (u64)e.valid << 18 | (u64)rng_next(&b->rng) << 19,
    };
    if (other) {
        in->write.addr =
            (u16)(rng_below(&b->rng, 2) != 0 ? 0x1000 + index % 512 * 4 : 0x8000 + index);
    }
    step(b, in);
    in->write.valid = 0;
    if (!other) {
        b->table[index] = e;
    }
}

static void flip(struct bench *b, unsigned index, unsigned bits)
{
    unsigned first = rng_below(&b->rng, 25), second = (first + 1 + rng_below(&b->rng, 24)) % 25;

    if (b->table[index].flips != 0) {
        return;
    }
    b->dut.entries[index] ^= (ntt_ecc_word)1 << first;
    if (bits == 2) {
        b->dut.entries[index] ^= (ntt_ecc_word)1 << second;
    }
    b->table[index].flips = bits;
}

static void test_table(uint64_t seed)
{
    static struct bench b;
    struct ntt_in in = {};

    memset(&b, 0, sizeof b);
    ntt_reset(&b.dut);
    rng_seed(&b.rng, seed);
    for (unsigned i = 0; i < ENTRIES; i++) { /* what was there before the reset */
        b.dut.entries[i] = (ntt_ecc_word)rng_next(&b.rng);
    }
    for (unsigned i = 0; i < 8192; i++) {
        in.wipe = (struct nic_wipe){.valid = 1, .index = (u13)i};
        ntt(&b.dut, &in);
    }
    in.wipe.valid = 0;
    for (unsigned i = 0; i < 2000; i++) {
        step(&b, &in);
    }
    must_at_least(&b.wrong, b.heads, 400 + 1, "b.heads");
    must_equal(&b.wrong, b.refused, b.heads, "b.refused");
    tap_misses(&b.wrong, "ntt: wiped: all %llu PEs are refused", (unsigned long long)b.heads);
    for (unsigned i = 0; i < ENTRIES; i++) {
        write_entry(&b, &in, i, false);
    }
    for (unsigned n = 0; n < 100000; n++) {
        unsigned index = rng_below(&b.rng, rng_below(&b.rng, 4) == 0 ? ENTRIES : 8);

        switch (rng_below(&b.rng, 40)) {
        case 0:
            write_entry(&b, &in, index, rng_below(&b.rng, 4) == 0);
            break;
        case 1:
            step(&b, &in); /* nobody reads while bits go wrong */
            flip(&b, index, 1 + rng_below(&b.rng, 2));
            break;
        default:
            step(&b, &in);
        }
    }
    /* holds ntt.refused, ntt.passes, ntt.writes */
    must_at_most(&b.wrong, b.refused, b.heads - 1, "b.refused");
    tap_misses(&b.wrong, "ntt: %llu heads in two clocks, %llu refused, other beats as they were",
               (unsigned long long)b.heads, (unsigned long long)b.refused);
    tap_ok(b.corrected > 500 && b.fatal > 500,
           "ntt: %llu entries with a single-bit error put right, %llu with two refused",
           (unsigned long long)b.corrected, (unsigned long long)b.fatal);
}

/* PE, base, size, granularity: what fits is at base + pe / 2^g. */
static void test_place(uint64_t seed)
{
    struct rng rng;
    struct misses wrong = {0};
    uint64_t refused = 0;

    rng_seed(&rng, seed);
    for (unsigned n = 0; n < 200000; n++) {
        unsigned g = rng_below(&rng, 8), base = rng_below(&rng, ENTRIES);
        unsigned pe = rng_below(&rng, ENTRIES << g) & 0x3FFFF;
        unsigned size = rng_below(&rng, 2) != 0 ? rng_below(&rng, 1 << 18) : pe + n % 2;

        struct ntt_place place = ntt_place((nic_node)pe, (u13)base, (u18)size, (u3)g);
        unsigned index = base + pe / (1u << g);
        bool fits = pe < (size & 0x3FFFF) && index < ENTRIES;

        must_equal(&wrong, place.refused, !fits, "PE %u, base %u, size %u, granularity %u: refused",
                   pe, base, size, g);
        if (fits) {
            must_equal(&wrong, place.index, index, "PE %u, base %u, size %u, granularity %u: index",
                       pe, base, size, g);
        }
        refused += place.refused;
    }
    must_at_least(&wrong, refused, 1000 + 1, "refused");
    must_at_most(&wrong, refused, 180000 - 1, "refused");
    tap_misses(&wrong, "ntt_place: 200,000 PEs, %llu refused", (unsigned long long)refused);
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &now;
    test_table(seed);
    test_place(seed);
    tap_ok(harness_covers("hls/nic/initiator/ntt.c") == 2, "all covers are hit");
    return tap_done();
}
