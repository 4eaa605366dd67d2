// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_deadlock.c - requests wait for responses, responses for memory, memory for nothing: both NICs of two chips get
 * and put at full rate from and to each other while their memories stop for up to 10,000 clocks at random.
 *
 * While both memories go, each NIC gets an answer within BOUND clocks, those not counted in which one of them stops; and no request may
 * time out.
 *
 * Built for proto: fast.
 */
#include "tb/system/chip/chip_pair.h"

#include <string.h>

/*
 * The longest way of a request and its answer: NICs (test_chip_latency), 20 + 24 and 14 + 24; twice a link of 27 and its cable, and two
 * routers of 20; a memory that takes LATENCY and EXTRA, and for the beats, a tenth of them late, 20. All of it twice, because
 * a micropacket of the request and one of the answer may be sent again.
 */
enum {
    STOP = 10000,
    EPOCH = 1 << 17,
    DELAY = 12,
    LATENCY = 20,
    EXTRA = 50,
    WAY = 20 + 24 + 14 + 24 + 2 * (27 + DELAY + 2 * 20) + LATENCY + EXTRA + 20,
    BOUND = 2 * WAY,
};

static struct nic_bench *start(uint64_t seed)
{
    const struct channel_config cable = {.delay = DELAY, .ber = 1e-6};
    struct nic_bench *b = chip_pair_new(seed, &cable, true);

    for (unsigned node = 0; node < CHIPS; node++) {
        nic_bench_write(b, node, NR_ORB_EPOCH, EPOCH);
        host_set(b->node[node].host, &(struct host_knobs){.latency = LATENCY,
                                                          .latency_extra = EXTRA,
                                                          .stall = 0.1,
                                                          .pause = 2e-4,
                                                          .pause_clocks = STOP});
    }
    return b;
}

static bool both_go(const struct nic_bench *b)
{
    return !host_paused(b->node[0].host) && !host_paused(b->node[1].host);
}

int main(int argc, char **argv)
{
    uint64_t seed, clocks = 200000;

    test_options(argc, argv, &seed,
                 args_number("--clocks", &clocks, 1, UINT64_MAX, "clocks of traffic"));
    struct nic_bench *b = start(seed);
    uint64_t done[CHIPS] = {0}, before[CHIPS], waited[CHIPS] = {0}, longest = 0;
    const uint64_t end = b->clock + clocks, begin = b->clock;
    struct misses late = {0};
    struct progress shown;

    progress_start(&shown, "gets and puts both ways, memories that stop", clocks, seed);
    while (b->clock < end && late.count == 0) {
        for (unsigned node = 0; node < CHIPS; node++) {
            while (b->node[node].driver.bursts_in - b->node[node].driver.bursts_done < 40) {
                chip_pair_post(b, node, chip_pair_line(b, rng_below(&b->rng, 4) != 0));
            }
        }
        memcpy(before, done, sizeof(before));
        chip_pair_clock(b, done);
        for (unsigned node = 0; node < CHIPS; node++) {
            waited[node] = done[node] != before[node] ? 0 : waited[node] + both_go(b);
            longest = waited[node] > longest ? waited[node] : longest;
            must_at_most(&late, waited[node], BOUND,
                         "node %u: clocks without an answer in which both memories go", node);
        }
        progress_show(&shown, b->clock - begin);
    }
    progress_end(&shown, b->clock - begin);
    /* holds nic.progress */
    tap_misses(&late,
               "%llu and %llu answers in %llu clocks; without one at most %llu in which both "
               "memories go, %d allowed",
               (unsigned long long)done[0], (unsigned long long)done[1],
               (unsigned long long)(b->clock - begin), (unsigned long long)longest, BOUND);
    for (unsigned node = 0; node < CHIPS; node++) {
        tap_at_least(done[node], clocks / 200 + 1, "node %u gets on", node);
        host_set(b->node[node].host, &(struct host_knobs){.latency = LATENCY});
        tap_equal(nic_bench_read(b, node, NR_ORB_TIMEOUT), 0, "node %u: nothing timed out", node);
    }
    nic_bench_judge_hosts(b, "memories that stop");
    chip_pair_free(b);
    return tap_done();
}
