// SPDX-License-Identifier: Apache-2.0
/*
 * conform_router.c - what is checked of somebody's router, and the runs that do it: router_bench around the design, its
 * tables written over the register bus, the golden router beside it. Nothing but ports is looked at.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "router_ports.h"
#include "tb/base/harness.h"
#include "tb/conform/conform.h"
#include "tb/conform/foreign.h"
#include "tb/system/router/router_cases.h"

enum {
    RESET_CLOCKS = 10,
    LEARNS = 200, /* clocks that the design may take to learn of a dead port */
    DRAIN_LIMIT = 60000,
    SETTLE = 500,
};

enum router_check {
    CHECK_DELIVERY,
    CHECK_ORDER,
    CHECK_BODIES,
    CHECK_FRAMING,
    CHECK_MARKS,
    CHECK_ROUTES,
    CHECK_DROPS,
    CHECK_DEAD,
    CHECK_CREDITS,
    CHECK_ROOM,
    CHECK_REGISTERS,
    CHECK_EXACT,
    CHECKS,
};

static const struct conform_check checks[CHECKS] = {
    [CHECK_DELIVERY] = {"delivery", "each packet that has a route leaves once"},
    [CHECK_ORDER] = {"order", "packets of a flow leave in order where their mode promises it"},
    [CHECK_BODIES] = {"bodies", "flits leave unchanged but for VC, phase and hop list"},
    [CHECK_FRAMING] = {"framing",
                       "packets leave whole, none in between another, head and tail marked"},
    [CHECK_MARKS] = {"marks",
                     "a packet with a flit marked bad leaves marked at its tail, no other does"},
    [CHECK_ROUTES] = {"routes",
                      "packets leave at a candidate of the tables, with VC and phase of the map"},
    [CHECK_DROPS] =
        {"drops",
         "illegal heads and packets without a route never leave, and give their places back"},
    [CHECK_DEAD] = {"dead ports", "no packet takes a port that is dead"},
    [CHECK_CREDITS] = {"credits", "places of the input queue are given back once, all of them"},
    [CHECK_ROOM] = {"room", "packets are announced, and chosen only where there is room"},
    [CHECK_REGISTERS] = {"registers", "the register map is answered as documented"},
    [CHECK_EXACT] = {"exact", "every output is ours, clock by clock"},
};

/* ---- the design behind the structs of hls/ ------------------------------------------------------------- */

struct foreign {
    struct router_out out; /* first: it is what the bench reads */
    void *rtl;
    struct router native; /* with EXACT=yes */
    bool exact;
};

static void step_rtl(struct foreign *f, bool rst, const struct router_in *in, uint32_t *out)
{
    uint32_t words[(PORTS_IN_BITS + 31) / 32] = {0};
    ports_pack_in(in, words);
    foreign_step(f->rtl, rst, words, out);
}

/* Lockstep: the first output that differs. */
static void compare(const struct foreign *f, const uint32_t *out)
{
    uint32_t ours[(PORTS_OUT_BITS + 31) / 32] = {0};
    ports_pack_out(&f->native.out, ours);
    for (unsigned i = 0; i < sizeof ports_out / sizeof *ports_out; i++) {
        if (bits_same(ours, out, ports_out[i].lsb, ports_out[i].width))
            continue;
        conform_fails(CHECK_EXACT, *harness_clock, "%s is not as ours", ports_out[i].name);
        return;
    }
}

static void foreign_model_reset(void *self)
{
    static const struct router_in none;
    struct foreign *f = self;
    uint32_t out[(PORTS_OUT_BITS + 31) / 32 + 1];
    f->rtl = foreign_new("router");
    f->exact = conform_exact();
    for (unsigned i = 0; i < RESET_CLOCKS; i++)
        step_rtl(f, true, &none, out);
    ports_unpack_out(out, &f->out);
    if (f->exact)
        router_reset(&f->native);
}

