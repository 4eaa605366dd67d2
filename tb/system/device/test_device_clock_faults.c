// SPDX-License-Identifier: Apache-2.0
/*
 * test_device_clock_faults.c - the global clock when something breaks: snapshots that are wrong, lost or doubled, a root that is replaced,
 * a link that comes up again, a source that is another device.
 *
 * Built for proto: fast.
 */
#include <inttypes.h>

#include "tb/system/device/clock_chain.h"

enum { PERIOD = 1 << 16, PPM100 = 1678, WITHIN = 4, SETTLE = PERIOD, MOST = 10 * PERIOD };

static struct clock_chain c;

static bool begin(unsigned devices, uint64_t seed)
{
    const struct chain_config config = {
        .devices = devices, .delay = 12, .ber = 1e-6, .rate = {0, PPM100, -PPM100, PPM100}};
    chain_start(&c, &config, seed);
    const bool up = chain_await_links(&c);
    chain_follow(&c);
    chain_await_lock(&c, MOST);
    chain_run(&c, SETTLE);
    tap_why("up %d, locked %d", up, chain_locked(&c));
    return tap_ok(up && chain_locked(&c), "%u devices, all locked", devices);
}

/* All locked and near, for two periods; with the steps that there were in between. */
static void all_near(uint64_t steps, const char *after)
{
    chain_forget(&c);
    chain_run(&c, 2 * PERIOD);
    tap_why("locked %d, %" PRIu64 " clocks away, %" PRIu64 " backwards", chain_locked(&c),
            chain_worst(&c), chain_backwards(&c));
    tap_ok(chain_locked(&c) && chain_worst(&c) <= WITHIN && chain_backwards(&c) == 0,
           "%s: %" PRIu64 " clocks from the root, %" PRIu64 " steps", after, chain_worst(&c),
           chain_steps(&c) - steps);
}

static void test_tampered(uint64_t seed)
{
    if (begin(4, seed)) {
        const uint64_t steps = chain_steps(&c), lost = chain_lost(&c);
        c.tampering = (struct chain_tampering){.wrong = 0.5, .lost = 0.1, .doubled = 0.5};
        all_near(steps, "wrong, lost and doubled snapshots");
        tap_why("%" PRIu64 " tampered, %" PRIu64 " steps, lock lost %" PRIu64 " times", c.tampered,
                chain_steps(&c) - steps, chain_lost(&c) - lost);
        tap_ok(c.tampered > 10 && chain_steps(&c) == steps && chain_lost(&c) == lost,
               "%" PRIu64 " of them: no step, no lock lost", c.tampered);
    }
    chain_free(&c);
}

/* Its time begins anew, its link comes up again: holdover, until software has measured; then a step each. */
static void test_root(uint64_t seed)
{
    if (begin(3, seed)) {
        const uint64_t steps = chain_steps(&c), lost = chain_lost(&c), held = c.end[1].holdovers;
        chain_reset_root(&c);
        chain_await_links(&c);
        chain_run(&c, PERIOD / 8);
        const uint64_t status = chain_read(&c, 1, CHAIN_CLOCKS, CLK_REG_STATUS);
        tap_why("status %" PRIx64 ", holdover %" PRIu64 " times", status,
                c.end[1].holdovers - held);
        /* holds global_clock.holdover */
        tap_ok((status & 7) == 6 && c.end[1].holdovers == held + 1 && chain_steps(&c) == steps &&
                   c.end[2].locked,
               "a root that is replaced: its link came up again, holdover, no step; who follows "
               "stays locked");
        chain_write(&c, 0, CHAIN_CLOCKS, CLK_REG_CLOCK, 0xc0);
        chain_adjust(&c, 1);
        chain_run(&c, 2 * PERIOD);
        chain_await_lock(&c, MOST);
        all_near(steps, "and measured again");
        tap_ok(chain_steps(&c) == steps + 2 && chain_lost(&c) == lost + 2,
               "each device stepped once, and lost lock for it");
    }
    chain_free(&c);
}

static void test_link(uint64_t seed)
{
    if (begin(3, seed)) {
        const uint64_t steps = chain_steps(&c);
        chain_restart(&c, 2);
        chain_await_links(&c);
        chain_run(&c, 2 * PERIOD);
        const uint64_t status = chain_read(&c, 2, CHAIN_CLOCKS, CLK_REG_STATUS);
        tap_why("status %" PRIx64, status);
        tap_ok((status & 7) == 6 && c.end[1].locked,
               "a link that comes up again: holdover behind it");
        tap_why("%" PRIu64 " clocks", c.end[2].worst);
        const uint64_t drift = c.end[2].now - c.end[0].now;
        chain_adjust(&c, 2);
        chain_await_lock(&c, MOST);
        chain_run(&c, SETTLE);
        all_near(steps, "and measured again");
        tap_why("%" PRIu64 " steps, %" PRIi64 " clocks of drift", chain_steps(&c) - steps,
                (int64_t)drift);
        tap_ok(chain_steps(&c) == steps, "it locks without a step");
    }
    chain_free(&c);
}

/* The tree is turned round: the last device becomes the root, the others follow their other port. */
static void test_source(uint64_t seed)
{
    if (begin(3, seed)) {
        const uint64_t steps = chain_steps(&c);
        chain_write(&c, 2, CHAIN_CLOCKS, CLK_REG_CLOCK, 0xc0);
        for (unsigned i = 0; i < 2; i++) {
            chain_write(&c, i, CHAIN_CLOCKS, CLK_REG_DELAY, chain_measure(&c, i + 1));
            chain_write(&c, i, CHAIN_CLOCKS, CLK_REG_CLOCK, 0x81);
        }
        chain_run(&c, 4 * PERIOD);
        chain_forget(&c);
        chain_run(&c, 2 * PERIOD);
        const bool locked = c.end[0].locked && c.end[1].locked;
        tap_why("locked %d, %" PRIu64 " clocks away, %" PRIu64 " steps", locked, chain_worst(&c),
                chain_steps(&c) - steps);
        /* holds global_clock.source */
        tap_ok(locked && chain_worst(&c) <= WITHIN && chain_steps(&c) == steps &&
                   c.end[0].stepped == 0 && chain_backwards(&c) == 0,
               "another root, followed the other way: no step, %" PRIu64 " clocks away",
               chain_worst(&c));
    }
    chain_free(&c);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    harness_clock = &c.clock;
    test_tampered(seed);
    test_root(seed + 1);
    test_link(seed + 2);
    test_source(seed + 3);
    return tap_done();
}
