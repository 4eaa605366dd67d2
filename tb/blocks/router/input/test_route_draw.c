// SPDX-License-Identifier: Apache-2.0
/*
 * test_route_draw.c - route by itself, with a head in any clock that it likes: what it is after reset, writes between
 * heads, VCs that do not exist, the random draw. For machines of one step.
 *
 * Built for aries, proto: san. Recorded for route.
 */
#include "tb/blocks/router/input/input_bench.h"
#include "router/flit/rtr_ecc.h"

#include <math.h>
#include <string.h>

enum {
    GROUP = 1, /* of the destination: its hash draws entry 0 in a tile at {0, 0} */
    DRAWS = 4,
    LENGTH = 4096, /* draws of a tile that are looked at */
    PACKETS = 20,
    STAGES = 7, /* calls until a flit is out, that in which it comes counted */
};

static struct route dut;
static struct route_in in;
static uint64_t now;

/* What the last clock brought, and how many clocks dropped something. */
static struct {
    bool valid;
    unsigned port, vc;
} out;
static unsigned dropped;

/* ---- bench --------------------------------------------------------------------------------------- */

/* A clock, with a flit of the packet h if there is one. */
static void step(const struct head *h, bool tail)
{
    in.valid = h != NULL;
    if (h != NULL) {
        in.vc = (rtr_vc)h->vc;
        in.code = rtr_encode((rtr_flit)put_head(h), 0);
        in.tail = tail ? (inq_tail)-1 : (inq_tail)0;
    }
    route(&dut, &in);
    now++;
    in.config = (struct route_write){};
    out.valid = dut.out.flit.valid;
    out.port = (unsigned)dut.out.flit.row * RTR_COLS + (unsigned)dut.out.flit.col;
    out.vc = (unsigned)dut.out.flit.vc;
    dropped += dut.out.dropped;
}

static void idle(unsigned clocks)
{
    while (clocks-- > 0)
        step(NULL, false);
}

static void ask(unsigned kind, unsigned index, uint64_t data)
{
    in.config = (struct route_write){1, (u3)kind, (u12)index, (u48)data};
}

static void write(unsigned kind, unsigned index, uint64_t data)
{
    ask(kind, index, data);
    idle(7);
}

static unsigned index_of(unsigned local, unsigned at, unsigned draw)
{
    return (local << 8 | at) << 2 | draw;
}

/* Both candidates are that port, of type 0. */
static uint64_t entry_of(unsigned port)
{
    const uint64_t candidate = 1 | port % RTR_COLS << 3 | port / RTR_COLS << 6;

    return candidate << 9 | candidate;
}

static uint64_t pair_of(unsigned first, unsigned second)
{
    return (entry_of(second) & ~UINT64_C(0x1ff)) | (entry_of(first) & 0x1ff);
}

/* After power-up and reset; the VC map knows VC 0. */
static void start(unsigned row, unsigned col)
{
    memset(&dut, 0, sizeof dut);
    route_reset(&dut);
    in = (struct route_in){.here = {(rtr_row)row, (rtr_col)col}};
    dropped = 0;
    write(ROUTE_VC_MAP, 0, 0);
    write(ROUTE_VC_MAP, 1 << 7, 0);
}

/* The port to which a packet of one flit goes through the idle module, -1 if it is dropped. */
static int candidate_of(const struct head *h)
{
    const unsigned before = dropped;

    step(h, true);
    for (unsigned i = 0; i < 16; i++) {
        step(NULL, false);
        if (out.valid)
            return (int)out.port;
        if (dropped != before)
            return -1;
    }
    return -2;
}

/* It is that port; what of the head or of the module is so much in this case. */
static void leads(struct misses *m, const struct head *h, int port, const char *what,
                  unsigned value)
{
    const int candidate = candidate_of(h);

    must(m, candidate == port, "mode %u, %s %u: port %d (-1: dropped, -2: none), expected %d",
         h->mode, what, value, candidate, port);
}

/* ---- after reset --------------------------------------------------------------------------------- */

