// SPDX-License-Identifier: Apache-2.0
/*
 * test_input_queue.c - the input side of a tile alone: every flit once and in order, places and credits,
 * illegal packets, unknown destinations, rates. Which port a packet leaves by is the subject of test_route.c.
 *
 * Built for routers, a16: san. Recorded for input_queue.
 */
#include "tb/blocks/router/input/input_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = (1 << VCS) - 1 };

/* ---- delivery ------------------------------------------------------------------------------------ */

static void test_delivery(struct input_bench *b, uint64_t seed, bool merge)
{
    static const unsigned gaps[] = {0, 10, 60}, drains[] = {100, 40, 10};

    input_bench_start(b, seed);
    input_bench_fill(b, merge);
    for (unsigned i = 0; i < 9; i++) {
        b->gap = gaps[i / 3];
        b->drain = drains[i % 3];
        input_bench_run(b, 10000, &(struct input_traffic){.vcs = ALL, .bad = 2, .rewrite = i % 3});
    }
    input_bench_drain(b);
    tap_note("%llu flits, %llu packets", (unsigned long long)b->flits_in,
             (unsigned long long)b->packets);
    must_equal(&b->wrong, b->flits_out, b->flits_in, "b->flits_out");
    must_equal(&b->wrong, b->notes, b->flits_in, "b->notes");
    must_equal(&b->wrong, b->unmarked, 0, "b->unmarked");
    must_at_least(&b->wrong, b->packets, 1000 + 1, "b->packets");
    tap_misses(&b->wrong,
               "VCs %s: every flit once, in order, by a route of the tables; every place is freed",
               merge ? "mixed" : "kept");
    tap_why("%llu counted of %llu flits, %llu refused, %llu dropped, %llu corrected, %llu fatal",
            (unsigned long long)b->incoming, (unsigned long long)b->flits_in,
            (unsigned long long)b->refused, (unsigned long long)b->dropped,
            (unsigned long long)b->corrected, (unsigned long long)b->fatal);
    tap_ok(b->incoming == b->flits_in && b->refused == 0 && b->dropped == 0 && b->corrected == 0 &&
               b->fatal == 0,
           "events: flits counted, nothing else");
}

/* A reset in the middle of everything; memories keep what they hold. */
static void test_reset(struct input_bench *b, uint64_t seed)
{
    static struct input_queue dut;
    static struct tables tables;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    b->drain = 50;
    input_bench_run(b, 3000, &(struct input_traffic){.vcs = ALL});
    dut = b->dut;
    tables = b->t;
    input_bench_start(b, seed + 1);
    b->dut = dut;
    b->t = tables;
    input_queue_reset(&b->dut);
    input_bench_write(b, ROUTE_HERE, 0, b->t.global << RTR_LOCAL_BITS | b->t.local);
    input_bench_idle(b, VCS);
    input_bench_run(b, 5000, &(struct input_traffic){.vcs = ALL});
    input_bench_drain(b);
    must_equal(&b->wrong, b->flits_out, b->flits_in, "b->flits_out");
    must_at_least(&b->wrong, b->flits_in, 1000 + 1, "b->flits_in");
    tap_misses(&b->wrong, "after a reset under way all begins anew");
}

static void test_illegal(struct input_bench *b, uint64_t seed)
{
    input_bench_start(b, seed);
    input_bench_fill(b, false);
    for (unsigned local = 0; local < 2; local++) /* destinations with odd numbers are unknown */
        for (unsigned i = 0; i < (local ? ROUTERS : WAYS) * 4u; i++)
            for (int n = 0; n < 2 && i / 4 % 2; n++) {
                b->t.candidate[n][local][i / 4][i % 4][0].valid = false;
                b->t.candidate[n][local][i / 4][i % 4][1].valid = false;
                input_bench_write_entry(b, n, local, i / 4, i % 4);
            }
    b->gap = 10;
    uint64_t illegal = 0, unknown = 0;
    for (unsigned i = 0; i < 40000 || b->left != 0; i++) {
        const bool begins = b->left == 0;

        b->drain = i % 4096 < 2048 ? 100 : 100 / (2 * RTR_COLS);
        input_bench_offer(b, &(struct input_traffic){.vcs = ALL, .illegal = 20});
        if (b->in.valid && begins) {
            const bool wrong = b->sending.vc >= VCS || head_flits(&b->sending) > RTR_PACKET;

            illegal += wrong;
            unknown +=
                (NARROW || !wrong) && b->lost; /* by its end an illegal packet has a route, too */
        }
        input_bench_clock(b);
    }
    input_bench_drain(b);
    tap_note("%llu packets, %llu illegal, %llu to unknown destinations",
             (unsigned long long)b->packets, (unsigned long long)illegal,
             (unsigned long long)unknown);
    must(&b->wrong, b->flits_out != 0, "expected b->flits_out != 0");
    tap_misses(&b->wrong, "the others come out all the same");
    /* holds store.illegal */
    tap_why("%llu refused, expected %llu, more than 100", (unsigned long long)b->refused,
            (unsigned long long)illegal);
    tap_ok(b->refused == illegal && illegal > 100, "illegal VC or length: refused, counted");
    /* holds route.none */
    tap_why("%llu dropped, expected %llu, more than 100", (unsigned long long)b->dropped,
            (unsigned long long)unknown);
    tap_ok(b->dropped == unknown && unknown > 100, "no route: dropped, counted");
    tap_why("%llu places, expected %llu", (unsigned long long)b->notes,
            (unsigned long long)b->flits_in);
    tap_ok(b->notes == b->flits_in, "their places are freed");
}

