// SPDX-License-Identifier: Apache-2.0
/*
 * test_device_clock.c - the global clock over links with errors: devices in a row whose rates are 100 ppm apart follow the first
 * one's time, by registers alone.
 *
 * Built for proto: fast.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tb/system/device/clock_chain.h"

enum { PULSE = 16, PERIOD = 1 << PULSE, PPM100 = 1678, FEW = 3, FEW_WITHIN = 4, WITHIN = 8 };

static struct clock_chain c;
static unsigned hops = FEW;

static void pulses_on(void)
{
    for (unsigned i = 0; i < c.config.devices; i++)
        chain_write(&c, i, CHAIN_CLOCKS, CLK_REG_PULSE_PERIOD, PULSE);
}

/* The shortest way: the second of two devices follows the first. */
static void test_two(uint64_t seed)
{
    const struct chain_config config = {.devices = 2, .delay = 12};
    chain_start(&c, &config, seed);
    const bool up = chain_await_links(&c);
    chain_follow(&c);
    chain_run(&c, PERIOD);
    chain_forget(&c);
    chain_run(&c, PERIOD / 4);
    tap_why("up %d, locked %d, %" PRIu64 " clocks away", up, chain_locked(&c), chain_worst(&c));
    tap_ok(up && chain_locked(&c) && chain_worst(&c) <= 1,
           "the second of two devices is %" PRIu64 " clocks away", chain_worst(&c));
    chain_free(&c);
}

static cJSON *json_of(const char *rates)
{
    cJSON *run = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(run, "away");
    cJSON_AddStringToObject(run, "rates", rates);
    cJSON_AddNumberToObject(run, "hops", c.config.devices - 1);
    cJSON_AddNumberToObject(run, "worst", (double)chain_worst(&c));
    cJSON_AddNumberToObject(run, "steps", (double)chain_steps(&c));
    cJSON_AddNumberToObject(run, "lost_lock", (double)chain_lost(&c));
    for (unsigned i = 1; i < c.config.devices; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)c.end[i].worst));
    return run;
}

/* 10 pulses after software has configured them, then two periods in which nobody may be too far away. */
static cJSON *test_hops(const char *rates, const struct chain_config *config, uint64_t seed)
{
    const uint64_t most = hops <= FEW ? FEW_WITHIN : WITHIN;
    chain_start(&c, config, seed);
    const bool up = chain_await_links(&c);
    chain_follow(&c);
    pulses_on();
    chain_run(&c, 10 * PERIOD);
    chain_forget(&c);
    chain_run(&c, 2 * PERIOD);
    uint64_t late = 0, errors = 0;
    for (unsigned i = 1; i < config->devices; i++) {
        const uint64_t this = (uint64_t)llabs(c.end[i].pulse_late);
        late = this > late ? this : late;
        errors += c.end[i].up.bit_errors + c.end[i].down.bit_errors;
    }
    tap_why("up %d, locked %d, %" PRIu64 " clocks away, lock lost %" PRIu64 " times", up,
            chain_locked(&c), chain_worst(&c), chain_lost(&c));
    /* holds global_clock.hops */
    tap_ok(up && chain_locked(&c) && chain_worst(&c) <= most && chain_lost(&c) == 0,
           "%s, %u hops, %" PRIu64 " bit errors: %" PRIu64
           " clocks from the root after 10 pulses, %" PRIu64 " steps",
           rates, hops, errors, chain_worst(&c), chain_steps(&c));
    tap_why("%" PRIu64 " times", chain_backwards(&c));
    tap_ok(chain_backwards(&c) == 0, "never backwards while locked");
    tap_why("%" PRIu64 " clocks, %" PRIu64 " pulses at the root", late, c.end[0].pulses);
    tap_ok(late <= most && c.end[0].pulses >= 11,
           "pulses of all devices are at most %" PRIu64 " clocks apart", most);
    cJSON *run = json_of(rates);
    chain_free(&c);
    return run;
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    test_options(argc, argv, &seed,
                 args_unsigned("--hops", &hops, 1, CHAIN_MOST - 1, "devices behind the root"));
    harness_clock = &c.clock;
    test_two(seed);
    struct chain_config begins = {.devices = hops + 1, .delay = 12, .ber = 1e-6}, stays = begins;
    stays.rate[0] = PPM100;
    for (unsigned i = 1; i <= hops; i++)
        begins.rate[i] = i % 2 ? PPM100 : -PPM100;
    cJSON *report = cJSON_CreateObject(), *runs = cJSON_AddArrayToObject(report, "runs");
    cJSON_AddItemToArray(
        runs, test_hops("followers 100 ppm off at first, either way", &begins, seed + 1));
    cJSON_AddItemToArray(runs, test_hops("the root 100 ppm faster for good", &stays, seed + 2));
    double worst = 0, steps = 0;
    const cJSON *run;
    cJSON_ArrayForEach(run, runs)
    {
        const double away = cJSON_GetObjectItem(run, "worst")->valuedouble;
        worst = away > worst ? away : worst;
        steps += cJSON_GetObjectItem(run, "steps")->valuedouble;
    }
    cJSON_AddNumberToObject(report, "hops", hops);
    cJSON_AddNumberToObject(report, "worst", worst);
    cJSON_AddNumberToObject(report, "steps", steps);
    tap_ok(report_write("build/reports/clock.json", report), "build/reports/clock.json");
    return tap_done();
}