static void test_reset(void)
{
    struct misses drawn = {0}, bias = {0};

    start(1, 1);
    for (unsigned draw = 0; draw < DRAWS; draw++)
        write(ROUTE_MINIMAL, index_of(1, 0, draw), entry_of(draw));
    for (unsigned sub = 0; sub < DRAWS; sub++) {
        const struct head h = {.length = 1, .mode = MODE_IN_ORDER, .sub = sub};

        leads(&drawn, &h, (int)sub, "sub", sub);
    }
    /* holds route.own */
    tap_misses(&drawn, "after reset: router 0 of group 0, whose ports are drawn by sub");

    for (unsigned draw = 0; draw < DRAWS; draw++) {
        write(ROUTE_MINIMAL, index_of(0, GROUP, draw), entry_of(0));
        write(ROUTE_NONMINIMAL, index_of(0, GROUP, draw), entry_of(1));
    }
    for (unsigned mode = MODE_ADAPTIVE0; mode <= MODE_ADAPTIVE3; mode++) {
        const struct head h = {.length = 1, .mode = mode, .global = GROUP};

        for (unsigned load = 0; load < 2; load++) {
            in.load.request[0] = (rtr_told)load; /* of port 0 */
            idle(1);
            leads(&bias, &h, (int)load, "load of port 0", load);
        }
    }
    tap_misses(&bias, "and no bias: one flit more is enough to go non-minimally");
}

/* ---- writes -------------------------------------------------------------------------------------- */

/* A write that moves packets of one mode to another port or VC. */
static const struct change {
    const char *name;
    unsigned kind, index;
    uint64_t before, after;
    unsigned mode, port, vc; /* to which it leads; 0, 0 until then */
} CHANGES[] = {
    {"minimal table", ROUTE_MINIMAL, GROUP << 2, 0x201, 0x1209, MODE_IN_ORDER, 1, 0},
    {"non-minimal table", ROUTE_NONMINIMAL, GROUP << 2, 0x201, 0x1209, MODE_NMIN_HASH, 1, 0},
    {"VC map", ROUTE_VC_MAP, 0, 0, RTR_VCS - 1, MODE_IN_ORDER, 0, RTR_VCS - 1},
};

static struct head start_change(const struct change *c)
{
    start(0, 0);
    write(ROUTE_MINIMAL, GROUP << 2, entry_of(0));
    write(c->kind, c->index, c->before);
    return (struct head){.length = 1, .mode = c->mode, .global = GROUP};
}

/* Heads in every clock leave no clock for the write; with none, or with a body flit, it is done. */
static void test_write(const struct change *c)
{
    struct head h = start_change(c);
    unsigned old = 0, holds = 0, flits = 0;

    for (unsigned i = 0; i < PACKETS + STAGES; i++) {
        if (i == STAGES)
            ask(c->kind, c->index, c->after);
        step(&h, true);
        holds += dut.out.hold;
        old += out.valid && out.port == 0 && out.vc == 0;
    }
    /* holds route.waits */
    tap_why("pause asked for in %u clocks, %u packets by the entry of before, %u dropped, expected "
            "%u, %u at least, 0",
            holds, old, dropped, PACKETS, PACKETS);
    tap_ok(holds == PACKETS && old >= PACKETS && dropped == 0,
           "%s: a write waits while every clock has a head, and asks for a pause", c->name);
    idle(6);
    const bool held = dut.out.hold;
    const int candidate = candidate_of(&h);
    tap_why("pause asked for %u, port %d, VC %u, expected 0, %u, %u", held, candidate, out.vc,
            c->port, c->vc);
    tap_ok(!held && candidate == (int)c->port && out.vc == c->vc,
           "%s: six clocks without a head later it is done", c->name);

    h = start_change(c);
    h.length = 2;
    for (unsigned i = 0; i < PACKETS; i++) {
        if (i == 0)
            ask(c->kind, c->index, c->after);
        step(&h, i % 2 == 1);
        flits += i >= STAGES + 2 && out.valid && out.port == c->port && out.vc == c->vc;
    }
    tap_why("pause asked for %u, %u flits by the new entry, expected 0, %u", (unsigned)dut.out.hold,
            flits, PACKETS - STAGES - 2);
    tap_ok(!dut.out.hold && flits == PACKETS - STAGES - 2,
           "%s: a flit behind a head is pause enough", c->name);
}