/* ---- rates --------------------------------------------------------------------------------------- */

/* Clocks that a write waits while packets of one flit come out of a full buffer. */
static unsigned write_waits(struct input_bench *b, uint64_t seed)
{
    unsigned clocks = 0;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    b->drain = 0;
    for (unsigned i = 0; i < 4000; i++) {
        input_bench_offer(b, &(struct input_traffic){.vcs = ALL, .length = 1});
        input_bench_clock(b);
    }
    b->drain = 100;
    input_bench_idle(b, 30);
    b->in.config = (struct route_write){1, ROUTE_MINIMAL, 0, 0};
    b->in.config.data = (u48)b->dut.route.minimal_table[0] & (((u48)1 << ROUTE_ENTRY_BITS) - 1);
    input_bench_clock(b);
    for (; b->dut.route.out.hold && clocks < 100; clocks++)
        input_bench_clock(b);
    input_bench_drain(b);
    return clocks;
}

/* One VC alone: how much it may fill, and how fast it drains. */
static void test_rate(struct input_bench *b, uint64_t seed)
{
    double worst = 1;
    bool full = true;

    for (unsigned length = 1; length <= RTR_PACKET; length++) {
        const unsigned v = length % VCS;

        input_bench_start(b, seed + length);
        input_bench_fill(b, false);
        b->drain = 0;
        const unsigned room = input_bench_room(b, v);
        const struct input_traffic t = {.vcs = 1u << v, .length = length};
        for (unsigned i = 0; i < 40 * room; i++) {
            input_bench_offer(b, &t);
            input_bench_clock(b);
        }
        full &= b->vc[v].outstanding + length > room;
        b->drain = 100;
        input_bench_idle(b, 20);
        const uint64_t before = b->flits_out;
        unsigned clocks = 0;
        for (; b->vc[v].outstanding > 0; clocks++)
            input_bench_clock(b);
        const double rate = (double)(b->flits_out - before) / clocks;
        worst = rate < worst ? rate : worst;
        input_bench_drain(b);
    }
    const unsigned waits = write_waits(b, seed);
    /* holds route.pace */
    must_at_most(&b->wrong, waits, 4, "waits");
    tap_misses(&b->wrong, "a write is done although heads come in every clock, after %u clocks",
               waits);
    tap_note("one VC drains at %.3f flits per clock or more", worst);
    /* holds store.room, store.partitioned */
    must(&b->wrong, full, "expected full");
    tap_misses(&b->wrong, "one VC alone fills all that is not the others'");
    tap_ok(worst >= 0.95, "and drains at one flit per clock, with packets of 1 to %d flits",
           RTR_PACKET);
}

/* VCs take turns on the row bus, packet by packet: with long packets on all of them, behind a full store, each has its part. */
static void test_turns(struct input_bench *b, uint64_t seed)
{
    static const unsigned lengths[] = {RTR_PACKET, RTR_PACKET / 2, 2};
    double off = 0;

    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const struct input_traffic t = {.vcs = ALL, .length = lengths[i]};
        uint64_t before[VCS], sum = 0;

        input_bench_start(b, seed + i);
        input_bench_fill(b, false);
        b->drain = 0;
        input_bench_run(b, 3000, &t);
        b->drain = 100;
        input_bench_run(b, 3000, &t);
        for (unsigned v = 0; v < VCS; v++)
            before[v] = b->vc[v].out;
        input_bench_run(b, 30000, &t);
        for (unsigned v = 0; v < VCS; v++)
            sum += b->vc[v].out - before[v];
        for (unsigned v = 0; v < VCS; v++) {
            const double share = (double)(b->vc[v].out - before[v]) * VCS / (double)sum;

            off = fabs(share - 1) > off ? fabs(share - 1) : off;
        }
    }
    /* holds input_queue.turns */
    must(&b->wrong, off < 0.1, "off: %.3f, expected < %.3f", (double)(off), (double)(0.1));
    tap_misses(&b->wrong, "VCs take turns on the row bus, packets of up to %u: shares off by %.3f",
               RTR_PACKET, off);
}

