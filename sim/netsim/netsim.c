// SPDX-License-Identifier: Apache-2.0
/*
 * netsim.c - build/bin/netsim: latency and accepted load over offered load, of a whole network.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/whole.h"
#include "sim/checks.h"
#include "sim/netsim/measure.h"
#include "sim/netsim/options.h"
#include "sim/ranks/checkpoint.h"
#include "sim/ranks/launch.h"
#include "sim/walk.h"

/* ---- running ---------------------------------------------------------------------------------- */

/* Every destination must be there in every table that a packet may meet. */
static void check_tables(const struct tables *tables)
{
    const struct topology *t = tables->topology;
    char error[TABLES_ERROR];
    unsigned longest;
    for (unsigned n = 0; n < t->nodes; n++)
        if (!walk_paths(tables, n, false, &longest, error))
            sim_fail("tables: %s", error);
}

static void print_point(const struct plot_point *p, unsigned seeds)
{
    char latency[24], spread[40] = "";
    snprintf(latency, sizeof latency, p->packets ? "%.1f" : "-", p->latency);
    if (seeds > 1)
        snprintf(spread, sizeof spread, "  %.3f to %.3f", p->least, p->most);
    printf("%8.3f %9.3f %10s %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7.2f %10" PRIu64
           "%s\n",
           p->offered, p->accepted, latency, p->median, p->p99, p->p999, p->worst, p->links,
           p->packets, spread);
    fflush(stdout);
}

/* What one seed measured, into the point of its load. */
static void add(struct plot_point *p, const struct net_stats *s, unsigned sources, unsigned seeds)
{
    const double ports = (double)sources * (double)(s->clocks ? s->clocks : 1);
    const double accepted = (double)s->accepted / ports;
    const uint64_t packets = p->packets + s->packets;
    if (packets)
        p->latency = ((p->packets ? p->latency * (double)p->packets : 0) + (double)s->latency) /
                     (double)packets;
    p->packets = packets;
    p->offered += (double)s->offered / ports / seeds;
    p->accepted += accepted / seeds;
    p->least = accepted < p->least ? accepted : p->least;
    p->most = accepted > p->most ? accepted : p->most;
    p->links += s->accepted ? (double)s->hops / (double)s->accepted / seeds : 0;
    p->worst = s->worst > p->worst ? s->worst : p->worst;
}

static void look_at_cables(const struct network *n, const struct topology *t, uint64_t clocks,
                           struct plot_cables *cables)
{
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < cables->ports; p++)
            cables->load[(size_t)r * cables->ports + p] =
                t->ports[r][p].router == TOPO_NOBODY
                    ? -1
                    : (double)net_port_flits(n, r, p) / (double)(clocks ? clocks : 1);
}

