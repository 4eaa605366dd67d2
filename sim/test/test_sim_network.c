// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_network.c - networks of native routers: every packet arrives once, whole and where it should, at any
 * load, with link control blocks on bad cables too; what the dependency graph says of a broken VC map happens.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/harness.h"
#include "sim/net/deadlock.h"
#include "sim/engine/network.h"
#include "sim/test/fixture.h"

static uint64_t clock_now, seed;

static struct net_config config(enum pattern pattern, enum routing routing, double load)
{
    struct net_config c = {
        .bias = 16,
        .seed = seed,
        .traffic = {
            .pattern = pattern, .routing = routing, .load = load, .shortest = 2, .longest = 14}};
    for (unsigned k = 0; k < NET_KINDS; k++)
        c.delay[k] = 10;
    return c;
}

static struct network *start(const struct tables *tables, const struct net_config *c)
{
    clock_now = 0;
    return net_new(router_model_of(tables->topology->machine), tables, c);
}

static bool run(struct network *n, uint64_t clocks)
{
    struct progress progress;
    progress_start(&progress, "network", clocks, seed);
    for (uint64_t i = 0; i < clocks; i++, clock_now++) {
        net_clock(n);
        if (net_stalled(n))
            return false;
        if (i % 256 == 0)
            progress_show(&progress, i);
    }
    return true;
}

/* ---- delivery --------------------------------------------------------------------------------- */

struct run {
    const char *topology;
    enum pattern pattern;
    enum routing routing;
    double load;
    uint64_t clocks;
    double accepted; /* at least, flits per clock and processor port */
    bool lcb;
    double ber;
    unsigned longest; /* flits; 1: all packets have one; 0: 2 to 14 */
    bool responds;
};

static void delivery(const struct run *r)
{
    struct topology *t = build(r->topology);
    const struct tables tables = tables_computed(t);
    struct net_config c = config(r->pattern, r->routing, r->load);
    c.lcb = r->lcb;
    c.ber = r->ber;
    c.traffic.responds = r->responds;
    c.traffic.shortest = r->longest ? 1 : 2;
    c.traffic.longest = r->longest ? r->longest : 14;
    c.traffic.flows = traffic_flows(r->pattern, t, seed, NULL);
    struct network *n = start(&tables, &c);
    const bool runs = run(n, r->clocks / 4);
    net_measure(n);
    const bool good = runs && run(n, r->clocks);
    const struct net_stats s = net_stats(n);
    const double accepted = (double)s.accepted / (double)(s.clocks ? s.clocks : 1) / net_sources(n);
    const bool drained = good && net_drain(n, 50000);
    const struct net_stats end = net_stats(n);
    tap_why("accepted %.3f, %" PRIu64 " of %" PRIu64 " delivered, %" PRIu64 " wrong: %s", accepted,
            end.delivered, end.made, end.wrong, net_complaint(n));
    tap_ok(drained && end.wrong == 0 && end.in_flight == 0 && end.delivered > 100 &&
               end.made == end.delivered + end.waiting && accepted >= r->accepted &&
               s.median <= s.p99 && s.p99 <= s.p999 && s.p999 <= s.worst + s.worst / 64,
           "%s%s%s%s, %s, %s at %.2f, %" PRIu64 " clocks: %" PRIu64
           " packets sent, all arrive; accepted %.3f",
           r->topology,
           r->ber > 0 ? " with LCBs and bit errors"
           : r->lcb   ? " with LCBs"
                      : "",
           r->longest == 1 ? ", packets of one flit"
           : r->longest    ? ", from one flit on"
                           : "",
           r->responds ? ", requests and responses" : "", pattern_names[r->pattern],
           routing_names[r->routing], r->load, s.clocks, end.delivered, accepted);
    net_free(n);
    flows_free(&c.traffic.flows);
    topo_free(t);
}