/* All VCs have packets: the bus stays with one; a VC without credit stops no other. */
static void test_row_bus(struct input_bench *b, uint64_t seed)
{
    input_bench_start(b, seed);
    input_bench_fill(b, false);
    b->drain = 0;
    input_bench_run(b, 3000, &(struct input_traffic){.vcs = ALL});
    b->drain = 100;
    const uint64_t before = b->packets, breaks = b->breaks;
    input_bench_run(b, 20000, &(struct input_traffic){.vcs = ALL});
    tap_why("%llu packets left for another of %llu, expected one of a hundred at most",
            (unsigned long long)(b->breaks - breaks), (unsigned long long)(b->packets - before));
    tap_ok((b->breaks - breaks) * 100 <= b->packets - before && b->packets - before > 1000,
           "the row bus stays with a packet that can go on");

    b->blocked = 1;
    input_bench_run(b, 20000, &(struct input_traffic){.vcs = ALL});
    unsigned stuck = 0;
    for (unsigned v = 0; v < VCS; v++)
        /* holds input_queue.credit */
        stuck += b->row_taken[0][v] >= VC_ROOM - 1;
    tap_ok(stuck != 0, "a column that frees nothing fills up");
    b->blocked = 0;
    input_bench_drain(b);
    must_equal(&b->wrong, b->flits_in, b->flits_out, "b->flits_in");
    tap_misses(&b->wrong, "and all goes on when it does");
}

/* A stall is a clock in which something waits for the row bus and nothing goes. */
static void test_stalls(struct input_bench *b, uint64_t seed)
{
    enum { CLOCKS = 100 };

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    b->drain = 0;
    input_bench_run(b, 3000, &(struct input_traffic){.vcs = ALL});
    b->stalls = 0;
    input_bench_idle(b, CLOCKS);
    const uint64_t stuck = b->stalls;
    b->drain = 100;
    input_bench_idle(b, 20);
    b->stalls = 0;
    const uint64_t before = b->flits_out;
    input_bench_idle(b, CLOCKS);
    const uint64_t moving = b->stalls, out = b->flits_out - before;
    while (b->left != 0) {
        input_bench_send(b, NULL, false);
        input_bench_clock(b);
    }
    input_bench_drain(b);
    b->stalls = 0;
    input_bench_idle(b, CLOCKS);
    tap_ok(
        stuck == CLOCKS && moving + out <= CLOCKS + 2 && out > CLOCKS / 2 && b->stalls == 0,
        "stalls: %llu clocks when nothing moves, %llu beside %llu flits, %llu when nothing waits",
        (unsigned long long)stuck, (unsigned long long)moving, (unsigned long long)out,
        (unsigned long long)b->stalls);
}

/* Packets of VC v go to local destination v, and that by column col alone. */
static void direct(struct input_bench *b, unsigned v, unsigned col)
{
    for (unsigned draw = 0; draw < 4; draw++) {
        for (int i = 0; i < 2; i++)
            b->t.candidate[0][1][v][draw][i] = (struct candidate){true, 0, 0, col, 1};
        input_bench_write_entry(b, false, 1, v, draw);
    }
}

static void send_direct(struct input_bench *b, unsigned v, unsigned length)
{
    const struct head h = {
        .vc = v, .length = length, .mode = MODE_MIN_HASH, .global = b->t.global, .local = v};

    if (b->left != 0)
        input_bench_send(b, NULL, false);
    else if (input_bench_room(b, v) >= length)
        input_bench_send(b, &h, false);
}

/* Flits of one VC after the other that go in while no row buffer frees anything. */
static uint64_t capacity(struct input_bench *b)
{
    b->t.local = ROUTERS - 1;
    input_bench_write(b, ROUTE_HERE, 0, b->t.global << RTR_LOCAL_BITS | b->t.local);
    for (unsigned v = 0; v < VCS; v++)
        direct(b, v, v % RTR_COLS);
    b->drain = 0;
    const uint64_t before = b->flits_in;
    for (unsigned i = 0; i < 4 << RTR_INQ_LOG2; i++) {
        send_direct(b, i % VCS, 1);
        input_bench_clock(b);
    }
    return b->flits_in - before;
}

/* A reset while flits stand everywhere leaves no account short: as much goes in as before. */
static void test_accounts(struct input_bench *b, uint64_t seed)
{
    static struct input_queue dut;
    static struct tables tables;
    uint64_t room = 0;
    struct misses wrong = {0};

    for (unsigned n = 0; n < 6; n++) {
        input_bench_start(b, seed + n);
        if (n == 0)
            input_bench_fill(b, false);
        if (n > 0) {
            b->dut = dut;
            b->t = tables;
            input_queue_reset(&b->dut);
        }
        const uint64_t fits = capacity(b);
        room = n == 0 ? fits : room;
        must_equal(&wrong, fits, room, "reset %u: flits that go in", n);
        misses_add(&wrong, &b->wrong);
        b->drain = 100;
        input_bench_idle(b, 8 + 3 * n);
        dut = b->dut;
        tables = b->t;
    }
    tap_misses(&wrong, "after a reset under way there is room for %llu flits as before",
               (unsigned long long)room);
}

