// SPDX-License-Identifier: Apache-2.0
/*
 * router_cases.c - the table of cases, and what each means for plan, sources and sinks; router_cases.h says what for.
 */
#include "tb/system/router/router_cases.h"

enum {
    ALL_MODES = 0xff,
    SHORTEST =
        RTR_LENGTH_BITS ? 1 : 2, /* flits: where the end frames a packet has a head and an end */
    ORDERED = 1 << PACKET_NMIN_HASH | 1 << PACKET_MIN_HASH | 1 << PACKET_IN_ORDER,
};

const struct router_case router_cases[] = {
    {.name = "saturated, all modes", .clocks = 1500},
    {.name = "a packet now and then", .clocks = 4000, .load = 0.1},
    {.name = "half loaded, bubbles in packets", .clocks = 1500, .load = 0.5, .bubble = 0.3},
    {.name = "slow sinks", .clocks = 1500, .drain = 0.3, .ready = 0.6},
    {.name = "small sinks", .clocks = 1500, .small = true, .drain = 0.7, .ready = 0.9},
    {.name = "one VC, slow links", .clocks = 1500, .vcs = 2, .ready = 0.5, .modes = ORDERED},
    {.name = "the shortest packets",
     .clocks = 1000,
     .min_length = SHORTEST,
     .max_length = SHORTEST},
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
    {.name = "the shortest packets, small sinks",
     .clocks = 1000,
     .min_length = SHORTEST,
     .max_length = SHORTEST,
     .small = true,
     .drain = 0.7,
     .ready = 0.9},
#if RTR_LENGTH_BITS == 0
    {.name = "copies with transmit errors", .clocks = 2500, .cut = 0.3},
    {.name = "copies and bubbles, hardly loaded",
     .clocks = 3000,
     .cut = 0.5,
     .load = 0.2,
     .bubble = 0.3},
    {.name = "copies with wrong heads", .clocks = 2500, .cut = 0.5, .wrong = 0.7},
    {.name = "copies with wrong heads, slow sinks",
     .clocks = 3000,
     .cut = 0.8,
     .wrong = 0.5,
     .drain = 0.3,
     .ready = 0.6},
    {.name = "copies without end, sinks that take nothing for a while",
     .clocks = 6000,
     .cut = 0.95,
     .wrong = 0.3,
     .blocked = true},
    {.name = "copies of the shortest packets, small sinks",
     .clocks = 2000,
     .cut = 0.5,
     .wrong = 0.3,
     .min_length = SHORTEST,
     .max_length = SHORTEST + 1,
     .small = true,
     .drain = 0.7},
    {.name = "copies and everything at once",
     .clocks = 3000,
     .cut = 0.4,
     .wrong = 0.4,
     .bubble = 0.05,
     .drain = 0.6,
     .ready = 0.8,
     .bad = 0.05,
     .illegal = 0.02,
     .nowhere = true,
     .map = true,
     .dying = true},
#endif
};
const unsigned router_cases_count = sizeof router_cases / sizeof *router_cases;

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

static void configure_source(struct source_config *s, const struct golden_plan *plan,
                             const struct router_case *c)
{
    const struct golden_machine *m = plan->machine;
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
    s->cut = c->cut;
    s->wrong = c->wrong;
    if (c->hot)
        s->places = c->hot;
    /* the routers that this one is: by sub */
    s->place[s->places - 1].place =
        packet_set(m, 0, PACKET_GLOBAL, plan->global) | packet_set(m, 0, PACKET_LOCAL, plan->local);
    s->place[s->places - 1].place >>= m->field[PACKET_PLACE].lsb;
    s->place[s->places - 1].any = packet_set(m, 0, PACKET_SUB, 3) >> m->field[PACKET_PLACE].lsb;
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
static void spare(struct router_bench_config *config, uint64_t dead)
{
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        config->source[p].hops &= ~dead;
        config->source[p].places -= 1; /* our own router: one port per sub */
    }
}

void router_case_configure(struct router_bench_config *config, const struct router_case *c,
                           struct rng *r)
{
    router_bench_defaults(config);
    plan_routes(&config->plan, r);
    if (c->map)
        plan_map(&config->plan, r);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        struct sink_config *sink = &config->sink[p];
        configure_source(&config->source[p], &config->plan, c);
        sink->drain = or_one(c->drain);
        sink->ready = or_one(c->ready);
        if (c->small) {
            sink->guaranteed = RTR_PACKET;
            sink->shared = RTR_PACKET + 2;
        }
        if (c->nowhere && p % 4 == 0)
            *router_bench_route(&config->plan, p) = (struct golden_route){0};
        config->bias[p % 4] = (uint8_t)(p % 4 * 5);
    }
    if (c->dying)
        spare(config, dying_ports());
}

static void block(struct router_bench *b, bool now)
{
    for (unsigned p = 0; p < RTR_PORTS; p += 5)
        b->sink[p].config.drain = now ? 0 : 1;
}

void router_case_run(struct router_bench *b, const struct router_case *c, uint64_t clocks)
{
    if (c->blocked)
        block(b, true);
    router_bench_run(b, clocks / 2);
    if (c->blocked)
        block(b, false);
    if (c->dying)
        router_bench_kill(b, dying_ports());
    router_bench_run(b, clocks / 2);
}