/* Who sends to whom: a permutation without fixed points, neighbours that know each other, everybody in turn. */
static void flows(const char *name)
{
    struct topology *t = build(name);
    const struct flows one = traffic_flows(PATTERN_PERMUTED, t, seed, NULL);
    const struct flows six = traffic_flows(PATTERN_HALO, t, seed, NULL);
    const struct traffic all = {.pattern = PATTERN_ALL_TO_ALL};
    struct sim_random random = {seed};
    unsigned wrong = 0, *count = calloc(t->nodes, sizeof *count);
    if (!count)
        exit(EXIT_FAILURE);
    for (unsigned n = 0; n < t->nodes; n++) {
        wrong += one.first[n + 1] != n + 1 || one.to[n] == n;
        count[one.to[n]]++;
        for (unsigned k = six.first[n]; k < six.first[n + 1]; k++) {
            const unsigned peer = six.to[k];
            unsigned back = 0;
            for (unsigned i = six.first[peer]; i < six.first[peer + 1]; i++)
                back += six.to[i] == n;
            wrong += peer == n || back == 0;
        }
        for (unsigned k = 0; k + 1 < t->nodes; k++)
            count[traffic_destination(&all, t, n, k, &random)] += n == 0;
    }
    for (unsigned n = 0; n < t->nodes; n++)
        wrong += count[n] != 1 + (n != 0);
    tap_ok(wrong == 0 && six.first[t->nodes] > 2 * t->nodes,
           "%s: permuted, halo and all-to-all are what they are called", name);
    free(count);
    flows_free((struct flows *)&one);
    flows_free((struct flows *)&six);
    topo_free(t);
}

/* Clock by clock and in windows of any size the same happens: sums, latencies, flits of every cable. */
static void windows(const char *name, bool lcb, unsigned longest, bool responds, const char *delay)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    struct net_config c = config(PATTERN_UNIFORM, ROUTING_ADAPTIVE, 0.4);
    struct net_stats stats[3];
    unsigned differ = 0;
    c.lcb = lcb;
    c.ber = lcb ? 1e-4 : 0;
    c.traffic.shortest = longest == 1 ? 1 : 2;
    c.traffic.longest = longest;
    c.traffic.responds = responds;
    for (unsigned k = 0; k < NET_KINDS; k++)
        c.delay[k] = (unsigned)delay[k % 2];
    uint64_t *flits = sim_alloc((size_t)t->routers * MACHINE_PORTS, sizeof *flits);
    for (unsigned step = 0; step < 3; step++) {
        static const uint64_t clocks[] = {1, 7, 1500};
        struct network *n = start(&tables, &c);
        for (uint64_t at = 0; at < 1500; at += clocks[step])
            net_run(n, clocks[step] < 1500 - at ? clocks[step] : 1500 - at);
        stats[step] = net_stats(n);
        for (unsigned i = 0; i < t->routers * MACHINE_PORTS; i++) {
            const uint64_t now = net_port_flits(n, i / MACHINE_PORTS, i % MACHINE_PORTS);
            differ += step > 0 && now != flits[i];
            flits[i] = now;
        }
        differ += step > 0 && memcmp(&stats[0], &stats[step], sizeof *stats) != 0;
        net_free(n);
    }
    tap_why("%u differ", differ);
    tap_ok(differ == 0 && stats[0].delivered > 20 && stats[0].wrong == 0,
           "%s%s, packets of up to %u flits%s: clock by clock and in windows the same", name,
           lcb ? " with bit errors" : "", longest, responds ? ", responses" : "");
    free(flits);
    topo_free(t);
}

/* An idle network: routers take at most 20 clocks, cables 10. */
static void latency(const char *name, unsigned links)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    const struct net_config c = config(PATTERN_UNIFORM, ROUTING_MINIMAL, 0.01);
    struct network *n = start(&tables, &c);
    run(n, 4000);
    const struct net_stats s = net_stats(n);
    const double mean = s.packets ? (double)s.latency / (double)s.packets : 0;
    const double most = (links + 1) * 21.0 + links * 10.0 + 8;
    tap_why("%.1f clocks", mean);
    tap_ok(s.packets > 20 && mean <= most, "%s, idle: mean latency %.1f clocks, at most %.0f", name,
           mean, most);
    net_free(n);
    topo_free(t);
}

