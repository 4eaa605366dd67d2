// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_delivery.c - every packet once, whole, unchanged, at a port and on a VC that the plan allows, in
 * order where that is promised; all credits back; what is illegal or has no route counted and nothing else
 * touched.
 *
 * A case is a way to load the router or to hold it up. Each runs from reset, stops its sources, and must then be
 * empty. The router's own counters must agree with what went in. Together they are the soak of
 * build/reports/router-soak.json (other machines: router-soak-<machine>.json).
 *
 * CASE=n is that case alone, CLOCKS=n lets each run so long: build/bin/router-soak, without sanitizers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/router/router_bench.h"

enum {
    DRAIN_LIMIT = 60000,
    ALL_MODES = 0xff,
    ORDERED = 1 << PACKET_NMIN_HASH | 1 << PACKET_MIN_HASH | 1 << PACKET_IN_ORDER,
};

struct soak_case {
    const char *name;
    uint64_t clocks;
    double load, bubble;             /* 0 stands for saturated */
    double drain, ready;             /* 0 stands for at once, always */
    unsigned min_length, max_length; /* 0 stands for 1 to the longest */
    unsigned vcs, modes;             /* 0 stands for all */
    unsigned hot; /* all traffic goes to so many destinations; 0 stands for all */
    double bad, illegal;
    bool nowhere; /* one destination in four is known to no table */
    bool map;     /* a VC map drawn at random; else VC and phase stay */
    bool dying;   /* some ports die in the middle */
    bool blocked; /* some sinks take nothing in the first half */
    bool small;   /* sinks have room for hardly more than a packet per VC */
};

static const struct soak_case cases[] = {
    {.name = "saturated, all modes", .clocks = 1500},
    {.name = "a packet now and then", .clocks = 2500, .load = 0.1},
    {.name = "half loaded, bubbles in packets", .clocks = 1500, .load = 0.5, .bubble = 0.3},
    {.name = "slow sinks", .clocks = 1500, .drain = 0.3, .ready = 0.6},
    {.name = "small sinks", .clocks = 1500, .small = true, .drain = 0.7, .ready = 0.9},
    {.name = "one VC, slow links", .clocks = 1500, .vcs = 2, .ready = 0.5, .modes = ORDERED},
    {.name = "packets of one flit", .clocks = 1000, .min_length = 1, .max_length = 1},
    {.name = "the longest packets",
     .clocks = 1500,
     .min_length = RTR_PACKET,
     .max_length = RTR_PACKET},
    {.name = "three hot outputs", .clocks = 400, .hot = 3, .modes = ORDERED},
    {.name = "sinks that take nothing for a while", .clocks = 2500, .blocked = true},
    {.name = "any VC map", .clocks = 1500, .map = true, .ready = 0.8},
    {.name = "packets marked bad", .clocks = 1500, .bad = 0.2, .ready = 0.8},
    {.name = "illegal heads and unknown destinations",
     .clocks = 2000,
     .illegal = 0.05,
     .nowhere = true,
     .bad = 0.05,
     .load = 0.8},
    {.name = "nothing but illegal heads and unknown destinations",
     .clocks = 1000,
     .illegal = 1,
     .nowhere = true},
    {.name = "ports die", .clocks = 2500, .dying = true, .load = 0.7},
    {.name = "everything at once",
     .clocks = 2500,
     .bubble = 0.05,
     .drain = 0.6,
     .ready = 0.8,
     .bad = 0.05,
     .illegal = 0.02,
     .nowhere = true,
     .map = true,
     .dying = true},
    {.name = "packets of one flit, small sinks",
     .clocks = 1000,
     .min_length = 1,
     .max_length = 1,
     .small = true,
     .drain = 0.7,
     .ready = 0.9},
};

static struct router_bench b;
static struct router_bench_config config;

static struct {
    uint64_t clocks, packets, lost, duplicated, corrupt, misrouted, reordered;
} soak;

/*
 * Three minimal routes to every destination, with two steps a fourth in another row of the same column, and a
 * non-minimal one; some destinations on our own router. No two of them are among dying_ports().
 */