static void foreign_model_step(void *self, const void *in)
{
    struct foreign *f = self;
    uint32_t out[(PORTS_OUT_BITS + 31) / 32 + 1];
    step_rtl(f, false, in, out);
    ports_unpack_out(out, &f->out);
    if (!f->exact)
        return;
    router(&f->native, in);
    compare(f, out);
}

static const struct dut_model foreign_model = {
    .size = sizeof(struct foreign), .reset = foreign_model_reset, .step = foreign_model_step};

/* ---- what the golden router and the accounts say --------------------------------------------------------- */

static struct router_bench b;
static struct router_bench_config config;

/* Counts of faults that were named before. */
static struct {
    uint64_t duplicated, corrupt, misrouted, reordered, wrong;
} named;

static bool says(const char *text)
{
    return strstr(b.golden.first_error, text) != NULL;
}

static void watch_golden(void)
{
    const struct golden_router *g = &b.golden;
    int check = -1;
    if (g->duplicated > named.duplicated)
        check = CHECK_DELIVERY;
    else if (g->corrupt > named.corrupt)
        check = says("wrong mark") ? CHECK_FRAMING : CHECK_BODIES;
    else if (g->misrouted > named.misrouted)
        check = g->dead ? CHECK_DEAD : CHECK_ROUTES;
    else if (g->reordered > named.reordered)
        check = CHECK_ORDER;
    else if (g->wrong > named.wrong)
        check = says("wrong mark") ? CHECK_FRAMING : says("dropped") ? CHECK_DROPS : CHECK_MARKS;
    named.duplicated = g->duplicated;
    named.corrupt = g->corrupt;
    named.misrouted = g->misrouted;
    named.reordered = g->reordered;
    named.wrong = g->wrong;
    const char *text = strstr(g->first_error, "port"); /* the clock is printed anyhow */
    if (check >= 0)
        conform_fails((unsigned)check, b.clock, "%s", text ? text : g->first_error);
}

static void watch_port(unsigned p)
{
    const struct port_source *source = &b.source[p];
    const struct port_sink *sink = &b.sink[p];
    if (source->credits.wrong)
        conform_fails(CHECK_CREDITS, b.clock,
                      "port %u gives back a place of VC %u that nobody has taken", p,
                      (unsigned)b.out->to_link[p].freed.vc);
    if (sink->charged.wrong)
        conform_fails(CHECK_ROOM, b.clock, "port %u has chosen a packet for which there is no room",
                      p);
    if (sink->unannounced)
        conform_fails(CHECK_ROOM, b.clock,
                      "port %u: the head %012" PRIx64 " was not announced by a start of its VC", p,
                      (uint64_t)b.out->to_link[p].flit);
}

static bool watch(struct router_bench *bench)
{
    (void)bench;
    watch_golden();
    for (unsigned p = 0; p < RTR_PORTS; p++)
        watch_port(p);
    if (b.unanswered)
        conform_fails(CHECK_REGISTERS, b.clock, "no answer on the register bus in 1000 clocks");
    return conform_clock(b.clock);
}

/* ---- runs ------------------------------------------------------------------------------------------------ */

static void start(uint64_t seed)
{
    config.model = &foreign_model;
    config.watch = watch;
    config.learns = LEARNS;
    memset(&named, 0, sizeof named);
    router_bench_start(&b, &config, seed);
}

static void name_lost(const struct golden_packet *lost)
{
    conform_fails(CHECK_DELIVERY, lost->clock,
                  "packet %012" PRIx64 " of %u flits came at port %u and never left: %" PRIu64
                  " are missing",
                  lost->head, lost->length, lost->input, golden_router_lost(&b.golden));
}

static void name_places(void)
{
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        const unsigned inside = credit_used(&b.source[p].credits),
                       ahead = credit_used(&b.sink[p].charged);
        const bool dropping = b.golden.illegal > 0 || b.golden.no_route > 0;
        if (inside)
            conform_fails(dropping ? CHECK_DROPS : CHECK_CREDITS, b.clock,
                          "port %u is empty, and %u places of its input queue never came back", p,
                          inside);
        if (ahead)
            conform_fails(CHECK_ROOM, b.clock, "port %u has announced %u packets that never came",
                          p, b.sink[p].starts);
    }
}

