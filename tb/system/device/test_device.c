// SPDX-License-Identifier: Apache-2.0
/*
 * test_device.c - two devices back to back: packets between processors over two links with errors, with a
 * lane that dies, and with a link that dies; packets that come marked bad or are corrupted in a router.
 *
 * Built for proto: san. Recorded for device.
 */
#include <inttypes.h>

#include "tb/system/device/device_bench.h"

enum { UP = 20000, CLOCKS = 40000, DRAIN = 200000, DEATH = 200000, SETTLE = 20000 };

static struct device_bench b;

static bool begin_with(struct device_bench_config *config, double ber, double load, uint64_t seed)
{
    config->cable.ber = ber;
    config->cable.burst_rate = ber * 10;
    config->load = load;
    device_bench_start(&b, config, seed);
    return tap_ok(device_bench_await(&b, UP), "links up, bit error rate %g", ber);
}

static bool begin(double ber, double load, double ready, uint64_t seed)
{
    struct device_bench_config config = device_bench_defaults();
    config.ready = ready;
    return begin_with(&config, ber, load, seed);
}

static void test_errors(double ber, double load, double ready, uint64_t seed)
{
    if (begin(ber, load, ready, seed)) {
        device_bench_run(&b, CLOCKS);
        tap_ok(device_bench_drain(&b, DRAIN), "all %" PRIu64 " packets arrive",
               b.fabric.packets_in);
        tap_ok(device_bench_clean(&b), "once, whole, where they belong");
        tap_ok((device_bench_link_count(&b, COUNT_REPLAYS) > 0) == (ber > 0),
               "%" PRIu64 " micropackets were sent again",
               device_bench_link_count(&b, COUNT_REPLAYS));
    }
    device_bench_free(&b);
}

static void test_lane(uint64_t seed)
{
    if (begin(1e-6, 0.8, 1, seed)) {
        device_bench_run(&b, CLOCKS / 4);
        channel_lane(&b.end[0].cable[0], 1, LANE_DOWN);
        device_bench_run(&b, CLOCKS);
        tap_ok(b.end[0].device->out.status[0].tx_map == 5, "a lane dies: the others go on");
        tap_ok(device_bench_drain(&b, DRAIN) && device_bench_clean(&b),
               "and all %" PRIu64 " packets arrive", b.fabric.packets_in);
    }
    device_bench_free(&b);
}

/* Runs until both ends of link 0 have given up; false after DEATH clocks. */
static bool await_death(void)
{
    const struct device *const d[2] = {b.end[0].device, b.end[1].device};
    const uint64_t limit = b.clock + DEATH;
    while (b.clock < limit &&
           (d[0]->out.status[0].state != LINK_DEAD || d[1]->out.status[0].state != LINK_DEAD))
        device_bench_run(&b, 100);
    return b.clock < limit;
}

/* What was on the dead link is reported, not delivered; whatever comes later takes the other one. */
static void test_death(uint64_t seed)
{
    if (begin(0, 0.4, 1, seed)) {
        device_bench_run(&b, CLOCKS / 4);
        for (unsigned i = 0; i < 2; i++)
            for (unsigned l = 0; l < CHANNEL_LANES; l++)
                channel_lane(&b.end[i].cable[0], l, LANE_DOWN);
        const uint64_t from = b.clock;
        const bool died = await_death();
        tap_ok(died, "a link dies, after %" PRIu64 " clocks", b.clock - from);
        device_bench_run(&b, SETTLE);
        const uint64_t reports = b.end[0].reports + b.end[1].reports;
        device_bench_run(&b, CLOCKS);
        const uint64_t before = b.fabric.packets_out;
        device_bench_run(&b, CLOCKS);
        tap_ok(reports > 0 && b.end[0].reports + b.end[1].reports == reports,
               "it reports %" PRIu64 " flits, then nothing goes there any more", reports);
        tap_ok(b.fabric.packets_out > before, "the other one carries on");
    }
    device_bench_free(&b);
}

/* Packets that processors hand over marked bad keep their mark to the end, whatever the links have to repeat. */
static void test_marks(uint64_t seed)
{
    struct device_bench_config config = device_bench_defaults();
    config.bad = 0.1;
    if (begin_with(&config, 1e-4, 0.5, seed)) {
        device_bench_run(&b, CLOCKS / 2);
        const bool drained = device_bench_drain(&b, DRAIN), clean = device_bench_clean(&b);
        const uint64_t marked = b.end[0].marked + b.end[1].marked;
        tap_ok(drained && clean && 20 * marked > b.fabric.packets_in &&
                   device_bench_link_count(&b, COUNT_REPLAYS) > 0,
               "%" PRIu64 " of %" PRIu64 " packets come marked and arrive marked, no others",
               marked, b.fabric.packets_in);
    }
    device_bench_free(&b);
}