static void plan_routes(struct golden_plan *p, struct rng *r)
{
    static const unsigned minimal[] = {0, 2, 19, RTR_TWO_STEP ? 3 * RTR_COLS : 0};
    for (unsigned d = 0; d < RTR_PORTS; d++) {
        struct golden_route *route = router_bench_route(p, d);
        for (unsigned i = 0; i < sizeof minimal / sizeof *minimal; i++)
            route->minimal |= UINT64_C(1) << (d + minimal[i]) % RTR_PORTS;
        route->nonminimal = UINT64_C(1) << (d + 5) % RTR_PORTS;
        p->type[d] = (uint8_t)(RTR_TWO_STEP ? d % RTR_COLS % PLAN_TYPES : rng_below(r, PLAN_TYPES));
    }
    for (unsigned sub = 0; sub < 1u << p->machine->field[PACKET_SUB].width; sub++)
        p->here[sub].minimal = UINT64_C(1) << (sub + 1) % RTR_PORTS;
}

static void plan_map(struct golden_plan *p, struct rng *r)
{
    const unsigned phases = 1u << p->machine->field[PACKET_PHASE].width;
    for (unsigned i = 0; i < 2 * PLAN_TYPES * PLAN_VCS * PLAN_PHASES; i++)
        (&p->vc_map[0][0][0][0])[i] =
            (struct golden_hop){(uint8_t)rng_below(r, RTR_VCS), (uint8_t)rng_below(r, phases)};
}

static double or_one(double x)
{
    return x > 0 ? x : 1;
}

static void configure_source(struct source_config *s, const struct soak_case *c)
{
    const struct golden_machine *m = config.plan.machine;
    s->load = or_one(c->load);
    s->bubble = c->bubble;
    if (c->max_length) {
        s->min_length = c->min_length;
        s->max_length = c->max_length;
    }
    s->vcs = c->vcs ? c->vcs : s->vcs;
    s->modes = c->modes ? c->modes : ALL_MODES;
    s->phases = (1u << (1u << m->field[PACKET_PHASE].width)) - 1;
    s->hashes = 7;
    s->bad = c->bad;
    s->illegal = c->illegal;
    if (c->hot)
        s->places = c->hot;
    /* the routers that this one is: by sub */
    s->place[s->places - 1].place = packet_set(m, 0, PACKET_GLOBAL, config.plan.global) |
                                    packet_set(m, 0, PACKET_LOCAL, config.plan.local);
    s->place[s->places - 1].place >>= m->field[PACKET_PLACE].lsb;
    s->place[s->places - 1].any = packet_set(m, 0, PACKET_SUB, 3) >> m->field[PACKET_PLACE].lsb;
}

static void configure(const struct soak_case *c, struct rng *r)
{
    router_bench_defaults(&config);
    plan_routes(&config.plan, r);
    if (c->map)
        plan_map(&config.plan, r);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        struct sink_config *sink = &config.sink[p];
        configure_source(&config.source[p], c);
        sink->drain = or_one(c->drain);
        sink->ready = or_one(c->ready);
        if (c->small) {
            sink->guaranteed = RTR_PACKET;
            sink->shared = RTR_PACKET + 2;
        }
        if (c->nowhere && p % 4 == 0)
            *router_bench_route(&config.plan, p) = (struct golden_route){0};
        config.bias[p % 4] = (uint8_t)(p % 4 * 5);
    }
}

/* Ports of which no two stand in one entry of a table. */
static uint64_t dying_ports(void)
{
    uint64_t dead = 0;
    for (unsigned p = 1; p + 6 < RTR_PORTS; p += 11)
        dead |= UINT64_C(1) << p;
    return RTR_PORTS < 8 ? 1 : dead;
}

/* Source-routed packets go nowhere near a port that will die, and no destination has that port alone. */
static void spare(uint64_t dead)
{
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        config.source[p].hops &= ~dead;
        config.source[p].places -= 1; /* our own router: one port per sub */
    }
}

static void block(bool now)
{
    for (unsigned p = 0; p < RTR_PORTS; p += 5)
        b.sink[p].config.drain = now ? 0 : 1;
}

static void run(const struct soak_case *c, uint64_t clocks)
{
    if (c->blocked)
        block(true);
    router_bench_run(&b, clocks / 2);
    if (c->blocked)
        block(false);
    if (c->dying)
        router_bench_kill(&b, dying_ports());
    router_bench_run(&b, clocks / 2);
}

