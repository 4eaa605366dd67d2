// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_input.c - the input side of a tile alone: every flit once and in order, places and credits,
 * illegal packets, unknown destinations, rates, wrong bits in memories. Which way a packet goes is the subject of
 * test_router_route.c.
 */
#include "input_bench.h"

#include <stdlib.h>
#include <string.h>

enum { ALL = (1 << VCS) - 1 };

/* ---- traffic ------------------------------------------------------------------------------------- */

struct traffic {
    unsigned vcs;     /* mask */
    unsigned length;  /* of packets; 0: any */
    unsigned illegal; /* percent of packets with an illegal length or VC */
    unsigned bad;     /* percent of flits with the mark */
    unsigned rewrite; /* percent of clocks in which a table entry is written as it is */
};

/* A head for VC v that no other VC's can be taken for. */
static struct head random_head(struct input_bench *b, unsigned v, const struct traffic *t)
{
    struct head h = {
        .vc = v,
        .length = t->length != 0 ? t->length : 1 + rng_below(&b->rng, RTR_PACKET),
        .mode = rng_below(&b->rng, MODE_SOURCE),
        .phase = rng_below(&b->rng, PHASES),
        .global = rng_below(&b->rng, 2) ? b->t.global : rng_below(&b->rng, GROUPS),
        .local = rng_below(&b->rng, ROUTERS) / 8 * 8 + v,
        .sub = rng_below(&b->rng, 1 << RTR_SUB_BITS),
        .hash = (unsigned)rng_next(&b->rng),
        .rest = (unsigned)rng_next(&b->rng),
    };

    if (rng_below(&b->rng, 8) == 0 && b->t.local % 8 == v)
        h.local = b->t.local;
    if (rng_below(&b->rng, 100) < t->illegal) {
        const unsigned absent = (1 << RTR_HEAD_VC_BITS) - VCS;

        if (absent != 0 && rng_below(&b->rng, 2))
            h.vc = VCS + rng_below(&b->rng, absent);
        else
            h.length = RTR_PACKET + 1 + rng_below(&b->rng, 16 - RTR_PACKET);
    }
    h.length %= 16;
    return h;
}

static void offer(struct input_bench *b, const struct traffic *t)
{
    const unsigned v = rng_below(&b->rng, VCS);
    const bool bad = rng_below(&b->rng, 100) < t->bad;

    if (rng_below(&b->rng, 100) < b->gap)
        return;
    if (b->left != 0) {
        input_bench_send(b, NULL, bad);
    } else if (t->vcs >> v & 1) {
        const struct head h = random_head(b, v, t);
        const unsigned length = h.length == 0 ? 16 : h.length;

        if (h.vc >= VCS || input_bench_room(b, v) >= length)
            input_bench_send(b, &h, bad);
    }
}

/* Writes an entry as it is, while packets go by. */
static void rewrite(struct input_bench *b)
{
    const unsigned n = rng_below(&b->rng, 2), local = rng_below(&b->rng, 2);
    const unsigned at = local ? rng_below(&b->rng, ROUTERS) : rng_below(&b->rng, GROUPS);
    const struct route_write before = b->in.config;

    if (before.valid || b->dut.route.out.hold)
        return;
    b->in.valid = 0;
    input_bench_write_entry(b, n, local, at, rng_below(&b->rng, 4));
}

static void run(struct input_bench *b, unsigned clocks, const struct traffic *t)
{
    for (unsigned i = 0; i < clocks || b->left != 0; i++) {
        if (rng_below(&b->rng, 100) < t->rewrite)
            rewrite(b);
        offer(b, t);
        input_bench_clock(b);
    }
}

/* ---- delivery ------------------------------------------------------------------------------------ */

static void test_delivery(struct input_bench *b, uint64_t seed, bool merge)
{
    static const unsigned gaps[] = {0, 10, 60}, drains[] = {100, 40, 10};

    input_bench_start(b, seed);
    input_bench_fill(b, merge);
    for (unsigned i = 0; i < 9; i++) {
        b->gap = gaps[i / 3];
        b->drain = drains[i % 3];
        run(b, 10000, &(struct traffic){.vcs = ALL, .bad = 2, .rewrite = i % 3});
    }
    input_bench_drain(b);
    tap_note("%llu flits, %llu packets", (unsigned long long)b->flits_in,
             (unsigned long long)b->packets);
    tap_ok(b->wrong == 0 && b->flits_out == b->flits_in && b->notes == b->flits_in &&
               b->unmarked == 0 && b->packets > 1000,
           "VCs %s: every flit once, in order, by a way of the tables; every place is freed",
           merge ? "mixed" : "kept");
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
    run(b, 3000, &(struct traffic){.vcs = ALL});
    dut = b->dut;
    tables = b->t;
    input_bench_start(b, seed + 1);
    b->dut = dut;
    b->t = tables;
    input_queue_reset(&b->dut);
    input_bench_write(b, ROUTE_HERE, 0, b->t.global << RTR_LOCAL_BITS | b->t.local);
    run(b, 5000, &(struct traffic){.vcs = ALL});
    input_bench_drain(b);
    tap_ok(b->wrong == 0 && b->flits_out == b->flits_in && b->flits_in > 1000,
           "after a reset under way all begins anew");
}

