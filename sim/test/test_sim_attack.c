// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_attack.c - what breaks while the supervisor is at work on what broke before: links that flap, a second failure in each of
 * its states, its own router, a network cut in two, parts that come back while others die. Each time it must come to rest,
 * every packet must be accounted for, none arrive twice or elsewhere, and what is left must carry traffic without loss.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/failover/supervisor.h"
#include "tb/base/harness.h"

enum { STEP = 10, PATIENCE = 150000, TRAFFIC = 1500, QUIET = 1000, SOON = 6000 };

/* Somebody who breaks and mends, step by step. */
struct attack {
    struct topology *topology;
    struct tables tables;
    struct network *network;
    struct supervisor supervisor;
    uint64_t lost_before; /* the last phase, in which nothing may be lost */
    bool good;
};

static void begin(struct attack *a, const char *name, uint64_t seed)
{
    char error[TOPO_ERROR];
    *a = (struct attack){.topology = topo_parse(name, error), .good = true};
    if (!a->topology)
        exit(EXIT_FAILURE);
    struct net_config c = {.bias = 16,
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
    faults_begin(a->network, 200);
    supervisor_begin(&a->supervisor, a->network, a->topology, 0, 2, c.bias);
}

static void step(struct attack *a)
{
    net_run(a->network, STEP);
    a->good = a->good && supervisor_step(&a->supervisor);
}

static void steps(struct attack *a, uint64_t clocks)
{
    for (uint64_t i = 0; i < clocks && a->good; i += STEP)
        step(a);
}

/* Until the supervisor is in this state, if it comes there soon. */
static void until(struct attack *a, enum supervisor_state state)
{
    for (unsigned i = 0; i < SOON / STEP && a->good && a->supervisor.state != state; i++)
        step(a);
}

/* Until it has come to rest: everybody knows of what broke, and no news is left to be looked at. */
static void rest(struct attack *a)
{
    const struct supervisor *s = &a->supervisor;
    unsigned i = 0;
    steps(a, 500);
    while (i++ < PATIENCE / STEP && a->good &&
           (s->state != SUPERVISOR_WATCHES || s->times.detected < s->news ||
            faults_deaf_ends(a->network) > 0))
        step(a);
    a->good = a->good && i < PATIENCE / STEP;
}

/* The n-th cable of a router to another group, or in its group. */
static unsigned cable(const struct attack *a, unsigned router, bool global, unsigned n)
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

/* All its cables to other groups. */
static void cut_off(struct attack *a, unsigned router)
{
    for (unsigned n = 0; cable(a, router, true, n) != MACHINE_PORTS; n++)
        faults_cut(a->network, router, cable(a, router, true, n));
}

static void replace(struct attack *a, unsigned router)
{
    bool *routers = calloc(a->topology->routers, sizeof *routers);
    if (!routers)
        exit(EXIT_FAILURE);
    faults_replace(a->network, router);
    routers[router] = true;
    supervisor_replaced(&a->supervisor, routers);
    free(routers);
}

static unsigned down(const struct attack *a)
{
    unsigned count = 0;
    for (unsigned n = 0; n < a->topology->nodes; n++)
        count += a->supervisor.down[n];
    return count;
}

/* Nothing may be lost any more; then the books are closed. */
static void judge(struct attack *a, unsigned nodes_down, const char *what)
{
    struct network *n = a->network;
    const struct losses before = faults_losses(n);
    uint64_t arrived, again = 0;
    net_measure(n);
    steps(a, TRAFFIC);
    const uint64_t accepted = net_stats(n).accepted;
    faults_hold(n, true);
    do {
        arrived = net_stats(n).accepted;
        net_run(n, QUIET);
    } while (net_stats(n).accepted != arrived && ++again < 100);
    const uint64_t dropped = a->good ? supervisor_dropped(&a->supervisor) : 0;
    const struct net_stats s = net_stats(n);
    const struct losses l = faults_losses(n);
    const uint64_t places = l.cable + l.port + l.router + l.dropped;
    tap_why("%s; supervisor %u, %" PRIu64 " accepted, %u of %u nodes down; in flight %" PRIu64
            ", lost %" PRIu64 ", missing %" PRIu64 ", dropped %" PRIu64 " and %" PRIu64 ", %" PRIu64
            " wrong: %s%s",
            a->good ? "rests" : "does not rest", a->supervisor.state, accepted, down(a),
            a->topology->nodes, s.in_flight, places, l.missing, l.dropped, dropped, s.wrong,
            a->supervisor.error, net_complaint(n));
    tap_ok(a->good && accepted > 0 && down(a) == nodes_down && s.wrong == 0 &&
               s.in_flight == places && l.missing == places && l.dropped <= dropped &&
               l.cable == before.cable && l.router == before.router && a->supervisor.cycles == 0,
           "%s: %" PRIu64 " packets lost, all accounted for; %u of %u nodes down", what, places,
           down(a), a->topology->nodes);
    supervisor_free(&a->supervisor);
    net_free(n);
    tables_free(&a->tables);
    topo_free(a->topology);
}

#define NETWORK "dragonfly16:3x1x4x2"

/* A cable that comes and goes, in each state of the supervisor. */
static void flaps(uint64_t seed)
{
    struct attack a;
    begin(&a, NETWORK, seed);
    const unsigned own = cable(&a, 5, false, 1);
    steps(&a, 1000);
    cut_off(&a, 5);
    faults_cut(a.network, 5, own);
    for (unsigned i = 0; i < 3; i++) {
        until(&a, SUPERVISOR_HOLDS);
        faults_mend(a.network, 5, own);
        steps(&a, 300);
        faults_cut(a.network, 5, own);
        until(&a, SUPERVISOR_WRITES);
        faults_mend(a.network, 5, own);
        steps(&a, 100 + 200 * i);
        until(&a, SUPERVISOR_WATCHES);
        faults_cut(a.network, 5, cable(&a, 9, false, i));
    }
    rest(&a);
    judge(&a, 0, "a cable that flaps while tables are made");
}

/* Routers die one after the other, the next when the supervisor holds, or writes, for the one before. */
static void one_after_the_other(uint64_t seed)
{
    struct attack a;
    begin(&a, NETWORK, seed);
    steps(&a, 1000);
    faults_kill(a.network, 5);
    until(&a, SUPERVISOR_HOLDS);
    faults_kill(a.network, 6);
    until(&a, SUPERVISOR_WRITES);
    faults_kill(a.network, 9);
    faults_cut(a.network, 2, cable(&a, 2, false, 0));
    rest(&a);
    judge(&a, 12, "routers that die while tables are made, and while they are written");
}

/* The router where heartbeats go. */
static void home_dies(uint64_t seed)
{
    struct attack a;
    begin(&a, NETWORK, seed);
    steps(&a, 1000);
    faults_kill(a.network, 0);
    rest(&a);
    const bool moved = a.supervisor.home != 0;
    steps(&a, 12000);
    a.good = a.good && moved && a.supervisor.again == 0;
    judge(&a, 4, "the supervisor's own router dies: heartbeats go to another");
}

/* The group of the supervisor, and one router of it alone. */
static void cut_in_two(uint64_t seed, bool alone)
{
    struct attack a;
    begin(&a, NETWORK, seed);
    steps(&a, 1000);
    for (unsigned r = 0; r < 4; r++) {
        if (!alone)
            cut_off(&a, r);
        for (unsigned i = 0; alone && r == 0 && cable(&a, 0, i / 8, i % 8) != MACHINE_PORTS; i++)
            faults_cut(a.network, 0, cable(&a, 0, i / 8, i % 8));
    }
    if (alone)
        cut_off(&a, 0);
    rest(&a);
    judge(&a, alone ? 4 : 16,
          alone ? "the supervisor's own router is cut off" : "a network cut in two");
}

/* One comes back while another dies, then that too. */
static void comes_back(uint64_t seed)
{
    struct attack a;
    begin(&a, NETWORK, seed);
    steps(&a, 1000);
    faults_kill(a.network, 5);
    rest(&a);
    faults_kill(a.network, 10);
    until(&a, SUPERVISOR_HOLDS);
    replace(&a, 5);
    until(&a, SUPERVISOR_WRITES);
    until(&a, SUPERVISOR_WATCHES);
    steps(&a, 500);
    replace(&a, 10);
    steps(&a, 200);
    faults_kill(a.network, 5);
    rest(&a);
    steps(&a, 2000);
    replace(&a, 5);
    rest(&a);
    steps(&a, 25000);
    rest(&a);
    judge(&a, 0, "a router comes back while another dies");
}

/* Tables as long as those of a large network: the new router takes longer for its words than links may take to train. */
static void slow_bus(uint64_t seed)
{
    enum { READS = 4000 };
    static struct request reads[READS];
    struct attack a;
    begin(&a, NETWORK, seed);
    steps(&a, 1000);
    faults_kill(a.network, 5);
    rest(&a);
    for (unsigned i = 0; i < READS; i++)
        reads[i].address = a.topology->machine->dropped_address(0);
    replace(&a, 5);
    faults_ask(a.network, 5, reads, READS);
    rest(&a);
    judge(&a, 0, "a new router that takes long to be written");
}

/* Cables and a router of a torus or a Clos; back: the router comes back. */
static void others(const char *name, unsigned cables, unsigned router, bool back, uint64_t seed)
{
    struct attack a;
    struct sim_random random = {seed};
    char what[100];
    begin(&a, name, seed);
    steps(&a, 1000);
    for (unsigned i = 0; i < cables;) {
        const unsigned r = sim_below(&random, a.topology->routers);
        const unsigned p = sim_below(&random, a.topology->machine->ports);
        if (a.topology->ports[r][p].router == TOPO_NOBODY)
            continue;
        faults_cut(a.network, r, p);
        i++;
    }
    steps(&a, 300);
    faults_kill(a.network, router);
    rest(&a);
    steps(&a, 1000);
    const unsigned lost = down(&a);
    if (back) {
        replace(&a, router);
        rest(&a);
        steps(&a, 25000);
        rest(&a);
    }
    snprintf(what, sizeof what, "%s without %u cables and router %u, %u nodes down%s", name, cables,
             router, lost, back ? "; it comes back" : "");
    a.good = a.good && lost <= a.topology->nodes / 2;
    judge(&a, back ? 0 : lost, what);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    flaps(seed);
    one_after_the_other(seed + 1);
    home_dies(seed + 2);
    cut_in_two(seed + 3, false);
    cut_in_two(seed + 4, true);
    comes_back(seed + 5);
    slow_bus(seed + 10);
    others("clos:2x4x4x4", 2, 3, true, seed + 6);
    others("clos:2x4x4x4", 3, 5, false, seed + 7);
    others("clos:2.5x2x4x4x4", 6, 9, false, seed + 8);
    others("torus:4x3x2", 10, 7, false, seed + 9);
    return tap_done();
}