/* Links that flits to the next group cross, of a machine whose groups are several chassis: least <= mean <= most. */
static void links(const char *name, enum routing mode, double least, double most)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    const struct net_config c = config(PATTERN_NEIGHBOUR, mode, 0.1);
    struct network *n = start(&tables, &c);
    run(n, 300);
    net_measure(n);
    run(n, 400);
    const struct net_stats s = net_stats(n);
    const double mean = s.accepted ? (double)s.hops / (double)s.accepted : 0;
    tap_ok(mean >= least && mean <= most, "%s, %s, to the next group: %.2f links, %.0f to %.0f",
           name, mode == ROUTING_MINIMAL ? "minimal" : "non-minimal", mean, least, most);
    net_free(n);
    topo_free(t);
}

/* ---- what is broken is seen ------------------------------------------------------------------- */

static struct hop same_vc(const struct topology *t, unsigned router, unsigned port, bool nonminimal,
                          unsigned type, unsigned vc, unsigned phase)
{
    (void)t, (void)router, (void)port, (void)nonminimal, (void)type, (void)phase;
    return (struct hop){vc, 0};
}

/* A ring of seven in y where everything goes round one way; types as torus.c has them. */
static void (*torus_candidates)(const struct topology *t, const struct question *q,
                                struct candidate_list *list);

static void one_way(const struct topology *t, const struct question *q, struct candidate_list *list)
{
    enum { SIZE = 7, Y_PLUS_COL = 4, GO_ON = 0, CROSS = 1, ENTER_BEFORE = 2, ENTER_AFTER = 3 };
    const unsigned at = t->here[q->router].global, to = q->index - t->machine->fars;
    const bool enters = t->ports[q->router][q->port].kind == PORT_PROCESSOR;
    if (q->local)
        torus_candidates(t, q, list);
    else if (to < SIZE && to != at && !q->nonminimal)
        topo_add(list, Y_PLUS_COL, 0x0F,
                 !enters                     ? at == SIZE - 1 ? CROSS : GO_ON
                 : to < at && at != SIZE - 1 ? ENTER_BEFORE
                                             : ENTER_AFTER);
}

/* Without the dateline the graph has a cycle, and the ring comes to a stand; with it neither. */
static void dateline(bool broken)
{
    struct topology *t = build("torus:1x7x1");
    struct deadlock d = {0};
    char error[TABLES_ERROR] = "";
    torus_candidates = t->candidates;
    t->candidates = one_way;
    t->hop = broken ? same_vc : t->hop;
    const struct tables tables = tables_computed(t);
    const bool good = deadlock_check(&tables, 0, &d, error);
    struct net_config c = config(PATTERN_UNIFORM, ROUTING_ADAPTIVE, 1);
    c.alike = true; /* else the ring is never so full that it stops */
    struct network *n = start(&tables, &c);
    const bool runs = run(n, 6000) && net_drain(n, 400000);
    tap_why("%s%" PRIu64 " cycles, %s", error, d.cycles, runs ? "drained" : "stalled");
    tap_ok(good && runs == !broken && (d.cycles != 0) == broken,
           "a ring %s the dateline: %" PRIu64 " cycles in the graph, and it %s",
           broken ? "without" : "with", d.cycles, runs ? "goes on" : "stalls");
    net_free(n);
    topo_free(t);
}

/*
 * Requests that cause responses: a NIC with responses that wait takes no requests. On VCs of their own the responses get away; on
 * those of the requests they wait for each other in a circle through the NICs.
 */
static void responses(const char *name, enum routing mode, bool alike, bool broken)
{
    struct topology *t = build(name);
    t->first_vc[1] = broken ? t->first_vc[0] : t->first_vc[1];
    const struct tables tables = tables_computed(t);
    struct net_config c = config(PATTERN_UNIFORM, mode, 1);
    c.bias = 0; /* any way that is the least less loaded: all VCs are full */
    c.alike = alike;
    c.traffic.responds = true;
    struct network *n = start(&tables, &c);
    const bool runs = run(n, 12000);
    const struct net_stats s = net_stats(n);
    tap_why("%s, %" PRIu64 " delivered, %" PRIu64 " wrong: %s", runs ? "runs" : "stalled",
            s.delivered, s.wrong, net_complaint(n));
    tap_ok(runs == !broken && s.wrong == 0 && s.delivered > 100,
           "%s, %s, %s, requests and responses on %s VCs at offered 1: %s", name,
           routing_names[mode], alike ? "all packets alike" : "packets in transit first",
           broken ? "the same" : "their own", broken ? "the network stalls" : "it goes on");
    net_free(n);
    topo_free(t);
}