static void test_illegal(struct input_bench *b, uint64_t seed)
{
    input_bench_start(b, seed);
    input_bench_fill(b, false);
    for (unsigned local = 0; local < 2; local++) /* destinations with odd numbers are unknown */
        for (unsigned i = 0; i < (local ? ROUTERS : GROUPS) * 4u; i++)
            for (int n = 0; n < 2 && i / 4 % 2; n++) {
                b->t.way[n][local][i / 4][i % 4][0].valid = false;
                b->t.way[n][local][i / 4][i % 4][1].valid = false;
                input_bench_write_entry(b, n, local, i / 4, i % 4);
            }
    b->gap = 10;
    uint64_t illegal = 0, unknown = 0, nameless = 0;
    for (unsigned i = 0; i < 40000 || b->left != 0; i++) {
        const bool begins = b->left == 0;

        b->drain = i % 4096 < 2048 ? 100 : 100 / (2 * RTR_COLS);
        offer(b, &(struct traffic){.vcs = ALL, .illegal = 20});
        if (b->in.valid && begins) {
            const unsigned length = b->sending.length == 0 ? 16 : b->sending.length;
            const bool wrong = b->sending.vc >= VCS || length > RTR_PACKET;

            illegal += wrong;
            unknown += !wrong && b->lost;
        }
        nameless += b->in.valid && b->sending.vc >= VCS;
        input_bench_clock(b);
    }
    input_bench_drain(b);
    tap_note("%llu packets, %llu illegal, %llu to unknown destinations",
             (unsigned long long)b->packets, (unsigned long long)illegal,
             (unsigned long long)unknown);
    tap_ok(b->wrong == 0 && b->flits_out != 0, "the others come out all the same");
    tap_ok(b->refused == illegal && illegal > 100, "illegal VC or length: refused, counted");
    tap_ok(b->dropped == unknown && unknown > 100, "no way: dropped, counted");
    tap_ok(b->notes == b->flits_in - nameless, "their places are freed");
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
        offer(b, &(struct traffic){.vcs = ALL, .length = 1});
        input_bench_clock(b);
    }
    b->drain = 100;
    input_bench_idle(b, 30);
    b->in.config = (struct route_write){1, ROUTE_MINIMAL, 0, 0};
    b->in.config.data = (u48)b->dut.route.minimal_table[0] & (((u48)1 << ROUTE_ENTRY_BITS) - 1);
    input_bench_clock(b);
    for (; b->dut.route.waiting.valid && clocks < 100; clocks++)
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
        const struct traffic t = {.vcs = 1u << v, .length = length};
        for (unsigned i = 0; i < 40 * room; i++) {
            offer(b, &t);
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
    tap_ok(b->wrong == 0 && write_waits(b, seed) < 8,
           "a write is done although heads come in every clock");
    tap_note("one VC drains at %.3f flits per clock or more", worst);
    tap_ok(full && b->wrong == 0, "one VC alone fills all that is not the others'");
    tap_ok(worst >= 0.95, "and drains at one flit per clock, with packets of 1 to %d flits",
           RTR_PACKET);
}

/* All VCs have packets: the bus stays with one; a VC without credit stops no other. */
static void test_row_bus(struct input_bench *b, uint64_t seed)
{
    input_bench_start(b, seed);
    input_bench_fill(b, false);
    b->drain = 0;
    run(b, 3000, &(struct traffic){.vcs = ALL});
    b->drain = 100;
    const uint64_t before = b->packets, breaks = b->breaks;
    run(b, 20000, &(struct traffic){.vcs = ALL});
    tap_note("%llu packets left for another of %llu", (unsigned long long)(b->breaks - breaks),
             (unsigned long long)(b->packets - before));
    tap_ok((b->breaks - breaks) * 100 <= b->packets - before && b->packets - before > 1000,
           "the row bus stays with a packet that can go on");

    b->blocked = 1;
    run(b, 20000, &(struct traffic){.vcs = ALL});
    unsigned stuck = 0;
    for (unsigned v = 0; v < VCS; v++)
        stuck += b->row_taken[0][v] >= VC_ROOM - 1;
    tap_ok(stuck != 0, "a column that frees nothing fills up");
    b->blocked = 0;
    input_bench_drain(b);
    tap_ok(b->wrong == 0 && b->flits_in == b->flits_out, "and all goes on when it does");
}