/* A double-bit error in a flit that a router is about to read; not in a head's destination. */
static bool corrupt(struct device *d, struct rng *rng)
{
    struct tile *tile = &d->router.tile[rng_below(rng, RTR_PORTS)];
    struct row_buffer *row = &tile->sub.buffer[rng_below(rng, RTR_COLS)];
    const unsigned v = rng_below(rng, RTR_VCS), first = rng_below(rng, 2)
                                                            ? rng_below(rng, 9)
                                                            : HEAD_LENGTH_AT + rng_below(rng, 6);
    const unsigned deep = 1u << RTR_ROW_LOG2;
    if (!((unsigned)row->out.valid >> v & 1))
        return false;
    row->codes[v * deep + (row->rd[v] - 1u) % deep] ^= (rtr_code)3 << first;
    return true;
}

/*
 * Packets that one router corrupts arrive at the processors of both with a mark, as many as are found changed; the
 * other router takes them as they come, and no other packet is touched.
 */
static void test_corrupted(uint64_t seed)
{
    enum { EVERY = 100 };
    struct device_bench_config config = device_bench_defaults();
    struct rng rng;
    unsigned corrupted = 0;
    rng_seed(&rng, seed);
    config.min_length = 6; /* known again with some flits wrong */
    if (begin_with(&config, 1e-5, 0.8, seed)) {
        for (unsigned n = 0; n < CLOCKS / EVERY; n++) {
            device_bench_run(&b, EVERY);
            corrupted += corrupt(b.end[0].dut.self, &rng);
        }
        const bool drained = device_bench_drain(&b, DRAIN);
        const struct golden_router *f = &b.fabric;
        const unsigned cuts = f->cuts;
        golden_router_settle(&b.fabric);
        golden_router_settle(&b.end[0].golden);
        const uint64_t here = b.end[0].marked, there = b.end[1].marked;
        tap_why("drained %d, %u flits corrupted, %" PRIu64 " and %" PRIu64 " marked, %" PRIu64
                " corrupt, wrong %" PRIu64 ", %s",
                drained, corrupted, here, there, f->corrupt, f->wrong, f->first_error);
        tap_ok(drained && here > 10 && there > 10 && here + there <= corrupted &&
                   f->corrupt == here + there && f->duplicated == 0 && f->misrouted == 0 &&
                   f->reordered == 0 && f->wrong == 0 && golden_router_clean(&b.end[1].golden),
               "a router corrupts %u flits: %" PRIu64 " packets arrive marked there, %" PRIu64
               " behind a link, %u of them cut, and they alone",
               corrupted, here, there, cuts);
    }
    device_bench_free(&b);
}

/* Flits per clock over one link without errors, which carries 0.9; the processors of both devices offer 2.0. */
static void test_rate(unsigned shortest, unsigned longest, unsigned vcs, uint64_t seed)
{
    struct device_bench_config config = device_bench_defaults();
    config.across = true;
    config.links = 1;
    config.min_length = shortest;
    config.max_length = longest;
    config.vcs = vcs;
    if (begin_with(&config, 0, 1, seed)) {
        device_bench_run(&b, CLOCKS / 8);
        const uint64_t came[2] = {b.end[0].golden.from[0], b.end[1].golden.from[0]};
        device_bench_run(&b, CLOCKS / 4);
        double rate[2];
        for (unsigned i = 0; i < 2; i++)
            rate[i] = (double)(b.end[i].golden.from[0] - came[i]) / (CLOCKS / 4.0);
        const bool drained = device_bench_drain(&b, DRAIN);
        tap_ok(rate[0] > 0.89 && rate[1] > 0.89 && drained && device_bench_clean(&b),
               "packets of %u to %u flits on VCs %#x: %.4f and %.4f flits per clock", shortest,
               longest, vcs, rate[0], rate[1]);
    }
    device_bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    test_errors(0, 0.9, 1, seed);
    test_errors(1e-5, 0.8, 0.8, seed + 1);
    test_errors(1e-4, 0.3, 1, seed + 2);
    test_lane(seed + 3);
    test_death(seed + 4);
    test_marks(seed + 5);
    test_corrupted(seed + 6);
    test_rate(1, RTR_PACKET, 3, seed + 7);
    test_rate(1, 1, 3, seed + 8);
    test_rate(1, 1, 1, seed + 9);
    test_rate(2, 2, 1, seed + 10);
    return tap_done();
}