/* Ejection ports of the other pair of NICs. */
static void misplace(const struct topology *t, const struct question *q,
                     struct candidate_list *list)
{
    (void)q;
    topo_add_ports(t, list, UINT64_C(0xFF) << 40, 0);
}

static void wrong_place(void)
{
    struct topology *t = build("dragonfly:1x1x1");
    t->candidates = misplace;
    const struct tables tables = tables_computed(t);
    const struct net_config c = config(PATTERN_UNIFORM, ROUTING_MINIMAL, 0.3);
    struct network *n = start(&tables, &c);
    run(n, 500);
    const struct net_stats s = net_stats(n);
    tap_why("%" PRIu64 " wrong: %s", s.wrong, net_complaint(n));
    tap_ok(s.wrong > 0 && strstr(net_complaint(n), "another place"),
           "packets that come out at another NIC's port are seen");
    net_free(n);
    topo_free(t);
}

/* ---- past saturation --------------------------------------------------------------------------- */

/* Flits that one processor port takes in a clock, of adaptive packets to the next group. */
static double accepted_at(const struct tables *tables, double load, bool alike)
{
    struct net_config c = config(PATTERN_NEIGHBOUR, ROUTING_ADAPTIVE, load);
    c.alike = alike;
    struct network *n = start(tables, &c);
    run(n, 1500);
    net_measure(n);
    run(n, 1500);
    const double accepted = (double)net_stats(n).accepted / 1500 / net_sources(n);
    net_free(n);
    return accepted;
}

/* Packets in transit first: a network takes at offered 0.5 no less than where it saturates; if all are alike it collapses. */
static void collapse(const char *name, double peak)
{
    struct topology *t = build(name);
    const struct tables tables = tables_computed(t);
    for (unsigned alike = 0; alike < 2; alike++) {
        const double first = accepted_at(&tables, peak, alike);
        const double last = accepted_at(&tables, 0.5, alike);
        tap_ok(alike ? last < 0.7 * first : last >= 0.95 * first,
               "%s, %s: accepted %.3f at offered %.2f, %.3f at 0.50", name,
               alike ? "all packets alike" : "packets in transit first", first, peak, last);
    }
    topo_free(t);
}

/* ---- configuration bus ------------------------------------------------------------------------ */

static void write_by_bus(const struct router_model *m, void *router, unsigned port,
                         enum memory memory, unsigned index, uint64_t word)
{
    struct wires_in in[MACHINE_PORTS] = {0};
    struct wires_out out[MACHINE_PORTS];
    struct bus bus = {.valid = true,
                      .write = true,
                      .address = m->machine->route_address(port, memory),
                      .data = m->machine->route_data(memory, index, word)};
    for (unsigned i = 0; i < 100 && !bus.ready; i++)
        m->clock(router, in, out, &bus);
    bus.valid = false;
    for (unsigned i = 0; i < 4; i++) /* until it stands in the VC map */
        m->clock(router, in, out, &bus);
}

