// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_channel.c - the channel model itself: does it do to the symbols what it says it does?
 *
 * Built for aries: c11.
 */
#include "tb/models/channel.h"

#include <math.h>
#include <string.h>

static struct channel cable;

static struct channel_config quiet(void)
{
    return (struct channel_config){.burst_min = 1, .burst_max = CHANNEL_MAX_BURST};
}

/* Bits that differ when zeros are sent for some clocks. */
static uint64_t flipped(uint64_t clocks)
{
    const uint16_t zero[CHANNEL_LANES] = {0};
    struct channel_symbol out[CHANNEL_LANES];
    uint64_t ones = 0;
    while (clocks-- > 0) {
        channel_step(&cable, zero, out);
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            ones += (unsigned)__builtin_popcount(out[l].data);
    }
    return ones;
}

static void rates(uint64_t seed)
{
    static const double ber[] = {0, 1e-9, 1e-6, 1e-4, 1e-3, 0.5};
    const uint64_t clocks = 2000000;
    for (unsigned i = 0; i < sizeof ber / sizeof *ber; i++) {
        struct channel_config config = quiet();
        config.ber = ber[i];
        channel_start(&cable, &config, NULL, seed + i);
        const uint64_t ones = flipped(clocks);
        const double mean = 48.0 * (double)clocks * ber[i];
        const double spread = sqrt(mean * (1 - ber[i]));
        tap_why("%llu flipped, expected %.0f +- %.0f", (unsigned long long)ones, mean, spread);
        tap_ok(fabs((double)ones - mean) <= 5 * spread + 1, "bit error rate %g", ber[i]);
    }
}

/* Sends a counter on each lane and looks when it comes out. */
static void delays(void)
{
    static const unsigned delay[] = {0, 1, 7, 500};
    for (unsigned d = 0; d < sizeof delay / sizeof *delay; d++) {
        struct channel_config config = quiet();
        config.delay = delay[d];
        config.skew[1] = 5;
        config.skew[2] = CHANNEL_MAX_SKEW;
        channel_start(&cable, &config, NULL, 1);
        struct misses wrong = {0};
        for (unsigned t = 0; t < 1000; t++) {
            const uint16_t now[CHANNEL_LANES] = {(uint16_t)t, (uint16_t)t, (uint16_t)t};
            struct channel_symbol out[CHANNEL_LANES];
            channel_step(&cable, now, out);
            for (unsigned l = 0; l < CHANNEL_LANES; l++) {
                const unsigned late = delay[d] + config.skew[l];
                must_equal(&wrong, out[l].valid, t >= late, "symbol %u on lane %u", t, l);
                if (t >= late)
                    must_equal(&wrong, out[l].data, t - late, "symbol %u on lane %u", t, l);
            }
        }
        tap_misses(&wrong, "delay %u and skews 0, 5, 16", delay[d]);
    }
}

static void bursts(uint64_t seed)
{
    struct channel_config config = quiet();
    config.burst_rate = 1e-3;
    config.burst_min = 20;
    config.burst_max = 20;
    channel_start(&cable, &config, NULL, seed);
    const uint64_t ones = flipped(1000000);
    const double mean = (double)cable.bursts * (2 + 18 * 0.5);
    tap_why("%llu bits in %llu bursts", (unsigned long long)ones, (unsigned long long)cable.bursts);
    tap_ok(cable.bursts > 800 && cable.bursts < 1200 && fabs((double)ones - mean) < 0.05 * mean,
           "bursts of 20: both ends flipped, half of what is between");
}

static void dead_lanes(void)
{
    const uint16_t in[CHANNEL_LANES] = {0x1234, 0x1234, 0x1234};
    struct channel_symbol out[CHANNEL_LANES];
    const struct channel_config config = quiet();
    channel_start(&cable, &config, NULL, 1);
    channel_lane(&cable, 0, LANE_DOWN);
    channel_lane(&cable, 1, LANE_ONE);
    channel_lane(&cable, 2, LANE_ZERO);
    channel_step(&cable, in, out);
    tap_ok(!out[0].up && out[1].up && out[1].data == 0xffff && out[2].up && out[2].data == 0,
           "lanes down, stuck at one and at zero");
    channel_lane(&cable, 1, LANE_GOOD);
    channel_step(&cable, in, out);
    tap_ok(out[1].data == 0x1234, "a lane that comes back");
}

/* Three lanes of data after a start frame, nothing but zeros as words: a valid stream of zeros. */
static void start_data(void)
{
    static const uint16_t frame[6][CHANNEL_LANES] = {{0xB5C3, 0xD64E, 0x8B79},
                                                     {0x01E0, 0x01E0, 0x01E0}};
    struct channel_symbol out[CHANNEL_LANES];
    for (unsigned w = 0; w < 6; w++)
        channel_step(&cable, frame[w], out);
}

static void random_data(struct rng *r, unsigned clocks)
{
    struct channel_symbol out[CHANNEL_LANES];
    while (clocks-- > 0) {
        const uint64_t bits = rng_next(r) | 1;
        const uint16_t word[CHANNEL_LANES] = {(uint16_t)bits, (uint16_t)(bits >> 16),
                                              (uint16_t)(bits >> 32)};
        channel_step(&cable, word, out);
    }
}

/*
 * The generator itself, somewhere in a word, is the shortest pattern that escapes. Of random ones
 * every 2^19th of even weight does: three lanes of noise give enough of them to be counted.
 */
static void escapes(struct rng *r)
{
    uint64_t error[GOLDEN_SLOTS] = {0};
    error[3] = UINT64_C(0x1C4047) << 11;
    tap_ok(golden_escapes(error), "the generator is a pattern that escapes");
    error[3] ^= UINT64_C(1) << 40;
    tap_ok(!golden_escapes(error), "with one more bit it does not");

    const struct channel_config config = quiet();
    channel_start(&cable, &config, NULL, rng_next(r));
    start_data();
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        channel_lane(&cable, l, LANE_NOISE);
    const unsigned micropackets = 1500000;
    random_data(r, micropackets * GOLDEN_SLOTS);
    const double expected = (double)cable.blind * CHANNEL_PASSES;
    tap_why("%llu escapes, expected %.2f", (unsigned long long)cable.escapes, expected);
    tap_ok(cable.errored == micropackets && expected > 1 &&
               fabs((double)cable.escapes - expected) <= 4 * sqrt(expected) + 1,
           "random patterns: escapes as many as expected");
}

int main(int argc, char **argv)
{
    struct rng r;
    const uint64_t seed = test_seed(argc, argv);
    rng_seed(&r, seed);
    rates(seed);
    delays();
    bursts(seed);
    dead_lanes();
    escapes(&r);
    return tap_done();
}