/* All packets leave, and all places come back. */
static void drain(void)
{
    router_bench_drain(&b, DRAIN_LIMIT);
    router_bench_run(&b, SETTLE);
    if (b.over)
        return;
    const struct golden_packet *lost = golden_router_oldest(&b.golden);
    if (lost)
        name_lost(lost);
    else
        name_places();
}

static void finish(void)
{
    if (!b.over)
        drain();
    router_bench_free(&b);
}

static void play_case(uint64_t seed, unsigned variant)
{
    const struct router_case *c = &router_cases[variant];
    struct rng r;
    rng_seed(&r, seed);
    router_case_configure(&config, c, &r);
    start(seed);
    router_case_run(&b, c, c->clocks * (RTR_PORTS < 16 ? 3 : 1));
    finish();
}

/* Each destination has one port, and all go there in order. */
static void one_route(uint64_t seed, unsigned modes)
{
    enum { CLOCKS = 4000 };
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        config.source[p].modes = modes;
        config.source[p].hashes = 5;
        config.source[p].bad = 0.02;
    }
    start(seed);
    const uint64_t before = b.golden.flits_out, began = b.clock;
    router_bench_run(&b, CLOCKS);
    if (!b.over && modes == 1 << PACKET_IN_ORDER)
        conform_figure("flits_per_clock_and_port", (double)(b.golden.flits_out - before) /
                                                       (double)(b.clock - began) / RTR_PORTS);
    finish();
}

/* Two ports lead to each destination; one of those dies, then another. */
static void dying(uint64_t seed, unsigned modes)
{
    enum { CLOCKS = 2000 };
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        router_bench_route(&config.plan, p)->minimal |= UINT64_C(1) << (p + 1) % RTR_PORTS;
        config.source[p].modes = modes;
        config.source[p].load = 0.6;
        config.source[p].hashes = 5;
    }
    start(seed);
    router_bench_run(&b, CLOCKS);
    router_bench_kill(&b, 1 << 1);
    router_bench_run(&b, CLOCKS);
    router_bench_kill(&b, 1 << 1 | 1 << 3);
    router_bench_run(&b, CLOCKS);
    finish();
}

/* A packet now and then: how long a head takes. */
static void idle(uint64_t seed, unsigned variant)
{
    (void)variant;
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++)
        config.source[p].load = 0.02;
    start(seed);
    router_bench_run(&b, 8000);
    if (!b.over && b.latency_count > 0)
        conform_figure("clocks_of_a_head", (double)b.latency_sum / (double)b.latency_count);
    finish();
}

/* ---- registers ------------------------------------------------------------------------------------------- */

static void expect(const char *name, unsigned port, unsigned reg, uint64_t due)
{
    const uint64_t got = b.over ? due : router_bench_read(&b, router_bench_address(port, reg));
    if (got != due && !b.over)
        conform_fails(CHECK_REGISTERS, b.clock,
                      "tile of port %u, %s (%03x) reads %" PRIx64 ", it should be %" PRIx64, port,
                      name, reg, got, due);
}

static void expect_counters(void)
{
    uint64_t illegal = 0, no_route = 0;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        for (unsigned vc = 0; vc < RTR_VCS; vc++)
            expect("incoming flits of a VC", p, RTR_REG_COUNTERS + RTR_INCOMING_FLIT_VC0 + vc,
                   b.golden.flits_in_vc[p][vc]);
        illegal += router_bench_read(&b, router_bench_address(p, RTR_REG_COUNTERS + RTR_ILLEGAL));
        no_route += router_bench_read(&b, router_bench_address(p, RTR_REG_COUNTERS + RTR_NO_ROUTE));
    }
    if (!b.over && illegal != b.golden.illegal)
        conform_fails(CHECK_REGISTERS, b.clock,
                      "%" PRIu64 " illegal packets counted, %" PRIu64 " came", illegal,
                      b.golden.illegal);
    if (!b.over && no_route != b.golden.no_route)
        conform_fails(CHECK_REGISTERS, b.clock,
                      "%" PRIu64 " packets without a route counted, %" PRIu64 " came", no_route,
                      b.golden.no_route);
}

