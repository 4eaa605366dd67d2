// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_patterns.c - chosen error patterns on the wire of a running link.
 *
 * What test_crc.c proves of the polynomial must be true of the machine: every single bit of a
 * micropacket, any two to five bits and any burst of up to 20 bits in code order are refused, one
 * CRC error each. A pattern that the generator divides is not: the channel must say so, and the
 * receiver must have taken it.
 *
 * Built for aries: san.
 */
#include <inttypes.h>

#include "tb/system/link/link_bench.h"

enum { UP_LIMIT = 20000, DRAIN_LIMIT = 100000, APART = 40 };

static struct bench b;

static bool up(unsigned alive, uint64_t seed)
{
    const struct bench_config config = bench_defaults();
    bench_start(&b, &config, seed);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        if (!(alive >> l & 1))
            channel_lane(&b.cable[0], l, LANE_DOWN);
    const bool runs = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, 500);
    return runs;
}

/* Bit n in code order, the first on the wire being 0. */
static void set_bit(struct golden_micropacket *m, unsigned n)
{
    m->slot[n / GOLDEN_FLIT_BITS] ^= UINT64_C(1) << (GOLDEN_FLIT_BITS - 1 - n % GOLDEN_FLIT_BITS);
}

static void inject(const struct golden_micropacket *m)
{
    channel_inject(&b.cable[0], m);
    bench_run(&b, APART * CHANNEL_LANES / b.cable[0].follow.lanes);
}

/* As many CRC errors as patterns, and everything delivered all the same. */
static void finish(bool pass, unsigned patterns, const char *name)
{
    bench_run(&b, 200);
    const uint64_t refused = bench_count(&b, 1, COUNT_CRC);
    const bool drained = bench_drain(&b, DRAIN_LIMIT), clean = bench_clean(&b);
    if (clean)
        tap_why("%u patterns, %" PRIu64 " refused, %" PRIu64 " escapes", patterns, refused,
                bench_escapes(&b));
    tap_ok(pass && drained && clean && refused == patterns && bench_escapes(&b) == 0,
           "%s: %u patterns, each refused", name, patterns);
    bench_free(&b);
}

static void single_bits(unsigned alive, const char *name, uint64_t seed)
{
    const bool pass = up(alive, seed);
    for (unsigned n = 0; n < GOLDEN_BITS; n++) {
        struct golden_micropacket m = {0};
        set_bit(&m, n);
        inject(&m);
    }
    finish(pass, GOLDEN_BITS, name);
}

static void few_bits(unsigned weight, const char *name, struct rng *r)
{
    enum { PATTERNS = 300 };
    const bool pass = up(7, rng_next(r));
    for (unsigned i = 0; i < PATTERNS; i++) {
        struct golden_micropacket m = {0};
        unsigned first = rng_below(r, GOLDEN_BITS);
        for (unsigned k = 0; k < weight; k++) {
            set_bit(&m, first);
            first = (first + 1 + rng_below(r, (GOLDEN_BITS - 1) / weight)) % GOLDEN_BITS;
        }
        inject(&m);
    }
    finish(pass, PATTERNS, name);
}

static void bursts(struct rng *r)
{
    enum { PATTERNS = 400, LONGEST = 20 };
    const bool pass = up(7, rng_next(r));
    for (unsigned i = 0; i < PATTERNS; i++) {
        struct golden_micropacket m = {0};
        const unsigned length = 2 + i % (LONGEST - 1);
        const unsigned at = rng_below(r, GOLDEN_BITS - length + 1);
        for (unsigned k = 0; k < length; k++)
            if (k == 0 || k == length - 1 || rng_below(r, 2))
                set_bit(&m, at + k);
        inject(&m);
    }
    finish(pass, PATTERNS, "bursts of 2 to 20 bits in code order");
}

/* The generator itself, in payload: x^20 + x^19 + x^18 + x^14 + x^6 + x^2 + x + 1. */
static void escape(uint64_t seed)
{
    static const unsigned powers[] = {20, 19, 18, 14, 6, 2, 1, 0};
    bool pass = up(7, seed);
    struct golden_micropacket m = {0};
    for (unsigned i = 0; i < sizeof powers / sizeof *powers; i++)
        set_bit(&m, 100 - powers[i]);
    inject(&m);
    bench_run(&b, 100);
    tap_why("%" PRIu64 " escapes, %" PRIu64 " refused, %" PRIu64 " corrupt", b.cable[0].escapes,
            bench_count(&b, 1, COUNT_CRC), b.end[0].flow.corrupt);
    tap_ok(pass && b.cable[0].escapes == 1 && bench_count(&b, 1, COUNT_CRC) == 0 &&
               b.end[0].flow.corrupt > 0 && !bench_clean(&b),
           "the generator's own pattern escapes: the channel knows, the golden flow sees the harm");
    bench_free(&b);
}

int main(int argc, char **argv)
{
    struct rng r;
    const uint64_t seed = test_seed(argc, argv);
    rng_seed(&r, seed);
    single_bits(7, "every single bit, 3 lanes", seed);
    single_bits(5, "every single bit, 2 lanes", seed);
    single_bits(2, "every single bit, 1 lane", seed);
    few_bits(2, "two bits", &r);
    few_bits(3, "three bits", &r);
    few_bits(4, "four bits", &r);
    few_bits(5, "five bits", &r);
    bursts(&r);
    escape(seed);
    return tap_done();
}
