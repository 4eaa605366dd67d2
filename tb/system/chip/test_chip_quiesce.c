// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_quiesce.c - the controller beside each chip stops all NICs in the middle of random programs and block transfers, waits until both chips say that they
 * are quiet, and lets them go on: then nothing is under way, nothing begins meanwhile, and nothing is missing in the end.
 *
 * Built for gemini: fast.
 */
#include "tb/system/chip/chip_blocks.h"
#include "tb/system/nic/nic_program.h"

enum { ROUNDS = 4, DRAIN = 40000, STILL = 1000, OUT = 600, LATE = 4 };
enum { LINKS = 2, NICS = 4, ALL = 7 };

static struct nic_bench *b;
static struct program *p;
static struct chip_blocks blocks;
static bool held;
static uint64_t entered, left; /* good ends of packets, from and to NICs */

/* Clocks that flits have waited in a part of a tile which says that none does: of each chip, tile and part. */
static unsigned stays[CHIPS][RTR_PORTS][3], longest;

static void judge(unsigned *count, bool holds, bool says)
{
    *count = holds && !says ? *count + 1 : 0;
    longest = *count > longest ? *count : longest;
}

static void look_at_tile(unsigned count[3], const struct tile *t)
{
    bool cross = false, output = t->mux.out.valid;

    for (unsigned c = 0; c < RTR_COLS; c++) {
        cross |= t->sub.buffer[c].out.valid != 0;
    }
    for (unsigned r = 0; r < RTR_ROWS; r++) {
        output |= t->mux.buffer[r].out.valid != 0;
    }
    judge(&count[0], t->queue.store.filled != 0 || t->queue.stage.out.valid != 0,
          t->out.busy.input);
    judge(&count[1], cross, t->out.busy.cross);
    judge(&count[2], output, t->out.busy.output);
}

static void look(unsigned end)
{
    const struct chip *c = chip_network(b)->end[end].chip;

    for (unsigned i = 0; i < DEV_PROCESSORS; i++) {
        const struct port_in *to = &c->netlink[i / NL_TILES].out.to_tile[i % NL_TILES];
        const struct port_out *from = &c->device.out.to_processor[i];

        entered += to->valid && to->tail;
        left += from->valid && from->tail && !from->bad && to->ready;
    }
    for (unsigned i = 0; i < RTR_PORTS; i++) {
        look_at_tile(stays[end][i], &c->device.router.tile[i]);
    }
}

static bool watch(struct nic_bench *bench)
{
    (void)bench;
    for (unsigned i = 0; i < CHIPS; i++) {
        look(i);
    }
    return true;
}

/* Processes wait for answers of their NICs, so they stand still while these are held; block transfers are begun all the same. */
static void step(void)
{
    chip_blocks_clock(&blocks);
    if (held) {
        nic_bench_clock(b);
    } else {
        program_clock(p, true);
    }
}

static void run(uint64_t clocks)
{
    for (uint64_t i = 0; i < clocks; i++) {
        step();
    }
}

/* An access to a chip's supervisor while programs go on. */
static uint64_t access(unsigned end, bool write, unsigned address, uint64_t data)
{
    struct chip_l0 *l = &chip_network(b)->end[end].l0;

    while (l->busy) {
        step();
    }
    chip_l0_ask(l, write, UNIT_SUPERVISOR, address, data);
    while (l->busy) {
        step();
    }
    return l->data;
}

static void quiesce(bool on)
{
    for (unsigned i = 0; i < CHIPS; i++) {
        access(i, true, SUP_REG_QUIESCE, on);
        held = on;
    }
}

/* Bits that all chips say in two rounds. */
static uint64_t quiet(void)
{
    uint64_t said = ALL;

    for (unsigned i = 0; i < 2 * CHIPS; i++) {
        said &= access(i % CHIPS, false, SUP_REG_QUIET, 0);
    }
    return said;
}

static void set_hosts(unsigned latency)
{
    for (unsigned i = 0; i < b->nodes; i++) {
        host_set(b->node[i].host, &(struct host_knobs){.latency = latency});
    }
}

/* All cables are out for a while: what was sent waits for them. Counts if QUIET says so. */
static void without_cables(unsigned *waits)
{
    for (unsigned l = 0; l < CHIP_CABLES; l++) {
        chip_bench_cable(b, l, LANE_DOWN);
    }
    run(OUT);
    const uint64_t said = quiet();

    *waits += (said & LINKS) == 0 && (said & NICS) == 0;
    for (unsigned l = 0; l < CHIP_CABLES; l++) {
        chip_bench_cable(b, l, LANE_GOOD);
    }
}

/* Hosts that answer late in every second round; no cables for a while in every second two. */
static void round_of(unsigned number, struct rng *r, unsigned *busy, unsigned *waits)
{
    set_hosts(number % 2 != 0 ? OUT / 4 : 50);
    const uint64_t begin = b->clock + 500 + rng_below(r, 2000);

    while (b->clock < begin) {
        step();
    }
    *busy += quiet() != ALL;
    quiesce(true);
    const uint64_t stopped = b->clock;

    if (number / 2 % 2 != 0) {
        without_cables(waits);
    }

    while (quiet() != ALL && b->clock < stopped + DRAIN) {
    }
    const uint64_t clocks = b->clock - stopped, packets = entered;

    /* holds supervisor.quiet */
    tap_ok(clocks < DRAIN, "quiet after %llu clocks", (unsigned long long)clocks);
    tap_equal(left, entered, "each packet that entered a router has left one");
    run(STILL);
    /* holds supervisor.quiesce */
    tap_equal(entered, packets, "none begins while NICs are held");
    quiesce(false);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    const struct channel_config cable = {.delay = 12};
    const struct program_knobs knobs = {.processes = 4,
                                        .most = 8,
                                        .limit = 4,
                                        .messages = 0.2,
                                        .sequences = 0.2,
                                        .atomics = 0.2,
                                        .flagged = true,
                                        .ordered = true,
                                        .paged = true};
    struct golden_nic *golden = gn_new(CHIPS * CHIP_NICS, false);
    struct rng r = {seed};
    unsigned busy = 0, waits = 0;

    b = chip_bench_new(seed, golden, &cable, NULL);
    b->watch = watch;
    p = program_new(b, seed + 1, &knobs);
    chip_blocks_start(&blocks, b);
    for (unsigned i = 0; i < ROUNDS; i++) {
        round_of(i, &r, &busy, &waits);
    }
    tap_at_least(waits, 1, "without cables links and NICs wait");
    tap_at_least(busy, ROUNDS, "in the middle of programs no chip is quiet");
    const uint64_t before = entered;

    run(STILL);
    tap_at_least((double)entered, (double)before + 50, "packets go on");
    tap_at_least(LATE, longest, "each tile says that flits wait, clocks later");
    program_finish(p, 100000);
    const struct gn_count *c = gn_finish(golden);

    tap_why("%s", c->first);
    tap_ok(c->unexplained == 0 && c->missing_events == 0 && c->missing_accesses == 0,
           "of %llu operations nothing is missing", (unsigned long long)c->operations);
    program_free(p);
    nic_bench_free(b);
    gn_free(golden);
    return tap_done();
}
