// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_attacks.c - what may happen to two chips under traffic of all their NICs: cables are pulled, one and all, and plugged in
 * again; a chip is reset; a host never answers.
 *
 * Every access is explained throughout. What a chip's NICs do with each other does not notice what happens between the chips. What is
 * asked across ends, with its status, and when the attack is over everything is OK again; at the end all NICs are whole.
 *
 * Built for proto: fast.
 */
#include "sim/base/program.h"
#include "tb/system/chip/chip_bench.h"
#include "tb/system/nic/nic_program.h"

#include <limits.h>
#include <string.h>

enum {
    NODES = CHIPS * CHIP_NICS,
    EPOCH = 1 << 14,
    GOES_ON = EPOCH / 400 * (NODES - 1) + 1, /* transactions in an epoch: half of what is usual */
    PATIENCE = 400000,
    COMING_UP = 40000,
    GIVEN_UP = 60000
};

static struct nic_bench *b;
static struct program *p;
static struct golden_nic *golden;

static void run(unsigned clocks)
{
    while (clocks-- > 0) {
        program_clock(p, true);
    }
}

/* After a cable or chip came back. */
static void come_up(struct misses *down, unsigned round)
{
    unsigned limit = COMING_UP;

    while (limit-- > 0 && !chip_bench_up(b)) {
        program_clock(p, true);
    }
    must(down, chip_bench_up(b), "round %u: links are down after %d clocks, dead ports %#x and %#x",
         round, COMING_UP, chip_bench_dead(b, 0), chip_bench_dead(b, 1));
}

static void configure(unsigned node, uint64_t epoch)
{
    host_set(b->node[node].host,
             &(struct host_knobs){.latency = 50, .latency_extra = 100, .stall = 0.1});
    nic_bench_write(b, node, NR_ORB_EPOCH, epoch);
}

static void start(uint64_t seed, uint64_t epoch)
{
    const struct channel_config cable = {.delay = 12, .ber = 1e-6};
    const struct program_knobs knobs = {.processes = 4,
                                        .most = 8,
                                        .limit = 4,
                                        .messages = 0.2,
                                        .atomics = 0.2,
                                        .flagged = true,
                                        .ordered = true,
                                        .virtually = true,
                                        .illegal = 0.02};

    golden = gn_new(NODES, false);
    b = chip_bench_new(seed, golden, &cable, NULL);
    for (unsigned node = 0; node < NODES; node++) {
        configure(node, epoch);
    }
    p = program_new(b, seed + 1, &knobs);
}

static uint64_t all_well(void)
{
    return gn_counts(golden)->by_status[GN_OK];
}

/* Transactions that end well in one epoch of undisturbed traffic. */
static uint64_t in_an_epoch(void)
{
    uint64_t before = all_well();

    run(EPOCH);
    return all_well() - before;
}

/* well: transactions that ended OK, where `least` are wanted. */
static void finish(const char *what, uint64_t well, uint64_t least)
{
    const struct gn_count *c;

    program_finish(p, PATIENCE);
    nic_bench_whole(b);
    c = gn_finish(golden);
    tap_note("%s: %llu transactions in %llu clocks: %llu OK, %llu TIMEOUT, %llu UNREACHABLE", what,
             (unsigned long long)c->transactions, (unsigned long long)b->clock,
             (unsigned long long)c->by_status[GN_OK], (unsigned long long)c->by_status[GN_TIMEOUT],
             (unsigned long long)c->by_status[GN_UNREACHABLE]);
    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "%s: unexplained accesses %llu, missing accesses %llu, missing events %llu", what,
           (unsigned long long)c->unexplained, (unsigned long long)c->missing_accesses,
           (unsigned long long)c->missing_events);
    tap_at_least(well, least, "%s: traffic goes on, %llu transactions", what,
                 (unsigned long long)well);
    tap_misses(&b->unrest, "%s: all NICs are whole afterwards", what);
    nic_bench_judge_hosts(b, what);
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
}

/* Whatever one chip asks of the other. */
static void doubt_across(bool on)
{
    for (unsigned one = 0; one < CHIP_NICS; one++) {
        for (unsigned other = CHIP_NICS; other < NODES; other++) {
            nic_bench_doubt(b, one, other, on);
        }
    }
}

/* ---- attacks --------------------------------------------------------------------------------------- */

static void set_cables(bool all, unsigned one, enum lane_state state)
{
    for (unsigned l = 0; l < CHIP_CABLES; l++) {
        if (all || l == one) {
            chip_bench_cable(b, l, state);
        }
    }
}

/* All links have noticed that a cable is out. */
static bool are_dead(void)
{
    bool dead = true;

    for (unsigned i = 0; i < CHIPS; i++) {
        dead = dead && chip_bench_dead(b, i) != 0;
    }
    return dead;
}