/* Words written over the bus stand where the network puts them without it. */
static void bus(const char *name)
{
    struct topology *t = build(name);
    const struct router_model *m = router_model_of(t->machine);
    const struct tables tables = tables_computed(t);
    void *router = calloc(1, m->size);
    unsigned port = 0, wrong = 0, words = 0;
    while (t->ports[0][port].kind != PORT_PROCESSOR)
        port++;
    if (!router)
        exit(EXIT_FAILURE);
    m->reset(router);
    for (unsigned k = 0; k < 4; k++) {
        const enum memory memory = k & 1 ? MEMORY_NONMINIMAL : MEMORY_MINIMAL;
        for (unsigned index = 0; index < tables.indices[k >> 1]; index++) {
            uint64_t entry[MACHINE_DRAWS];
            const struct question q = {0, port, k & 1, k >> 1, index, 0};
            tables_entries(&tables, &q, entry);
            for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++, words++) {
                const unsigned at = m->machine->entry_at(q.local, index, draw);
                write_by_bus(m, router, port, memory, at, entry[draw]);
                wrong += m->read(router, port, memory, at) != entry[draw];
            }
        }
    }
    for (unsigned i = 0; i < TABLES_MAP; i += 7, words++) {
        write_by_bus(m, router, port, MEMORY_VC_MAP, i, tables_map(&tables, 0, port, i));
        wrong += m->read(router, port, MEMORY_VC_MAP, i) != tables_map(&tables, 0, port, i);
    }
    write_by_bus(m, router, port, MEMORY_BIAS, 0, 16);
    wrong += m->read(router, port, MEMORY_BIAS, 0) != 16;
    write_by_bus(m, router, port, MEMORY_HERE, 0, 21);
    wrong += m->read(router, port, MEMORY_HERE, 0) != 21;
    write_by_bus(m, router, port, MEMORY_FIRST, 0, 5);
    wrong += m->read(router, port, MEMORY_FIRST, 0) != 5;
    tap_why("%u of %u wrong", wrong, words);
    tap_ok(wrong == 0 && words > 50, "%s: %u words over the configuration bus stand in their place",
           name, words);
    free(router);
    topo_free(t);
}

