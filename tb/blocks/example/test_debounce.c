// SPDX-License-Identifier: Apache-2.0
/*
 * test_debounce.c - debounce against a golden model of its own: the test to copy for a new module.
 *
 * What must hold, from the comments of debounce.h: a level is believed in the clock in which it came for the 16th time in
 * a row, and `edges` counts how often what is believed changed, modulo 256.
 *
 * Built for aries: san. Recorded for debounce.
 */
#include <string.h>

#include "tb/base/harness.h"
#include "hls/example/debounce.h"

enum { CLOCKS = 500000, LASTS = 16 };

/* ---- golden model: remembers the last 16 levels, where debounce counts ---------------------------- */

struct golden {
    bool level[LASTS];
    bool stable;
    unsigned edges;
};

static void golden_clock(struct golden *g, bool level)
{
    unsigned same = 0;
    memmove(g->level, g->level + 1, (LASTS - 1) * sizeof *g->level);
    g->level[LASTS - 1] = level;
    for (unsigned i = 0; i < LASTS; i++)
        same += g->level[i] == level;
    if (same == LASTS && level != g->stable) {
        g->stable = level;
        g->edges++;
    }
}

/* ---- bench ------------------------------------------------------------------------------------------ */

static struct debounce dut;
static struct golden golden;
static uint64_t now; /* clocks so far: failed assertions say it */

static void reset(void)
{
    debounce_reset(&dut);
    golden = (struct golden){0};
}

/* One clock of both; true if all outputs are the same behind it. */
static bool clock(bool level)
{
    const struct debounce_in in = {.level = level};
    debounce(&dut, &in);
    golden_clock(&golden, level);
    now++;
    return dut.out.stable == golden.stable && dut.out.edges == golden.edges % 256;
}

/* ---- tests ------------------------------------------------------------------------------------------ */

/* At the edge of what the comments promise: 15 clocks are not enough, 16 are. */
static void lasts(void)
{
    unsigned early = 0;
    reset();
    for (unsigned i = 0; i < LASTS - 1; i++)
        early += !clock(true) || dut.out.stable;
    early += !clock(false) || dut.out.stable;
    for (unsigned i = 0; i < LASTS - 1; i++)
        early += !clock(true) || dut.out.stable;
    tap_ok(early == 0, "15 clocks of a level are not believed, twice over");
    tap_ok(clock(true) && dut.out.stable && dut.out.edges == 1, "the 16th is, and counted");
}

/* A switch that bounces and rests for random times, and resets at any moment. */
static void random_levels(struct rng *r)
{
    unsigned wrong = 0, most = 0, rest = 0;
    bool level = false;
    reset();
    for (unsigned i = 0; i < CLOCKS; i++) {
        if (rest-- == 0) {
            level = !level;
            rest = rng_below(r, rng_below(r, 2) ? 4 : 40);
        }
        wrong += !clock(level);
        most = golden.edges > most ? golden.edges : most;
        if (rng_below(r, 50000) == 0)
            reset();
    }
    tap_why("%u clocks wrong, at most %u edges", wrong, most);
    tap_ok(wrong == 0 && most > 256, "a switch that bounces, %d clocks", CLOCKS);
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    lasts();
    random_levels(&r);
    return tap_done();
}
