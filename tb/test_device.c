// SPDX-License-Identifier: Apache-2.0
/*
 * test_device.c - two devices back to back: packets between processors over two links with errors, with a
 * lane that dies, and with a link that dies.
 */
#include <inttypes.h>

#include "device_bench.h"

enum { UP = 20000, CLOCKS = 40000, DRAIN = 200000, SETTLE = 20000 };

static struct device_bench b;

static bool begin(double ber, double load, double ready, uint64_t seed)
{
    struct device_bench_config config = device_bench_defaults();
    config.cable.ber = ber;
    config.cable.burst_rate = ber * 10;
    config.load = load;
    config.ready = ready;
    device_bench_start(&b, &config, seed);
    return tap_ok(device_bench_await(&b, UP), "links up, bit error rate %g", ber);
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

/* What was on the dead link is reported, not delivered; whatever comes later takes the other one. */
static void test_death(uint64_t seed)
{
    if (begin(0, 0.4, 1, seed)) {
        device_bench_run(&b, CLOCKS / 4);
        for (unsigned i = 0; i < 2; i++)
            for (unsigned l = 0; l < CHANNEL_LANES; l++)
                channel_lane(&b.end[i].cable[0], l, LANE_DOWN);
        device_bench_run(&b, 20 * CLOCKS);
        const struct link_status *status = &b.end[0].device->out.status[0];
        tap_ok(status->state == LINK_DEAD, "a link dies");
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

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    test_errors(0, 0.9, 1, seed);
    test_errors(1e-5, 0.8, 0.8, seed + 1);
    test_errors(1e-4, 0.3, 1, seed + 2);
    test_lane(seed + 3);
    test_death(seed + 4);
    return tap_done();
}