/* Packets of VC v go to local destination v, and that by column col alone. */
static void direct(struct input_bench *b, unsigned v, unsigned col)
{
    for (unsigned draw = 0; draw < 4; draw++) {
        for (int i = 0; i < 2; i++)
            b->t.way[0][1][v][draw][i] = (struct way){true, 0, 0, col, 1};
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
    tap_ok(clocks <= 4 * RTR_PACKET && b->wrong == 0,
           "a VC that streams does not hold another one");
}

/* A head through an idle input side, against the table of hls/router/README.md. */
static void test_latency(struct input_bench *b, uint64_t seed)
{
    unsigned longest = 0, shortest = 1000;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    for (unsigned i = 0; i < 500; i++) {
        const struct head h =
            random_head(b, rng_below(&b->rng, VCS), &(struct traffic){.length = 1});
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
    tap_ok(shortest == 7 && longest == 7 && b->wrong == 0,
           "seven clocks from the store to the row bus");
}

/* ---- wrong bits ---------------------------------------------------------------------------------- */

static unsigned code_bit(struct input_bench *b)
{
    return rng_below(&b->rng, RTR_CODE_BITS);
}

/* The word that the last clock wrote into the buffer, or -1. */
static int written(const struct input_bench *b, const inq_word *before)
{
    for (int i = 0; i < 1 << RTR_INQ_LOG2; i++)
        if (b->dut.store.buffer[i] != before[i])
            return i;
    return -1;
}

enum memory { MINIMAL, NONMINIMAL, VC_MAP };

/* Wrong bits in every word of a table or of the VC map. */
static void spoil(struct input_bench *b, enum memory which, unsigned wrong)
{
    const unsigned bits = which == VC_MAP ? ROUTE_MAP_BITS + 5 : ROUTE_ENTRY_BITS + ROUTE_ECC_BITS;
    const unsigned words = 1u << (which == VC_MAP ? ROUTE_MAP_LOG2 : ROUTE_TABLE_LOG2);

    for (unsigned i = 0; i < words; i++) {
        const unsigned first = rng_below(&b->rng, bits - 1);
        uint64_t flip = UINT64_C(1) << first;

        if (wrong == 2)
            flip |= flip << (1 + rng_below(&b->rng, bits - 1 - first));
        if (which == VC_MAP)
            b->dut.route.vc_map[i] ^= (route_map_ecc_word)flip;
        else if (which == MINIMAL)
            b->dut.route.minimal_table[i] ^= (route_ecc_word)flip;
        else
            b->dut.route.nonminimal_table[i] ^= (route_ecc_word)flip;
    }
}

static void test_table_bits(struct input_bench *b, uint64_t seed, enum memory which)
{
    static const char *names[] = {"minimal tables", "non-minimal tables", "VC map"};

    input_bench_start(b, seed);
    input_bench_fill(b, true);
    spoil(b, which, 1);
    b->gap = 50; /* no two in one clock */
    run(b, 20000, &(struct traffic){.vcs = ALL});
    input_bench_drain(b);
    tap_ok(b->wrong == 0 && b->flits_out == b->flits_in && b->fatal == 0 &&
               b->corrected == b->packets,
           "%s: one wrong bit is corrected, counted", names[which]);

    input_bench_start(b, seed);
    input_bench_fill(b, true);
    spoil(b, which, 2);
    for (unsigned i = 0; i < 1 << 12; i++) { /* the bench forgets what can no longer be read */
        struct way *w =
            &b->t.way[which == NONMINIMAL][i >> 11][(i >> 3) % GROUPS][i >> 1 & 3][i & 1];
        w->valid &= which == VC_MAP;
    }
    for (unsigned i = 0; i < 500; i++) {
        struct head h = random_head(b, rng_below(&b->rng, VCS), &(struct traffic){.length = 2});

        b->spoils_head = which == VC_MAP;
        input_bench_send(b, &h, false);
        input_bench_clock(b);
        input_bench_send(b, NULL, false);
        input_bench_idle(b, 15);
    }
    input_bench_drain(b);
    const bool some = which == NONMINIMAL ? b->nonminimal == 0 : b->dropped != 0;
    tap_ok(b->wrong == 0 && some && b->fatal == 500 && b->flits_out == (500 - b->dropped) * 2,
           "%s: two are reported, the packet goes without them or is dropped", names[which]);
}

/* Errors in every third word of the buffer, the links and free blocks, and what staging knows of a flit. */
static void test_buffer_corrected(struct input_bench *b, uint64_t seed)
{
    static inq_word before[1 << RTR_INQ_LOG2];
    static struct stage_queue stage;
    uint64_t hits = 0;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    for (unsigned i = 0; i < 20000 || b->left != 0; i++) {
        memcpy(before, b->dut.store.buffer, sizeof before);
        stage = b->dut.stage;
        b->drain = i / 2048 % 2 ? 100 : 5; /* empty and full */
        offer(b, &(struct traffic){.vcs = ALL});
        input_bench_clock(b);
        const int at = written(b, before);
        if (at >= 0 && i % 3 == 0) {
            b->dut.store.buffer[at] ^= (inq_word)1 << rng_below(&b->rng, INQ_WORD_BITS);
            hits++;
        }
        for (unsigned j = 0; j < sizeof stage.controls / sizeof *stage.controls; j++)
            if (stage.controls[j] != b->dut.stage.controls[j] && i % 5 == 0)
                b->dut.stage.controls[j] ^= 1;
#if RTR_INQ_SHARED
        if (i % 50 == 0)
            for (unsigned j = b->dut.store.list_rd; j != b->dut.store.list_wr;
                 j = (j + 1) % (1 << INQ_BLOCK_BITS))
                b->dut.store.list[j] =
                    (inq_block_ecc_word)(inq_block_ecc_encode(
                                             inq_block_ecc_decode(b->dut.store.list[j]).data) ^
                                         ((inq_block_ecc_word)1
                                          << rng_below(&b->rng, INQ_NEXT_BITS)));
#endif
    }
    input_bench_drain(b);
    tap_note("%llu words of the buffer hit, %llu errors corrected", (unsigned long long)hits,
             (unsigned long long)b->corrected);
    tap_ok(b->wrong == 0 && b->flits_out == b->flits_in && b->fatal == 0 && b->corrected > hits / 2,
           "one wrong bit in the buffer, in block numbers and in staging is corrected, counted");
}

/* Two wrong bits of a flit: a body flit comes out marked, a head takes its packet with it. */
static void test_buffer_fatal(struct input_bench *b, uint64_t seed)
{
    static inq_word before[1 << RTR_INQ_LOG2];
    uint64_t heads = 0, bodies = 0;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    for (unsigned i = 0; i < 20000 || b->left != 0; i++) {
        const bool begins = b->left == 0, hit = i % 7 == 0;
        const unsigned first = code_bit(b), second = code_bit(b);

        memcpy(before, b->dut.store.buffer, sizeof before);
        b->spoils_head = begins && hit && first != second;
        offer(b, &(struct traffic){.vcs = ALL});
        const bool sent = b->in.valid;
        input_bench_clock(b);
        const int at = written(b, before);
        if (!hit || first == second || !sent || at < 0)
            continue;
        b->dut.store.buffer[at] ^= (inq_word)1 << first | (inq_word)1 << second;
        if (begins) {
            heads++;
        } else if (!b->lost) {
            struct input_vc *vc = &b->vc[b->sending.vc];

            vc->flit[(vc->in - 1) % WAITING].bad = true;
            vc->flit[(vc->in - 1) % WAITING].any = true;
            bodies++;
        } else {
            bodies++;
        }
    }
    input_bench_drain(b);
    tap_note("%llu heads, %llu other flits hit, %llu reported", (unsigned long long)heads,
             (unsigned long long)bodies, (unsigned long long)b->fatal);
    tap_ok(b->wrong == 0 && b->unmarked == 0 && bodies > 100,
           "two wrong bits: the flit comes out marked, and only that one");
    tap_ok(b->dropped == heads && heads > 100, "in a head: the packet is dropped");
    tap_ok(b->fatal == heads + bodies, "each is reported");
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
    test_row_bus(b, seed);
    test_fair(b, seed);
    test_reset(b, seed);
    for (int i = MINIMAL; i <= VC_MAP; i++)
        test_table_bits(b, seed, (enum memory)i);
    test_buffer_corrected(b, seed);
    test_buffer_fatal(b, seed);
    free(b);
    return tap_done();
}
