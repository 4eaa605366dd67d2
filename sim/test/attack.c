// SPDX-License-Identifier: Apache-2.0
/*
 * attack.c - breaks and mends; and judges what came of it.
 */
#include "sim/test/attack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/net/families.h"

enum { SILENCE = 200, PATIENCE = 100000, TRAFFIC = 1500, QUIET = 1000, SOON = 6000, STILL = 500 };

void attack_begin(struct attack *a, const char *name, bool lcb, uint64_t seed)
{
    char error[TOPO_ERROR];
    *a = (struct attack){.topology = topo_parse(name, error), .good = true};
    if (!a->topology)
        sim_fail("%s", error);
    struct net_config c = {.bias = 16,
                           .lcb = lcb,
                           .seed = seed,
                           .traffic = {.pattern = PATTERN_UNIFORM,
                                       .routing = ROUTING_ADAPTIVE,
                                       .load = 0.05,
                                       .shortest = 2,
                                       .longest = 14}};
    for (unsigned k = 0; k < NET_KINDS; k++)
        c.delay[k] = 10;
    a->tables = tables_computed(a->topology);
    a->network = net_new(router_model_of(a->topology->machine), &a->tables, &c);
    faults_begin(a->network, SILENCE);
    supervisor_begin(&a->supervisor, a->network, a->topology, 0, 2, c.bias,
                     (struct link_limits){ATTACK_RETRY, ATTACK_TRAIN});
}

void attack_step(struct attack *a)
{
    net_run(a->network, ATTACK_STEP);
    a->good = a->good && supervisor_step(&a->supervisor);
}

void attack_steps(struct attack *a, uint64_t clocks)
{
    for (uint64_t i = 0; i < clocks && a->good; i += ATTACK_STEP)
        attack_step(a);
}

void attack_until(struct attack *a, enum supervisor_state state)
{
    for (unsigned i = 0; i < SOON / ATTACK_STEP && a->good && a->supervisor.state != state; i++)
        attack_step(a);
}

static bool rests(const struct attack *a)
{
    const struct supervisor *s = &a->supervisor;
    return s->state == SUPERVISOR_WATCHES && s->times.detected >= s->news &&
           faults_deaf_ends(a->network) == 0;
}

void attack_rest(struct attack *a)
{
    unsigned i = 0, still = 0;
    while (i < PATIENCE / ATTACK_STEP && a->good && still < STILL / ATTACK_STEP) {
        attack_step(a);
        still = rests(a) ? still + 1 : 0;
        i += !supervisor_busy(&a->supervisor); /* words take as long as there are many */
    }
    a->good = a->good && still == STILL / ATTACK_STEP;
}

unsigned attack_cable(const struct attack *a, unsigned router, bool global, unsigned n)
{
    const struct topology *t = a->topology;
    for (unsigned p = 0; p < t->machine->ports; p++) {
        const int32_t peer = t->ports[router][p].router;
        if (peer != TOPO_NOBODY && (t->here[peer].global != t->here[router].global) == global &&
            n-- == 0)
            return p;
    }
    return MACHINE_PORTS;
}

void attack_cut_off(struct attack *a, unsigned router)
{
    for (unsigned n = 0; attack_cable(a, router, true, n) != MACHINE_PORTS; n++)
        faults_cut(a->network, router, attack_cable(a, router, true, n));
}

void attack_replace(struct attack *a, unsigned router)
{
    bool *routers = calloc(a->topology->routers, sizeof *routers);
    if (!routers)
        exit(EXIT_FAILURE);
    faults_replace(a->network, router);
    routers[router] = true;
    supervisor_replaced(&a->supervisor, routers);
    free(routers);
}

unsigned attack_down(const struct attack *a)
{
    unsigned count = 0;
    for (unsigned n = 0; n < a->topology->nodes; n++)
        count += a->supervisor.down[n];
    return count;
}