/* The router's counters against what went in and came out. */
static bool counters_agree(void)
{
    const struct golden_router *g = &b.golden;
    uint64_t flits = 0, counted = 0;
    for (unsigned v = 0; v < RTR_VCS; v++) {
        counted += router_bench_count(&b, RTR_INCOMING_FLIT_VC0 + v);
        for (unsigned p = 0; p < RTR_PORTS; p++)
            flits += g->flits_in_vc[p][v];
    }
    const struct {
        const char *name;
        uint64_t is, due;
    } counts[] = {
        {"flits", counted, flits},
        {"illegal packets", router_bench_count(&b, RTR_ILLEGAL), g->illegal},
        {"packets without a route", router_bench_count(&b, RTR_NO_ROUTE), g->no_route},
        {"non-minimal packets", router_bench_count(&b, RTR_NONMINIMAL), g->nonminimal},
        {"corrected errors", router_bench_count(&b, RTR_CORRECTED), 0},
        {"fatal errors", router_bench_count(&b, RTR_FATAL), 0},
    };
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i].is == counts[i].due)
            continue;
        tap_why("%" PRIu64 " %s counted, %" PRIu64 " were there", counts[i].is, counts[i].name,
                counts[i].due);
        return false;
    }
    return true;
}

static void add_up(void)
{
    const struct golden_router *g = &b.golden;
    soak.clocks += b.clock;
    soak.packets += g->packets_in;
    soak.lost += golden_router_lost(g);
    soak.duplicated += g->duplicated;
    soak.corrupt += g->corrupt;
    soak.misrouted += g->misrouted;
    soak.reordered += g->reordered;
}

static void run_case(const struct soak_case *c, uint64_t clocks, uint64_t seed)
{
    struct rng r;
    rng_seed(&r, seed);
    configure(c, &r);
    if (c->dying)
        spare(dying_ports());
    router_bench_start(&b, &config, seed);
    run(c, clocks);
    const bool drained = router_bench_drain(&b, DRAIN_LIMIT);
    router_bench_run(&b, 40); /* every counter has had its turn, and nothing comes late */
    const struct golden_router *g = &b.golden;
    const bool busy = c->illegal >= 1 ? g->illegal > 500 : g->packets_out > 500;
    tap_why("%s, %" PRIu64 " packets are still inside",
            drained ? "hardly any traffic" : "not drained", golden_router_lost(g));
    const bool right = drained && busy && router_bench_clean(&b) && counters_agree();
    tap_ok(right, "delivery: %s", c->name);
    tap_note("%" PRIu64 " clocks, %" PRIu64 " packets in, %" PRIu64 " out, %" PRIu64
             " non-minimal, %" PRIu64 " illegal, %" PRIu64
             " without a route, latency %.1f, at most %" PRIu64,
             b.clock, g->packets_in, g->packets_out, g->nonminimal, g->illegal, g->no_route,
             b.latency_count ? (double)b.latency_sum / (double)b.latency_count : 0.0,
             b.latency_most);
    add_up();
    router_bench_free(&b);
}

static void report(const char *path, const struct golden_machine *m)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "machine", m->name);
    cJSON_AddNumberToObject(json, "clocks", (double)soak.clocks);
    cJSON_AddNumberToObject(json, "packets", (double)soak.packets);
    cJSON_AddNumberToObject(json, "lost", (double)soak.lost);
    cJSON_AddNumberToObject(json, "duplicated", (double)soak.duplicated);
    cJSON_AddNumberToObject(json, "corrupt", (double)soak.corrupt);
    cJSON_AddNumberToObject(json, "misrouted", (double)soak.misrouted);
    cJSON_AddNumberToObject(json, "reordered", (double)soak.reordered);
    report_write(path, json);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    const unsigned count = sizeof cases / sizeof *cases;
    const uint64_t only = test_number(argc, argv, "CASE", count); /* count: all of them */
    const uint64_t clocks = test_number(argc, argv, "CLOCKS", 0); /* 0: as long as usual */
    tap_ok(only <= count, "there is such a case");
    for (unsigned i = 0; i < count; i++) {
        const uint64_t usual = cases[i].clocks * (RTR_PORTS < 16 ? 10 : 1);
        if (only == count || only == i)
            run_case(&cases[i], clocks ? clocks : usual, seed + i);
    }
    const struct golden_machine *m = router_bench_machine();
    const bool main_machine = strcmp(m->name, "aries") == 0;
    char usual[80];
    snprintf(usual, sizeof usual, "build/reports/router-soak%s%s.json", main_machine ? "" : "-",
             main_machine ? "" : m->name);
    report(test_argument(argc, argv, "JSON", usual), m);
    return tap_done();
}