/* Behind the clock in which it passes for a head a write of the VC map takes three more. */
static void test_map_write(void)
{
    unsigned clocks = 0;

    start_change(&CHANGES[2]);
    const route_map_word before = dut.vc_map[0];
    ask(ROUTE_VC_MAP, 0, RTR_VCS - 1);
    idle(2);
    while (dut.vc_map[0] == before && clocks < 20) {
        idle(1);
        clocks++;
    }
    /* holds route.map_write */
    tap_why("after %u clocks, expected 3", clocks);
    tap_ok(clocks == 3, "a write of the VC map is done three clocks later");
}

/* Bias and own place are registers: nothing waits, and no table changes at the index beside them. */
static void test_registers(void)
{
    static const unsigned kinds[] = {ROUTE_BIAS, ROUTE_HERE};

    for (unsigned i = 0; i < 2; i++) {
        struct head h = start_change(&CHANGES[1]);
        const int before = candidate_of(&h);

        ask(kinds[i], GROUP << 2, entry_of(1));
        idle(1);
        const bool held = dut.out.hold;
        idle(6);
        const int other = candidate_of(&h);
        h.mode = MODE_IN_ORDER;
        const int minimal = candidate_of(&h);
        tap_why("port %d before, %d after, %d of the minimal table, pause asked for %u, expected 0",
                before, other, minimal, held);
        tap_ok(before == 0 && !held && other == 0 && minimal == 0,
               "a write of %s leaves the tables alone", i == 0 ? "the bias" : "the own place");
    }
}

/* Where there are fewer than a head's VC field can name. */
static void test_absent_vc(void)
{
    struct misses wrong = {0};
    const struct head h = start_change(&CHANGES[0]);

    for (unsigned vc = 0; vc < 8; vc++) {
        write(ROUTE_VC_MAP, 0, vc);

        leads(&wrong, &h, vc < RTR_VCS ? 0 : -1, "VC", vc);
        if (vc < RTR_VCS)
            must_equal(&wrong, out.vc, vc, "VC");
        else
            must(&wrong, dut.out.no_route, "VC %u: dropped, expected reported too", vc);
    }
    /* holds route.absent_vc */
    tap_misses(&wrong, "the VC map: %u VCs are routed, any other drops the packet", RTR_VCS);
}

/* Of all candidates in full columns loads do not matter: minimal first, then the random bit. */
static void test_all_full(void)
{
    const struct head h = {.length = 1, .mode = MODE_ADAPTIVE0, .global = GROUP};
    unsigned times[2] = {0};
    struct misses wrong = {0};

    start(0, 0);
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        write(ROUTE_MINIMAL, index_of(0, GROUP, draw), entry_of(0));
        write(ROUTE_NONMINIMAL, index_of(0, GROUP, draw), entry_of(1));
    }
    in.load.request[0] = 63; /* of port 0 */
    for (unsigned all = 0; all < 2; all++) {
        in.full.full_request = all ? (rtr_cols)-1 : (rtr_cols)0;
        idle(1);
        leads(&wrong, &h, all ? 0 : 1, "all full", all);
    }
    for (unsigned draw = 0; draw < DRAWS; draw++)
        write(ROUTE_MINIMAL, index_of(0, GROUP, draw), pair_of(0, 1));
    for (unsigned i = 0; i < 200; i++)
        times[candidate_of(&h) == 1]++;
    must(&wrong, times[0] >= 50 && times[1] >= 50, "two minimal ones: %u and %u of 200", times[0],
         times[1]);
    /* holds route.all_full */
    tap_misses(&wrong, "all candidates in full columns are equal, whatever their loads");
}

/* ---- the draw ------------------------------------------------------------------------------------ */

/*
 * What adaptive packets draw in every clock from the first on: three bits, two that draw an entry and one that prefers a
 * candidate of it. seed: in the data of ROUTE_HERE, written behind the tables.
 */
