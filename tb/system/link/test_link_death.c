// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_death.c - links that die, are restarted, or lose one end to a reset.
 *
 * A dead link reports the flits that were not acknowledged; delivered and reported together must be
 * what was sent, each delivered at most once; a packet cut in the middle is closed and marked bad. What was
 * sent with a mark is delivered and reported with it.
 * After a restart a new epoch begins with nothing of the old one left.
 *
 * Built for aries: san.
 */
#include <inttypes.h>

#include "tb/system/link/link_bench.h"

enum { UP_LIMIT = 30000, DEATH_LIMIT = 150000, DRAIN_LIMIT = 400000 };

static struct bench b;

static bool up(double ber, unsigned delay, uint64_t seed)
{
    struct bench_config config = bench_defaults();
    for (unsigned i = 0; i < 2; i++) {
        config.cable[i].ber = ber;
        config.cable[i].delay = delay;
        config.traffic[i].mark = 0.03;
    }
    bench_start(&b, &config, seed);
    return bench_await(&b, LINK_RUN, UP_LIMIT);
}

static void lanes(unsigned from, enum lane_state state)
{
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        channel_lane(&b.cable[from], l, state);
}

static void finish(bool pass, unsigned epochs, const char *name)
{
    const bool drained = bench_drain(&b, DRAIN_LIMIT), clean = bench_clean(&b);
    const struct golden_flow *f0 = &b.end[0].flow, *f1 = &b.end[1].flow;
    if (clean)
        tap_why("%s, %s, %" PRIu64 " epochs, %" PRIu64 " escapes", pass ? "as due" : "not as due",
                drained ? "drained" : "not drained", b.epochs, bench_escapes(&b));
    tap_ok(pass && drained && clean && b.epochs == epochs && bench_escapes(&b) == 0 &&
               f0->marked + f1->marked > 0 && f0->uncorrectable + f1->uncorrectable == 0,
           "%s", name);
    tap_note("sent %" PRIu64 ", delivered %" PRIu64 ", reported %" PRIu64 ", both %" PRIu64
             ", packets cut %" PRIu64 ", flits marked %" PRIu64,
             f0->sent + f1->sent, f0->delivered + f1->delivered, f0->reported + f1->reported,
             f0->doubtful + f1->doubtful, f0->cut + f1->cut, f0->marked + f1->marked);
    bench_free(&b);
}

/* A dead link has nothing to say on its lanes. */
static bool silent(void)
{
    unsigned words = 0;
    for (unsigned clock = 0; clock < 100; clock++) {
        bench_step(&b);
        for (unsigned i = 0; i < 2; i++)
            for (unsigned l = 0; l < CHANNEL_LANES; l++)
                words += b.end[i].lcb->out.tx_lane[l] != 0;
    }
    return words == 0;
}

/* All lanes of one or both directions fail for good; later they come back and an end restarts. */
static void cable_cut(const char *name, unsigned which, unsigned who, uint64_t seed)
{
    bool pass = up(1e-5, 25, seed);
    bench_run(&b, 3000 + seed % 777);
    for (unsigned i = 0; i < 2; i++)
        if (which >> i & 1)
            lanes(i, LANE_DOWN);
    pass = bench_await(&b, LINK_DEAD, DEATH_LIMIT) && pass;
    bench_run(&b, 10);
    pass = silent() && pass;
    bench_run(&b, 3000);
    lanes(0, LANE_GOOD);
    lanes(1, LANE_GOOD);
    for (unsigned i = 0; i < 2; i++)
        if (who >> i & 1)
            bench_restart(&b, i);
    pass = bench_await(&b, LINK_RUN, UP_LIMIT) && pass;
    bench_run(&b, 5000);
    finish(pass && bench_count(&b, 2, COUNT_DEATHS) == 2, 1, name);
}

/* A restart has to wait until the input queue has passed on what it still holds. */
static void full_queue(uint64_t seed)
{
    bool pass = up(1e-5, 10, seed);
    bench_run(&b, 2000);
    b.end[1].sink.config.drain = 0;
    bench_run(&b, 300);
    bench_write(&b, 0, LCB_REG_CONTROL, 0x72);
    pass = bench_await(&b, LINK_DEAD, DEATH_LIMIT) && pass;
    bench_run(&b, 2000);
    pass = pass && b.end[1].sink.total > 0;
    bench_restart(&b, 0);
    bench_restart(&b, 1);
    const bool early = bench_await(&b, LINK_RUN, UP_LIMIT);
    b.end[1].sink.config.drain = 0.5;
    pass = bench_await(&b, LINK_RUN, UP_LIMIT) && pass && !early;
    bench_run(&b, 3000);
    finish(pass, 1, "a restart waits until the input queue is empty");
}