int main(int argc, char **argv)
{
    static const struct run runs[] = {
        {"dragonfly:2x1x2x2", PATTERN_UNIFORM, ROUTING_ADAPTIVE, 0.1, 3000, 0.09, false, 0, 0,
         false},
        {"dragonfly:2x1x2x2", PATTERN_NEIGHBOUR, ROUTING_ADAPTIVE, 1, 3000, 0.15, false, 0, 0,
         false},
        {"dragonfly:3x2x1x1", PATTERN_UNIFORM, ROUTING_NONMINIMAL, 1, 800, 0.04, false, 0, 0,
         false},
        {"dragonfly:1x2x3", PATTERN_HOTSPOT, ROUTING_NONMINIMAL, 0.6, 1000, 0.1, false, 0, 0,
         false},
        {"dragonfly:2x2x2x4", PATTERN_COMPLEMENT, ROUTING_ORDERED, 0.9, 500, 0.1, false, 0, 0,
         false},
        {"dragonfly:9x1x4x2", PATTERN_NEIGHBOUR, ROUTING_ADAPTIVE, 0.1, 1500, 0.085, false, 0, 0,
         false},
        {"dragonfly16:9x1x4x2", PATTERN_NEIGHBOUR, ROUTING_ADAPTIVE, 0.2, 1500, 0.17, false, 0, 0,
         false},
        {"dragonfly16:3x1x9x4", PATTERN_UNIFORM, ROUTING_ADAPTIVE, 1, 1000, 0.5, false, 0, 0,
         false},
        {"dragonfly16:3x1x2x2", PATTERN_UNIFORM, ROUTING_NONMINIMAL, 1, 1500, 0.03, true, 1e-4, 0,
         false},
        {"torus:3x2x2", PATTERN_UNIFORM, ROUTING_ADAPTIVE, 1, 1000, 0.9, false, 0, 0, false},
        {"torus:9x2x1", PATTERN_UNIFORM, ROUTING_ORDERED, 0.2, 600, 0.15, false, 0, 0, false},
        {"torus:5x1x1", PATTERN_COMPLEMENT, ROUTING_MINIMAL, 1, 3000, 0.35, false, 0, 0, false},
        {"clos:1x16", PATTERN_UNIFORM, ROUTING_ADAPTIVE, 1, 3000, 0.85, false, 0, 0, false},
        {"clos:1.5x3x8x8", PATTERN_UNIFORM, ROUTING_SPLIT, 1, 3000, 0.75, false, 0, 0, false},
        {"clos:2x4x8x4", PATTERN_HOTSPOT, ROUTING_SPLIT, 0.5, 2000, 0.2, false, 0, 0, false},
        {"clos:2.5x2x2x4x2", PATTERN_UNIFORM, ROUTING_ADAPTIVE, 1, 2000, 0.42, false, 0, 0, false},
        {"clos:3x2x2x4x1", PATTERN_UNIFORM, ROUTING_SPLIT, 1, 600, 0.19, false, 0, 0, false},
        {"clos:3.5x2x2x2x2x1", PATTERN_UNIFORM, ROUTING_SPLIT, 1, 600, 0.36, false, 0, 0, false},
        {"dragonfly:2x1x2x2", PATTERN_UNIFORM, ROUTING_ADAPTIVE, 1, 4000, 0.16, true, 0, 0, false},
        {"dragonfly:3x2x1x1", PATTERN_UNIFORM, ROUTING_NONMINIMAL, 1, 1500, 0.03, true, 1e-4, 0,
         false},
        {"dragonfly:2x1x2x2", PATTERN_UNIFORM, ROUTING_ADAPTIVE, 1, 6000, 0.17, false, 0, 0, false},
        {"dragonfly:3x1x4x2", PATTERN_ANYWHERE, ROUTING_ADAPTIVE, 0.2, 1000, 0.19, false, 0, 1,
         false},
        {"dragonfly:2x1x2x2", PATTERN_PERMUTED, ROUTING_ADAPTIVE, 1, 2000, 0.1, false, 0, 14,
         false},
        {"dragonfly:3x1x4x2", PATTERN_ALL_TO_ALL, ROUTING_ADAPTIVE, 1, 800, 0.1, false, 0, 0, true},
        {"dragonfly:3x2x1x1", PATTERN_HALO, ROUTING_NONMINIMAL, 1, 1500, 0.03, false, 0, 2, true},
        {"torus:3x2x2", PATTERN_UNIFORM, ROUTING_ADAPTIVE, 1, 1000, 0.7, false, 0, 0, true},
        {"clos:2x4x8x4", PATTERN_UNIFORM, ROUTING_SPLIT, 1, 1500, 0.3, false, 0, 0, true},
    };
    seed = test_seed(argc, argv);
    harness_clock = &clock_now;
    windows("dragonfly:3x1x4x2", false, 14, false, "\12\12");
    windows("dragonfly16:5x1x3x2", false, 14, false, "\12\3");
    windows("dragonfly:2x2x2x2", true, 14, true, "\7\36");
    windows("dragonfly:2x1x2x2", false, 1, false, "\3\12");
    windows("torus:3x2x2", false, 9, true, "\2\61");
    windows("clos:2x4x8x4", false, 2, false, "\1\5");
    latency("dragonfly:2x1x1x1", 1);
    latency("torus:2x1x1", 1);
    latency("clos:2x2x4x2", 2);
    links("dragonfly:8x2x4", ROUTING_MINIMAL, 1, 5);
    links("dragonfly:12x2x4", ROUTING_NONMINIMAL, 6, 7); /* seed 000: most are six or seven */
    bus("dragonfly:2x1x2x2");
    bus("dragonfly16:2x1x2x2");
    bus("torus:2x2x2");
    bus("clos:2x3x4x2");
    wrong_place();
    responses("dragonfly:2x1x2x2", ROUTING_ADAPTIVE, false, true);
    responses("dragonfly:2x1x2x2", ROUTING_ADAPTIVE, false, false);
    responses("dragonfly:3x2x2x2", ROUTING_ADAPTIVE, false, false); /* all levels of VCs */
    responses("dragonfly:3x2x2x2", ROUTING_NONMINIMAL, true, false);
    responses("dragonfly16:3x1x4x2", ROUTING_NONMINIMAL, false, false);
    responses("clos:2x4x4x4", ROUTING_SPLIT, false, false);
    flows("dragonfly:3x1x4x2");
    flows("torus:3x2x2");
    dateline(true);
    dateline(false);
    collapse("dragonfly:3x2x2x2", 0.15);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        delivery(&runs[i]);
    return tap_done();
}