/*
 * One cable, or all. For a short while: the links begin again, and nobody but clocks tells of it. Or until they are given up: what is
 * on them is lost, and with one cable left the others take it.
 */
static void test_cables(uint64_t seed, unsigned rounds)
{
    struct misses down = {0};

    start(seed, 1 << 16);
    for (unsigned i = 0; i < rounds && gn_counts(golden)->unexplained == 0; i++) {
        bool all = i / 2 % 2 != 0, lasting = i % 2 != 0;
        unsigned one = rng_below(&b->rng, CHIP_CABLES), limit = GIVEN_UP;

        run(1000 + rng_below(&b->rng, 3000));
        if (lasting) {
            doubt_across(true);
        }
        set_cables(all, one, LANE_DOWN);
        run(rng_below(&b->rng, 2000));
        while (lasting && !are_dead() && limit-- > 0) {
            run(1);
        }
        run(lasting ? 5000 : 0);
        set_cables(all, one, LANE_GOOD);
        come_up(&down, i);
        if (lasting) {
            doubt_across(false);
        }
    }
    tap_misses(&down, "cables: all links come up again");
    finish("cables pulled and plugged in", all_well(), 20 * rounds + 1);
}

/* A chip is reset, its tables and those of its NICs are written again. */
static void reset_chip(unsigned chip, struct misses *down, unsigned round)
{
    unsigned first = chip * CHIP_NICS;

    chip_bench_restart(b, chip);
    for (unsigned node = first; node < first + CHIP_NICS; node++) {
        program_rest(p, node, true);
    }
    come_up(down, round);
    for (unsigned node = first; node < first + CHIP_NICS; node++) {
        program_restart(p, node);
        configure(node, EPOCH);
    }
    for (unsigned node = first; node < first + CHIP_NICS; node++) {
        program_rest(p, node, false);
        for (unsigned other = 0; other < NODES; other++) {
            nic_bench_doubt(b, node, other, false);
        }
    }
}

static void test_chip_reset(uint64_t seed, unsigned rounds)
{
    struct misses down = {0};

    start(seed, EPOCH);
    for (unsigned i = 0; i < rounds && gn_counts(golden)->unexplained == 0; i++) {
        run(1000 + rng_below(&b->rng, 3000));
        reset_chip(rng_below(&b->rng, CHIPS), &down, i);
    }
    tap_misses(&down, "chip reset: all links come up again");
    finish("chip reset under traffic", in_an_epoch(), GOES_ON);
}

/*
 * The host of node 0 takes and answers nothing any more. For some epochs all ask it all the same, and that times out; then they know
 * better, and are as fast as before. Then its chip is reset.
 */
static void test_dead_host(uint64_t seed)
{
    enum { LONG = 6 };
    struct misses down = {0}, slow = {0};
    uint64_t alone[2];

    start(seed, EPOCH);
    run(4000);
    for (unsigned node = 0; node < NODES; node++) {
        nic_bench_doubt(b, 0, node, true);
    }
    program_rest(p, 0, true);
    host_set(b->node[0].host, &(struct host_knobs){.dead = true});
    run(LONG * EPOCH);
    program_shun(p, 0, true);
    for (unsigned i = 0; i < 2; i++) {
        run((i == 0 ? 5 : 0) * EPOCH);
        alone[i] = in_an_epoch();
        must_at_least(&slow, alone[i], GOES_ON, "transactions of the others in an epoch");
    }
    tap_misses(
        &slow,
        "a host that never answers: all others go on, %llu and %llu transactions in %d clocks",
        (unsigned long long)alone[0], (unsigned long long)alone[1], EPOCH);
    program_shun(p, 0, false);
    reset_chip(0, &down, 0);
    tap_misses(&down, "a host that never answers: its chip is reset");
    finish("a host that never answers", in_an_epoch(), GOES_ON);
}

int main(int argc, char **argv)
{
    uint64_t seed;
    unsigned rounds = 4;
    const char *only = "";

    test_options(argc, argv, &seed,
                 args_unsigned("--rounds", &rounds, 1, UINT_MAX, "times that each attack is made"),
                 args_text("--only", "ATTACK", &only, "this one alone: cables, reset or host"));
    if (*only && strcmp(only, "cables") != 0 && strcmp(only, "reset") != 0 &&
        strcmp(only, "host") != 0)
        sim_fail("--only %s: an attack is cables, reset or host", only);

    if (strstr("cables", only) != NULL) {
        test_cables(seed, rounds);
    }
    if (strstr("reset", only) != NULL) {
        test_chip_reset(seed + 1, rounds);
    }
    if (strstr("host", only) != NULL) {
        test_dead_host(seed + 2);
    }
    return tap_done();
}