static void draw(unsigned row, unsigned col, uint64_t seed, unsigned char *seq, unsigned length)
{
    const struct head h = {.length = 1, .mode = MODE_ADAPTIVE0, .global = GROUP};

    memset(seq, 0, length);
    for (unsigned pick = 0; pick < 2; pick++) {
        unsigned n = 0;

        start(row, col);
        for (unsigned i = 0; i < DRAWS; i++)
            write(ROUTE_MINIMAL, index_of(0, GROUP, i), pick ? pair_of(0, 1) : entry_of(i));
        write(ROUTE_HERE, 0, seed << 26);
        for (unsigned clocks = 0; n < length && clocks < length + 16; clocks++) {
            step(&h, true);
            if (out.valid)
                seq[n++] |= (unsigned char)(pick ? out.port << 2 : out.port);
        }
        tap_why("%u packets of %u, %u dropped", n, length, dropped);
        if (n != length || dropped != 0)
            tap_ok(false, "tile %u, %u: a packet out in every clock", row, col);
    }
}

/* The bits, three a clock, are a sequence of x^23 + x^5 + 1, which has 2^23 - 1 before it comes again. */
static void test_polynomial(void)
{
    static unsigned char seq[LENGTH];
    const unsigned bits = 3 * LENGTH;
    struct misses wrong = {0};
    unsigned period = 0;
    uint32_t state = 1;

    draw(0, 0, 0, seq, LENGTH);
    for (unsigned n = 23; n < bits; n++)
        must_equal(&wrong, seq[n / 3] >> n % 3 & 1,
                   (seq[(n - 18) / 3] >> (n - 18) % 3 ^ seq[(n - 23) / 3] >> (n - 23) % 3) & 1,
                   "bit %u of draw %u", n % 3, n / 3);
    /* holds route.sequence */
    tap_misses(&wrong, "draws follow the generator's polynomial, three bits a clock");
    do {
        state = state >> 1 | ((state ^ state >> 5) & 1) << 22;
        period++;
    } while (state != 1);
    tap_ok(period == (1U << 23) - 1 && period % 3 != 0, "which goes round in %u clocks", period);
}

/* How many standard deviations the pairs of two sequences are from 64 even counts (Wilson and Hilferty). */
static double uneven(const unsigned char *a, const unsigned char *b, unsigned length)
{
    const double freedom = 63, v = 2 / (9 * freedom), even = length / 64.0;
    unsigned count[64] = {0};
    double chi = 0;

    for (unsigned n = 0; n < length; n++)
        count[a[n] << 3 | b[n]]++;
    for (unsigned i = 0; i < 64; i++)
        chi += (count[i] - even) * (count[i] - even) / even;
    return (cbrt(chi / freedom) - (1 - v)) / sqrt(v);
}

/*
 * Draws of a tile one to four clocks apart, and of two tiles in the same clock and up to four apart: of one router, in different
 * ones at the same place, and in neighbouring ones with seeds that differ by one.
 */
static void test_pairs(void)
{
    enum { FAR = 4, TILES = RTR_ROWS * RTR_COLS, ROUTERS = 3, MOST = 6 };
    static unsigned char seq[ROUTERS][TILES][LENGTH];
    static const uint64_t seeds[ROUTERS] = {0, 1, 0x2c5a39};
    double own = 0, others = 0;
    unsigned pairs = 0;

    for (unsigned r = 0; r < ROUTERS; r++)
        for (unsigned t = 0; t < TILES; t++)
            draw(t / RTR_COLS, t % RTR_COLS, seeds[r], seq[r][t], LENGTH);
    for (unsigned i = 0; i < ROUTERS * TILES; i++) {
        const unsigned char *a = seq[i / TILES][i % TILES];

        for (unsigned k = 1; k <= FAR; k++)
            own = fmax(own, uneven(a, a + k, LENGTH - FAR));
        for (unsigned j = 0; j < ROUTERS * TILES; j++) {
            for (unsigned k = j > i ? 0 : 1; j != i && k <= FAR; k++, pairs++)
                others = fmax(others, uneven(a, seq[j / TILES][j % TILES] + k, LENGTH - FAR));
        }
    }
    tap_ok(own < MOST,
           "draws of a tile, entry and candidate, up to %d clocks apart: at most %.1f "
           "standard deviations off",
           FAR, own);
    /* holds route.begins */
    tap_ok(others < MOST, "draws of two tiles, %u pairs of tiles and clocks: at most %.1f", pairs,
           others);
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
    harness_clock = &now;
    test_reset();
    for (unsigned i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++)
        test_write(&CHANGES[i]);
    test_registers();
    test_map_write();
    test_absent_vc();
    test_all_full();
    test_polynomial();
    test_pairs();
    return tap_done();
}
