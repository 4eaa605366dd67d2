// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_deadlock.c - requests wait for responses, responses for memory, memory for nothing: both NICs of two chips get
 * and put at full rate from and to each other while their memories stop for up to 10,000 clocks at random.
 *
 * There must be an answer at each NIC at the latest SLACK clocks after the longest stop, and no
 * request may time out.
 *
 * Built for proto: fast.
 */
#include "tb/system/chip/chip_pair.h"

enum { STOP = 10000, SLACK = 5000, EPOCH = 1 << 17 };

static struct nic_bench *start(uint64_t seed)
{
    const struct channel_config cable = {.delay = 12, .ber = 1e-6};
    struct nic_bench *b = chip_pair_new(seed, &cable, true);

    for (unsigned node = 0; node < CHIPS; node++) {
        nic_bench_write(b, node, NR_ORB_EPOCH, EPOCH);
        host_set(b->node[node].host, &(struct host_knobs){.latency = 20,
                                                          .latency_extra = 50,
                                                          .stall = 0.1,
                                                          .pause = 2e-4,
                                                          .pause_clocks = STOP});
    }
    return b;
}

int main(int argc, char **argv)
{
    uint64_t seed, clocks = 200000;

    test_options(argc, argv, &seed,
                 args_number("--clocks", &clocks, 1, UINT64_MAX, "clocks of traffic"));
    struct nic_bench *b = start(seed);
    uint64_t done[2] = {0}, before[2], last[2] = {b->clock, b->clock}, longest = 0,
             end = b->clock + clocks, begin = b->clock;
    struct progress shown;

    progress_start(&shown, "gets and puts both ways, memories that stop", clocks, seed);
    while (b->clock < end && longest <= STOP + SLACK) {
        for (unsigned node = 0; node < CHIPS; node++) {
            while (b->node[node].driver.bursts_in - b->node[node].driver.bursts_done < 40) {
                chip_pair_post(b, node, chip_pair_line(b, rng_below(&b->rng, 4) != 0));
            }
        }
        before[0] = done[0];
        before[1] = done[1];
        chip_pair_clock(b, done);
        for (unsigned node = 0; node < CHIPS; node++) {
            last[node] = done[node] != before[node] ? b->clock : last[node];
            longest = b->clock - last[node] > longest ? b->clock - last[node] : longest;
        }
        progress_show(&shown, b->clock - begin);
    }
    progress_end(&shown, b->clock - begin);
    tap_ok(longest <= STOP + SLACK,
           "%llu and %llu answers in %llu clocks; at most %llu clocks without one, %d allowed",
           (unsigned long long)done[0], (unsigned long long)done[1],
           (unsigned long long)(b->clock - begin), (unsigned long long)longest, STOP + SLACK);
    tap_ok(done[0] > clocks / 200 && done[1] > clocks / 200, "both get on");
    for (unsigned node = 0; node < 2; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = 20});
        tap_ok(nic_bench_read(b, node, NR_ORB_TIMEOUT) == 0, "node %u: nothing timed out", node);
        tap_ok(host_broken_rules(b->node[node].host) == 0, "node %u keeps the rules of AXI4: %s",
               node, host_broken(b->node[node].host)->first);
    }
    nic_bench_free(b);
    return tap_done();
}