/* Every VC waits with many packets of one flit, even VCs for column 0 and odd ones for others. */
static void start_crowded(struct input_bench *b, uint64_t seed)
{
    input_bench_start(b, seed);
    input_bench_fill(b, false);
    b->t.local = ROUTERS - 1;
    input_bench_write(b, ROUTE_HERE, 0, b->t.global << RTR_LOCAL_BITS | b->t.local);
    for (unsigned v = 0; v < VCS; v++)
        direct(b, v, v % 2 ? 1 + v / 2 % (RTR_COLS - 1) : 0);
    b->drain = 0;
    for (unsigned i = 0; i < 2000; i++) {
        send_direct(b, i % VCS, 1);
        input_bench_clock(b);
    }
    b->drain = 100;
}

static void test_fair(struct input_bench *b, uint64_t seed)
{
    uint64_t before[VCS], least = UINT64_MAX, most = 0;

    start_crowded(b, seed);
    input_bench_idle(b, 30);
    for (unsigned v = 0; v < VCS; v++)
        before[v] = b->vc[v].out;
    input_bench_idle(b, 40 * VCS);
    for (unsigned v = 0; v < VCS; v++) {
        const uint64_t n = b->vc[v].out - before[v];

        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    tap_why("%llu to %llu", (unsigned long long)least, (unsigned long long)most);
    tap_ok(least >= 35 && most <= 45, "the row bus serves all VCs alike");

    start_crowded(b, seed);
    b->blocked = 1;
    input_bench_idle(b, 30);
    const uint64_t out = b->flits_out;
    input_bench_idle(b, 40);
    tap_why("%llu of 40", (unsigned long long)(b->flits_out - out));
    /* holds input_queue.stuck */
    tap_ok(b->flits_out - out >= 39, "VCs that are stuck take nothing from the others");

    start_crowded(b, seed);
    input_bench_drain(b);
    b->drain = 0;
    for (unsigned i = 0; i < 400 || b->left != 0; i++) {
        send_direct(b, 0, RTR_PACKET);
        input_bench_clock(b);
    }
    b->drain = 100;
    input_bench_idle(b, 40);
    send_direct(b, 1, 1);
    const uint64_t one = b->vc[1].out;
    unsigned clocks = 0;
    for (; b->vc[1].out == one && clocks < 1000; clocks++) {
        input_bench_clock(b);
        send_direct(b, 0, RTR_PACKET);
    }
    while (b->left != 0) {
        input_bench_clock(b);
        send_direct(b, 0, RTR_PACKET);
    }
    input_bench_drain(b);
    tap_why("%u clocks", clocks);
    must_at_most(&b->wrong, clocks, 4 * RTR_PACKET, "clocks");
    tap_misses(&b->wrong, "a VC that streams does not hold another one");
}

/* A head through an idle input side, against the table of hls/router/README.md. */
static void test_latency(struct input_bench *b, uint64_t seed)
{
    unsigned longest = 0, shortest = 1000;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    for (unsigned i = 0; i < 500; i++) {
        const struct head h =
            input_bench_head(b, rng_below(&b->rng, VCS), &(struct input_traffic){.length = 1});
        unsigned clocks = 0;

        input_bench_send(b, &h, false);
        input_bench_clock(b);
        for (; !b->came && clocks < 100; clocks++)
            input_bench_clock(b);
        longest = clocks > longest ? clocks : longest;
        shortest = clocks < shortest ? clocks : shortest;
        input_bench_idle(b, rng_below(&b->rng, 40));
    }
    tap_why("%u to %u", shortest, longest);
    /* holds input_queue.latency */
    must_equal(&b->wrong, shortest, 10, "shortest");
    must_equal(&b->wrong, longest, 10, "longest");
    tap_misses(&b->wrong, "ten clocks from the store to the row bus");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    struct input_bench *b = malloc(sizeof *b);

    if (b == NULL)
        return EXIT_FAILURE;
    test_delivery(b, seed, false);
    test_delivery(b, seed, true);
    test_illegal(b, seed);
    test_latency(b, seed);
    test_rate(b, seed);
    test_turns(b, seed);
    test_row_bus(b, seed);
    test_stalls(b, seed);
    test_fair(b, seed);
    test_reset(b, seed);
    test_accounts(b, seed);
    free(b);
    return tap_done();
}