/* How long an end needs to follow a killed one, with limits as after reset: so many bring-ups, each as long as it may be. */
static void follows(uint64_t seed)
{
    const uint64_t most = LCB_RETRY_LIMIT * LCB_TRAIN_LIMIT + 400;
    bool pass = up(0, 10, seed);
    bench_run(&b, 2000);
    bench_write(&b, 0, LCB_REG_CONTROL, 0x72);
    const uint64_t killed = b.clock;
    pass = bench_await(&b, LINK_DEAD, DEATH_LIMIT) && pass;
    tap_note("the other end is dead %llu clocks after a kill",
             (unsigned long long)(b.clock - killed));
    pass = pass && b.clock - killed <= most;
    bench_restart(&b, 0);
    bench_restart(&b, 1);
    pass = bench_await(&b, LINK_RUN, UP_LIMIT) && pass;
    finish(pass, 1, "the other end follows a kill after as many bring-ups as it may try");
}

/* Software kills one end; the other must follow and both come back by restarts. */
static void killed_again_and_again(uint64_t seed)
{
    enum { DEATHS = 20 };
    bool pass = up(1e-5, 10, seed);
    for (unsigned n = 0; n < DEATHS && pass; n++) {
        bench_run(&b, 200 + 137 * n);
        bench_write(&b, n % 2, LCB_REG_LIMITS, LCB_BAD_LIMIT | 1 << 8 | 1024 << 16);
        bench_write(&b, 1 - n % 2, LCB_REG_LIMITS, LCB_BAD_LIMIT | 1 << 8 | 1024 << 16);
        bench_write(&b, n % 2, LCB_REG_CONTROL, 0x72);
        pass = bench_await(&b, LINK_DEAD, DEATH_LIMIT);
        bench_restart(&b, n % 3 == 0);
        bench_restart(&b, n % 3 != 0);
        pass = bench_await(&b, LINK_RUN, UP_LIMIT) && pass;
    }
    bench_run(&b, 3000);
    finish(pass, DEATHS, "killed and restarted twenty times: epochs wrap");
}

/* Only one end is restarted while the other still thinks that the link lives. */
static void one_end_restarts(uint64_t seed)
{
    bool pass = up(1e-5, 10, seed);
    bench_run(&b, 3000);
    bench_write(&b, 0, LCB_REG_CONTROL, 0x72);
    bench_run(&b, 400);
    bench_restart(&b, 0);
    pass = bench_await(&b, LINK_RUN, DEATH_LIMIT) && pass;
    bench_run(&b, 3000);
    finish(pass, 1, "one end dies and restarts at once, the other one joins the new epoch");
}

/* `mute` is an end that sends nothing, 2 for none. */
static void reset_in_the_middle(unsigned end, unsigned mute, double ber, uint64_t seed,
                                const char *name)
{
    bool pass = up(ber, 10, seed);
    if (mute < 2) {
        b.config.traffic[mute].load = 0;
        b.end[mute].source.stopped = true;
    }
    for (unsigned n = 0; n < 5 && pass; n++) {
        bench_run(&b, 2000 + seed % 101 + 39 * n);
        bench_reset(&b, end);
        bench_run(&b, 300);
        pass = bench_await(&b, LINK_RUN, DEATH_LIMIT);
    }
    bench_run(&b, 3000);
    const bool drained = bench_drain(&b, DRAIN_LIMIT), clean = bench_clean(&b);
    if (clean)
        tap_why("%s", !pass ? "did not come up again" : !drained ? "not drained" : "escaped");
    tap_ok(pass && drained && clean && bench_escapes(&b) == 0, "%s", name);
    bench_free(&b);
}

/* Re-initialisations on end, none of them fatal: nothing may be reported, all must be delivered. */
static void flapping(uint64_t seed)
{
    bool pass = up(1e-5, 15, seed);
    for (unsigned n = 0; n < 30; n++) {
        bench_run(&b, 4000);
        lanes(n % 2, n % 3 ? LANE_NOISE : LANE_DOWN);
        bench_run(&b, 200 + 31 * n);
        lanes(n % 2, LANE_GOOD);
        pass = bench_await(&b, LINK_RUN, UP_LIMIT) && pass;
    }
    pass = pass && bench_count(&b, 2, COUNT_REINITS) >= 30 && bench_count(&b, 2, COUNT_DEATHS) == 0;
    /* holds link.reinit */
    finish(pass, 0, "thirty re-initialisations in a row lose nothing");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    for (unsigned n = 0; n < 4; n++) {
        cable_cut("both directions cut, both ends restarted", 3, 3, seed + n);
        cable_cut("one direction cut, both ends restarted", 1, 3, seed + n + 10);
        cable_cut("the other direction cut, both ends restarted", 2, 3, seed + n + 20);
    }
    full_queue(seed);
    follows(seed);
    killed_again_and_again(seed);
    one_end_restarts(seed);
    reset_in_the_middle(0, 2, 1e-5, seed, "end 0 is reset five times");
    reset_in_the_middle(1, 2, 1e-5, seed + 1, "end 1 is reset five times");
    reset_in_the_middle(2, 2, 1e-5, seed + 2, "both ends are reset five times");
    reset_in_the_middle(0, 2, 1e-4, seed + 3, "end 0 is reset five times, BER 1e-4");
    reset_in_the_middle(0, 0, 1e-5, seed + 4,
                        "end 0 is reset five times, flits come from end 1 alone");
    reset_in_the_middle(0, 1, 1e-5, seed + 5,
                        "end 0 is reset five times, flits come from it alone");
    flapping(seed);
    return tap_done();
}