/* A sum over who sends to whom, where that is a list. */
static uint64_t sum_of_flows(const struct traffic *f, const struct topology *t)
{
    uint64_t sum = 0;
    for (unsigned i = 0; f->flows.first && i < f->flows.first[t->nodes]; i++)
        sum = (sum ^ f->flows.to[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* What has to be the same when a run goes on. */
static void describe(const struct options *o, const struct topology *t, struct checkpoint *c)
{
    const struct net_config *n = &o->net;
    snprintf(
        c->run, sizeof c->run,
        "%s, %s, %s, flits %u-%u, responses %d, load %.17g, clocks %" PRIu64 ", seed %" PRIu64
        ", delay %.60s, bias %.60s, priority %d, lcb %d, ber %.17g, tables %.60s, flows %" PRIx64,
        t->name, pattern_names[n->traffic.pattern], routing_names[n->traffic.routing],
        n->traffic.shortest, n->traffic.longest, n->traffic.responds, o->loads[0], o->clocks,
        n->seed, o->delay, o->bias ? o->bias : "own", !n->alike, n->lcb, n->ber,
        o->tables ? o->tables : "own", sum_of_flows(&n->traffic, t));
    for (char *at = c->run; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = '?';
}

struct saver {
    const struct options *options;
    struct checkpoint checkpoint;
    uint64_t since, done; /* clocks since the last one; of the window, when we looked last */
};

static void save_now_and_then(void *self, struct network *n, struct measure *m)
{
    struct saver *s = self;
    s->since += m->done - (m->done > s->done ? s->done : 0);
    s->done = m->done;
    if (s->since < s->options->every)
        return;
    s->since = 0;
    checkpoint_save(n, s->options->checkpoint, &s->checkpoint);
}

/* One load with one seed; false if the network lost something or stood still. */
static bool run_seed(const struct options *o, const struct tables *tables, unsigned seed,
                     struct plot_point *point, struct plot_cables *cables)
{
    struct net_config config = o->net;
    struct measure m = {0};
    struct saver saver = {.options = o, .checkpoint = {.progress = &m, .size = sizeof m}};
    const struct measure_watch watch = {&saver, save_now_and_then};
    config.traffic.load = point->load;
    config.seed = o->net.seed + seed;
    describe(o, tables->topology, &saver.checkpoint);
    struct network *n = net_new(router_model_of(tables->topology->machine), tables, &config);
    if (o->resume)
        checkpoint_load(n, o->resume, &saver.checkpoint);
    saver.done = m.done;
    const bool runs =
        measure_warm_up(n, &m, o->clocks, point->load, o->checkpoint ? &watch : NULL) &&
        measure_run(n, &m, o->clocks, "measuring", point->load, o->checkpoint ? &watch : NULL);

    const struct net_stats s = net_stats(n);
    add(point, &s, net_sources(n), o->seeds);
    net_latencies(n, point->bins);
    point->warmup = m.warmup > point->warmup ? m.warmup : point->warmup;
    net_gather(n);
    look_at_cables(n, tables->topology, s.clocks, cables);
    if (!runs && !sim_follows)
        fprintf(stderr,
                "netsim: stalled: %" PRIu64 " packets in flight, none arrived for %d clocks\n",
                s.in_flight, NET_STALL);
    const char *complaint = net_complaint(n);
    if (s.wrong && !sim_follows)
        fprintf(stderr, "netsim: %" PRIu64 " errors, the first: %s\n", s.wrong, complaint);
    net_free(n);
    return runs && s.wrong == 0;
}

/* One load with all seeds. */
static bool run_load(const struct options *o, const struct tables *tables, double load,
                     struct plot_point *point, struct plot_cables *cables)
{
    bool good = true;
    *point = (struct plot_point){.load = load, .latency = NAN, .least = INFINITY};
    for (unsigned seed = 0; seed < o->seeds && good; seed++)
        good = run_seed(o, tables, seed, point, cables);
    point->median = net_percentile(point->bins, 0.5, point->worst);
    point->p99 = net_percentile(point->bins, 0.99, point->worst);
    point->p999 = net_percentile(point->bins, 0.999, point->worst);
    print_point(point, o->seeds);
    return good;
}

static void write_tables(const struct options *o, const struct tables *tables)
{
    char error[TABLES_ERROR];
    if (!tables_write(tables, o->write_tables, error))
        sim_fail("%s", error);
    printf("%s\n", o->write_tables);
}

static void write_reports(const struct options *o, const struct plot *plot,
                          const struct plot_cables *cables, uint64_t packets)
{
    if (packets == 0)
        sim_fail("no packet of the measured clocks arrived, so there is no report; ask for more "
                 "clocks or load");
    if (!plot_json(plot, o->json))
        sim_fail("%s: cannot write the report: %s", o->json, strerror(errno));
    printf("%s\n", o->json);
    if (!plot_svg(plot, o->svg))
        sim_fail("%s: gnuplot could not make the plot", o->svg);
    printf("%s\n", o->svg);
    if (!plot_html(plot, cables, o->html))
        sim_fail("%s: gnuplot could not make its plots", o->html);
    printf("%s\n", o->html);
    if (!o->map)
        return;
    if (!plot_map(cables, o->map))
        sim_fail("%s: gnuplot could not make the map of cables", o->map);
    printf("%s\n", o->map);
}

static bool run_all(const struct options *o, const struct tables *tables)
{
    const struct topology *t = tables->topology;
    struct plot plot = {.title = t->name,
                        .machine = t->machine->name,
                        .pattern = pattern_names[o->net.traffic.pattern],
                        .mode = routing_names[o->net.traffic.routing],
                        .seed = o->net.seed,
                        .seeds = o->seeds,
                        .clocks = o->clocks};
    struct plot_cables cables = {.routers = t->routers, .ports = t->machine->ports};
    cables.load = sim_alloc((size_t)t->routers * cables.ports, sizeof *cables.load);
    uint64_t packets = 0;
    bool good = true;
    printf("%s: %u %s routers, %u nodes; %s, %s, seed %" PRIu64 "\n", t->name, t->routers,
           t->machine->name, t->nodes, plot.pattern, plot.mode, o->net.seed);
    printf("%8s %9s %10s %7s %7s %7s %7s %7s %10s%s\n", "offered", "accepted", "latency", "median",
           "99 %", "99.9 %", "worst", "links", "packets",
           o->seeds > 1 ? "  accepted, by seed" : "");
    for (unsigned i = 0; i < o->load_count && good; i++) {
        good = run_load(o, tables, o->loads[i], &plot.point[i], &cables);
        packets += plot.point[plot.points++].packets;
    }
    if (!sim_follows)
        write_reports(o, &plot, &cables, packets);
    free(cables.load);
    uint64_t failed = sim_failed_checks;
    o->net.ranks->sum(&failed, 1);
    return good && failed == 0;
}

/* What the command line and the topology do not fit together in, before anything runs. */
static void check_network(const struct options *o, const struct topology *t, unsigned ranks)
{
    const struct router_model *model = router_model_of(t->machine);
    struct ranks many = *o->net.ranks;
    struct net_config config = o->net;
    if (o->net.lcb && !model->link)
        sim_fail("--lcb: %s has no link control block yet", t->machine->name);
    if (ranks > ranks_units(t))
        sim_fail("%u ranks do not divide %s: it has %u groups", ranks, t->name, ranks_units(t));
    if (o->ranks) /* all of them on this machine */
        many.count = many.beside = ranks;
    config.ranks = &many;
    net_room(model, t, &config);
    if (o->resume) {
        struct checkpoint c;
        describe(o, t, &c);
        checkpoint_look(o->resume, &c, t->routers);
    }
}

/* As several processes; what to do if one dies. */
static int run_ranks(const struct options *o, char **argv)
{
    char advice[200] = "begin again; --checkpoint would have left something to go on from";
    if (o->checkpoint)
        snprintf(advice, sizeof advice,
                 "go on from the last checkpoint, if there is one: --resume %.120s", o->checkpoint);
    return launch(o->ranks, argv, advice);
}

int main(int argc, char **argv)
{
    program_invocation_short_name = (char *)"netsim";
    struct ranks *ranks = ranks_start(&argc, &argv);
    struct options o = read_options(argc, argv);
    char error[TABLES_ERROR];
    struct topology *t = topo_parse(o.topology, error);
    if (!t)
        sim_fail("%s", error);
    struct tables tables = tables_computed(t);
    if (o.tables && !tables_read(&tables, t, o.tables, error))
        sim_fail("%s", error);
    int status;
    o.net.ranks = ranks;
    options_fit(&o, t);
    if (o.write_tables) {
        write_tables(&o, &tables);
        status = whole_status(true);
    } else {
        check_network(&o, t, o.ranks ? o.ranks : ranks->count);
        if (o.tables)
            check_tables(&tables);
        status = o.ranks ? run_ranks(&o, argv) : whole_status(run_all(&o, &tables));
    }
    traffic_free(&o.net.traffic.flows);
    tables_free(&tables);
    topo_free(t);
    ranks_end(ranks);
    return status;
}