static void registers(uint64_t seed, unsigned variant)
{
    (void)variant;
    router_bench_defaults(&config);
    router_bench_route(&config.plan, 0)->minimal = 0; /* nothing leads to destination 0 */
    for (unsigned p = 0; p < RTR_PORTS; p++)
        config.source[p].illegal = p % 2 ? 0.02 : 0;
    start(seed);
    router_bench_run(&b, 3000);
    if (!b.over && !router_bench_drain(&b, DRAIN_LIMIT)) {
        finish();
        return;
    }
    router_bench_run(&b, SETTLE);
    for (unsigned p = 0; p < RTR_PORTS; p++)
        expect("CONTROL", p, RTR_REG_CONTROL, p / RTR_COLS << 3 | p % RTR_COLS);
    expect_counters();
    const uint64_t first = router_bench_read(&b, router_bench_address(1, RTR_REG_FIRST_ERROR));
    if (!b.over && first >> 63 == 0)
        conform_fails(CHECK_REGISTERS, b.clock,
                      "tile of port 1 has refused packets and no first error");
    router_bench_write(&b, RTR_REG_ALL | RTR_REG_CONTROL, 1);
    router_bench_run(&b, SETTLE);
    for (unsigned p = 0; p < RTR_PORTS; p++)
        expect("a counter behind a clear", p, RTR_REG_COUNTERS, 0);
    if (!b.over && router_bench_read(&b, router_bench_address(1, RTR_REG_FIRST_ERROR)) >> 63)
        conform_fails(CHECK_REGISTERS, b.clock, "tile of port 1 has a first error behind a clear");
    finish();
}

/* ---- all of it ------------------------------------------------------------------------------------------- */

enum {
    PACKETS = 1 << CHECK_DELIVERY | 1 << CHECK_BODIES | 1 << CHECK_FRAMING | 1 << CHECK_ROUTES |
              1 << CHECK_CREDITS | 1 << CHECK_ROOM,
    ORDERED = 1 << PACKET_MIN_HASH | 1 << PACKET_IN_ORDER | 1 << PACKET_NMIN_HASH,
    ADAPTIVE = 1 << PACKET_ADAPTIVE0 | 1 << PACKET_ADAPTIVE1,
    MOST_RUNS = 32,
};

static struct conform_run runs[MOST_RUNS] = {
    {"one route each, in order", PACKETS | 1 << CHECK_ORDER | 1 << CHECK_MARKS, one_route,
     1 << PACKET_IN_ORDER},
    {"one route each, hashed", PACKETS | 1 << CHECK_ORDER | 1 << CHECK_MARKS, one_route, ORDERED},
    {"one route each, source-routed", PACKETS | 1 << CHECK_ORDER | 1 << CHECK_MARKS, one_route,
     1 << PACKET_SOURCE},
    {"a packet now and then, in order", PACKETS | 1 << CHECK_ORDER, idle, 0},
    {"ports die, hashed packets", 1 << CHECK_DEAD, dying, ORDERED},
    {"ports die, adaptive packets", 1 << CHECK_DEAD, dying, ADAPTIVE},
    {"registers", 1 << CHECK_REGISTERS | 1 << CHECK_DROPS, registers, 0},
};

int main(int argc, char **argv)
{
    unsigned n = 0;
    while (runs[n].name)
        n++;
    for (unsigned i = 0; i < router_cases_count && n < MOST_RUNS; i++)
        runs[n++] =
            (struct conform_run){router_cases[i].name, PACKETS | 1 << CHECK_ORDER, play_case, i};
    const struct conform_block block = {
        .name = "router", .checks = checks, .n_checks = CHECKS, .runs = runs, .n_runs = n};
    return conform_main(argc, argv, &block);
}