/* Nodes begin nothing until nothing arrives any more, for longer than a link may try. */
static void drain(struct attack *a)
{
    uint64_t arrived, again = 0;
    faults_hold(a->network, true);
    do {
        arrived = net_stats(a->network).accepted;
        net_run(a->network, QUIET + ATTACK_RETRY * ATTACK_TRAIN);
    } while (net_stats(a->network).accepted != arrived && ++again < 100);
}

/* Nodes that are down, although their routers live and are not named as given up. */
static unsigned unnamed(const struct attack *a)
{
    const struct supervisor *s = &a->supervisor;
    unsigned count = 0;
    for (unsigned n = 0; n < a->topology->nodes; n++) {
        const unsigned router = a->topology->node[n].router;
        count += s->down[n] && !faults_dead(a->network, router) &&
                 !(s->tables && s->tables->gone[router]);
    }
    return count;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static uint64_t places(const struct losses *l)
{
    return l->cable + l->port + l->router + l->dropped;
}

struct attack_verdict attack_verdict(struct attack *a)
{
    struct network *n = a->network;
    drain(a);
    const struct losses before = faults_losses(n);
    faults_hold(n, false);
    net_measure(n);
    attack_steps(a, TRAFFIC);
    const uint64_t accepted = net_stats(n).accepted;
    drain(a);
    const uint64_t dropped = a->good ? supervisor_dropped(&a->supervisor) : 0;
    const struct net_stats s = net_stats(n);
    const struct losses l = faults_losses(n);
    struct attack_verdict v = {.rests = a->good,
                               .accepted = accepted,
                               .lost = places(&l),
                               .later = places(&l) - places(&before),
                               .wrong = s.wrong,
                               .down = attack_down(a),
                               .unnamed = unnamed(a),
                               .unaccounted =
                                   apart(s.in_flight, places(&l)) + apart(l.missing, places(&l)) +
                                   (l.dropped > dropped ? l.dropped - dropped : 0) + l.unreported};
    snprintf(v.why, sizeof v.why,
             "%s; supervisor %u, %" PRIu64
             " accepted, %u of %u nodes down, %u unnamed; in flight %" PRIu64 ", lost %" PRIu64
             ", %" PRIu64 " of them at rest, missing %" PRIu64 ", dropped %" PRIu64 " and %" PRIu64
             ", %" PRIu64 " flits not reported, %" PRIu64 " wrong: %s%s",
             a->good ? "rests" : "does not rest", a->supervisor.state, accepted, v.down,
             a->topology->nodes, v.unnamed, s.in_flight, v.lost, v.later, l.missing, l.dropped,
             dropped, l.unreported, s.wrong, a->supervisor.error, net_complaint(n));
    return v;
}

/* Nodes that are up stand at two routers or more: uniform traffic is for other routers alone. */
static bool has_pairs(const struct attack *a)
{
    const struct topology *t = a->topology;
    unsigned first = t->routers;
    for (unsigned n = 0; n < t->nodes; n++) {
        if (a->supervisor.down[n])
            continue;
        if (first < t->routers && t->node[n].router != first)
            return true;
        first = t->node[n].router;
    }
    return false;
}

bool attack_withstood(const struct attack *a, const struct attack_verdict *v)
{
    const bool carries = v->accepted > 0 || !has_pairs(a);
    return v->rests && carries && v->unaccounted == 0 && v->wrong == 0 && v->later == 0 &&
           v->unnamed == 0 && a->supervisor.cycles == 0;
}

void attack_end(struct attack *a)
{
    supervisor_free(&a->supervisor);
    net_free(a->network);
    tables_free(&a->tables);
    topo_free(a->topology);
}

void attack_judge(struct attack *a, unsigned nodes_down, const char *what)
{
    const struct attack_verdict v = attack_verdict(a);
    tap_why("%s", v.why);
    tap_ok(attack_withstood(a, &v) && v.down == nodes_down,
           "%s: %" PRIu64 " packets lost, all accounted for; %u of %u nodes down", what, v.lost,
           v.down, a->topology->nodes);
    attack_end(a);
}
