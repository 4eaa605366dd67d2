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
#include "sim/net/families.h"
#include "sim/engine/checks.h"
#include "sim/engine/measure.h"
#include "sim/netsim/options.h"
#include "sim/engine/checkpoint.h"
#include "sim/engine/ranks/launch.h"
#include "sim/net/walk.h"

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

/* A latency, or that there is none. */
static void print_latency(const struct plot_point *p, int width, double value, int digits)
{
    if (p->packets)
        printf(" %*.*f", width, digits, value);
    else
        printf(" %*s", width, "-");
}

static void print_spread(const struct plot_spread *s)
{
    printf("  %6.3f %6.3f %6.3f", s->least, s->mean, s->most);
}

static void print_head(const struct plot *p)
{
    printf("%8s %9s %10s %7s %7s %7s %7s %7s %10s  %6s %6s %6s  %6s %6s %6s%s\n", "offered",
           "accepted", "latency", "median", "99 %", "99.9 %", "worst", "links", "packets", "least",
           "node", "most", "least", "port", "most", p->seeds > 1 ? "  accepted, by seed" : "");
}

/* The flows of a list, as many as one reads. */
static void print_flows(const struct plot *plot, const struct plot_point *p)
{
    enum { MOST = 16 };
    if (plot->flows)
        printf("  flows, in flits per clock; accepted least %.4f, mean %.4f, most %.4f:\n",
               p->flow_spread.least, p->flow_spread.mean, p->flow_spread.most);
    for (unsigned i = 0; i < plot->flows && i < MOST; i++)
        printf("%9u to %u: offered %.3f, accepted %.3f\n", plot->from[i], plot->to[i],
               p->flow[i].offered, p->flow[i].accepted);
    if (plot->flows > MOST)
        printf("          and %u more, in the report\n", plot->flows - MOST);
}

static void print_point(const struct plot *plot, const struct plot_point *p)
{
    printf("%8.3f %9.3f", p->offered, p->accepted);
    print_latency(p, 10, p->latency, 1);
    print_latency(p, 7, (double)p->median, 0);
    print_latency(p, 7, (double)p->p99, 0);
    print_latency(p, 7, (double)p->p999, 0);
    print_latency(p, 7, (double)p->worst, 0);
    printf(" %7.2f %10" PRIu64, p->links, p->packets);
    print_spread(&p->node);
    print_spread(&p->port);
    if (plot->seeds > 1)
        printf("  %.3f to %.3f", p->least, p->most);
    printf("%s\n", p->saturated ? "  saturated" : "");
    print_flows(plot, p);
    fflush(stdout);
}

/* What one seed measured in a slice, into the point of its load and what the seed has brought so far. */
static void add(struct plot_point *p, const struct net_stats *s, unsigned sources,
                const struct options *o, double *accepted)
{
    const double ports = (double)sources * (double)(s->clocks ? s->clocks : 1);
    const uint64_t packets = p->packets + s->packets;
    if (packets)
        p->latency = ((p->packets ? p->latency * (double)p->packets : 0) + (double)s->latency) /
                     (double)packets;
    p->packets = packets;
    p->offered += (double)s->offered / ports / o->seeds;
    *accepted += (double)s->accepted / ports;
    p->links += s->accepted ? (double)s->hops / (double)s->accepted / o->seeds / o->slices : 0;
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

/* ---- what arrives where ------------------------------------------------------------------------- */

/* Flits per clock of one load, mean of its seeds. */
struct shares {
    bool *receives; /* [node]: packets are sent to it */
    double *node;   /* [node] */
    double *port;   /* [router][port] */
};

static struct shares shares_new(const struct topology *t, const struct traffic *f)
{
    struct shares s = {.receives = sim_alloc(t->nodes, sizeof *s.receives),
                       .node = sim_alloc(t->nodes, sizeof *s.node),
                       .port = sim_alloc((size_t)t->routers * MACHINE_PORTS, sizeof *s.port)};
    traffic_receives(f, t, s.receives);
    return s;
}

static void shares_free(struct shares *s)
{
    free(s->receives);
    free(s->node);
    free(s->port);
}

/* What one seed has brought. */
static void add_shares(const struct network *n, const struct options *o, const struct topology *t,
                       uint64_t clocks, struct shares *s, struct plot_point *p)
{
    const double part = 1.0 / (double)(clocks ? clocks : 1) / o->seeds;
    const unsigned flows = p->flow ? flows_count(&o->net.traffic.flows, t) : 0;
    for (unsigned i = 0; i < t->nodes; i++)
        s->node[i] += (double)net_node_flits(n, i) * part;
    for (unsigned i = 0; i < t->routers * MACHINE_PORTS; i++)
        s->port[i] += (double)net_port_flits(n, i / MACHINE_PORTS, i % MACHINE_PORTS) * part;
    for (unsigned i = 0; i < flows; i++) {
        p->flow[i].offered += (double)net_flow_offered(n, i) * part;
        p->flow[i].accepted += (double)net_flow_accepted(n, i) * part;
    }
}

static void widen(struct plot_spread *s, double value, unsigned *count)
{
    s->least = *count == 0 || value < s->least ? value : s->least;
    s->most = *count == 0 || value > s->most ? value : s->most;
    s->mean += (value - s->mean) / ++*count;
}

/* Of nodes that packets are sent to, of the ports by which these come, and of the flows of a list. */
static void spread(const struct topology *t, const struct shares *s, unsigned flows,
                   struct plot_point *p)
{
    uint64_t *ports = sim_alloc(t->routers, sizeof *ports);
    unsigned nodes = 0, count = 0, flow = 0;
    for (unsigned i = 0; i < t->nodes; i++)
        if (s->receives[i]) {
            widen(&p->node, s->node[i], &nodes);
            ports[t->node[i].router] |= t->node[i].ports;
        }
    for (unsigned i = 0; i < t->routers * MACHINE_PORTS; i++)
        if (ports[i / MACHINE_PORTS] >> i % MACHINE_PORTS & 1)
            widen(&p->port, s->port[i], &count);
    while (flow < flows)
        widen(&p->flow_spread, p->flow[flow].accepted, &flow);
    free(ports);
}

static uint64_t mix(double weight)
{
    uint64_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits * UINT64_C(0x9e3779b97f4a7c15) >> 16;
}

/* A sum over who sends how much to whom, where that is a list. */
static uint64_t sum_of_flows(const struct traffic *f, const struct topology *t)
{
    uint64_t sum = 0;
    for (unsigned i = 0; f->flows.first && i < f->flows.first[t->nodes]; i++)
        sum = (sum ^ f->flows.to[i] ^ mix(f->flows.upto[i])) * UINT64_C(0x100000001b3);
    for (unsigned n = 0; f->flows.first && n < t->nodes; n++)
        sum = (sum ^ f->flows.first[n]) * UINT64_C(0x100000001b3);
    return sum;
}

/* What has to be the same when a run goes on: fields of checkpoint.h. */
static void describe(const struct options *o, const struct topology *t, struct checkpoint *c)
{
    const struct net_config *n = &o->net;
    const struct traffic *f = &n->traffic;
    c->run[0] = '\0';
    checkpoint_field(c, "topology", "%s", t->name);
    checkpoint_field(c, "--pattern", "%s", pattern_names[f->pattern]);
    checkpoint_field(c, "sum over the pattern's flows", "%" PRIx64, sum_of_flows(f, t));
    checkpoint_field(c, "--mode", "%s", routing_names[f->routing]);
    checkpoint_field(c, "--lengths", "%u-%u", f->shortest, f->longest);
    checkpoint_field(c, "--responses", "%s", f->responds ? "yes" : "no");
    checkpoint_field(c, "--loads", "%.10g", o->loads[0]);
    checkpoint_field(c, "--clocks", "%" PRIu64, o->clocks);
    checkpoint_field(c, "--seed", "%" PRIu64, n->seed);
    checkpoint_field(c, "--delay", "%.60s", o->delay);
    checkpoint_field(c, "--bias", "%.60s", o->bias ? o->bias : "not given");
    checkpoint_field(c, "--priority", "%s", n->alike ? "none" : "transit");
    checkpoint_field(c, "--lcb", "%s", n->lcb ? "yes" : "no");
    checkpoint_field(c, "--checked", "%s", n->checked ? "yes" : "no");
    checkpoint_field(c, "--ber", "%.10g", n->ber);
    checkpoint_field(c, "--tables", "%.60s", o->tables ? o->tables : "not given");
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

/* What a port in this slice offers of each flit that its processor would offer one port: of the four values of two bits the slice's. */
static double share_of(const struct options *o, unsigned slice)
{
    enum { VALUES = 4 };
    unsigned values = 0;
    for (unsigned v = 0; v < VALUES; v++)
        values += v % o->slices == slice;
    return (double)(values * o->slices) / VALUES;
}

/* One load with one seed in one slice; false if the network lost something or stood still. */
static bool run_slice(const struct options *o, const struct tables *tables, unsigned seed,
                      unsigned slice, struct plot_point *point, struct shares *shares,
                      struct plot_cables *cables, double *accepted)
{
    struct net_config config = o->net;
    struct measure m = {0};
    struct saver saver = {.options = o, .checkpoint = {.progress = &m, .size = sizeof m}};
    const struct measure_watch watch = {&saver, save_now_and_then};
    const double load = point->load * share_of(o, slice);
    config.traffic.load = load < 1 ? load : 1; /* what a port carries */
    config.seed = o->net.seed + seed + ((uint64_t)slice << 32);
    describe(o, tables->topology, &saver.checkpoint);
    struct network *n = net_new(router_model_of(tables->topology->machine), tables, &config);
    if (o->resume)
        checkpoint_load(n, o->resume, &saver.checkpoint);
    saver.done = m.done;
    const bool runs =
        measure_warm_up(n, &m, o->clocks, point->load, o->checkpoint ? &watch : NULL) &&
        measure_run(n, &m, o->clocks, "measuring", point->load, o->checkpoint ? &watch : NULL);

    const struct net_stats s = net_stats(n);
    add(point, &s, net_sources(n), o, accepted);
    net_latencies(n, point->bins);
    point->warmup = m.warmup > point->warmup ? m.warmup : point->warmup;
    net_gather(n);
    add_shares(n, o, tables->topology, s.clocks, shares, point);
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

/*
 * Less is accepted than is offered, by more than 5 % and six standard deviations of what packets of up to 14 flits that are drawn differ by,
 * twice; or flits arrive, but none of a packet that was made while measuring.
 */
static bool is_saturated(const struct plot_point *p, double flits)
{
    const double short_of = (p->offered - p->accepted) * flits;
    const double offered = p->offered * flits;
    return (short_of > 0.05 * offered && short_of > 2 * 6 * sqrt(offered * 14)) ||
           (p->packets == 0 && p->accepted > 0);
}

/* One load with one seed in all slices: independent networks, each with its share of the packets. */
static bool run_seed(const struct options *o, const struct tables *tables, unsigned seed,
                     struct plot_point *point, struct shares *shares, struct plot_cables *cables)
{
    double accepted = 0;
    bool good = true;
    for (unsigned slice = 0; slice < o->slices && good; slice++)
        good = run_slice(o, tables, seed, slice, point, shares, cables, &accepted);
    point->accepted += accepted / o->seeds;
    point->least = accepted < point->least ? accepted : point->least;
    point->most = accepted > point->most ? accepted : point->most;
    return good;
}

/* One load with all seeds. */
static bool run_load(const struct options *o, const struct tables *tables, double load,
                     const struct plot *plot, struct plot_point *point, struct plot_cables *cables)
{
    const struct topology *t = tables->topology;
    struct shares shares = shares_new(t, &o->net.traffic);
    bool good = true;
    *point = (struct plot_point){.load = load, .latency = NAN, .least = INFINITY};
    if (plot->flows)
        point->flow = sim_alloc(plot->flows, sizeof *point->flow);
    for (unsigned seed = 0; seed < o->seeds && good; seed++)
        good = run_seed(o, tables, seed, point, &shares, cables);
    point->median = net_percentile(point->bins, 0.5, point->worst);
    point->p99 = net_percentile(point->bins, 0.99, point->worst);
    point->p999 = net_percentile(point->bins, 0.999, point->worst);
    point->saturated =
        is_saturated(point, (double)plot->ports * (double)o->clocks * (double)o->seeds);
    spread(t, &shares, plot->flows, point);
    shares_free(&shares);
    print_point(plot, point);
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
                          const struct plot_cables *cables)
{
    bool any = false;
    for (unsigned i = 0; i < plot->points; i++)
        any |= plot->point[i].packets > 0 || plot->point[i].accepted > 0;
    if (!any)
        sim_fail("no packet of the measured clocks arrived, so there is no report; ask for more "
                 "clocks or load");
    if (o->json && !plot_json(plot, o->json))
        sim_fail("%s: cannot write the report: %s", o->json, strerror(errno));
    if (o->svg && !plot_svg(plot, o->svg))
        sim_fail("%s: gnuplot could not make the plot", o->svg);
    if (o->html && !plot_html(plot, cables, o->html))
        sim_fail("%s: gnuplot could not make its plots", o->html);
    if (o->map && !plot_map(cables, o->map))
        sim_fail("%s: gnuplot could not make the map of cables", o->map);
    const char *const written[] = {o->json, o->svg, o->html, o->map};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (written[i])
            printf("%s\n", written[i]);
    if (!o->json)
        printf(
            "no report: there is no folder %s here; --json, --svg and --html name other places\n",
            OPTIONS_REPORTS);
}

/* Flows of a list from a file: who sends, by number. */
static unsigned *senders(const struct flows *f, const struct topology *t)
{
    unsigned *from = sim_alloc(flows_count(f, t), sizeof *from);
    for (unsigned n = 0; n < t->nodes; n++)
        for (unsigned i = f->first[n]; i < f->first[n + 1]; i++)
            from[i] = n;
    return from;
}

static unsigned processor_ports(const struct topology *t)
{
    unsigned count = 0;
    for (unsigned i = 0; i < t->routers * MACHINE_PORTS; i++)
        count += t->ports[i / MACHINE_PORTS][i % MACHINE_PORTS].kind == PORT_PROCESSOR;
    return count;
}

static bool run_all(const struct options *o, const struct tables *tables)
{
    const struct topology *t = tables->topology;
    const struct traffic *f = &o->net.traffic;
    const bool list = f->pattern == PATTERN_FILE;
    unsigned *from = list ? senders(&f->flows, t) : NULL;
    struct plot plot = {.title = t->name,
                        .machine = t->machine->name,
                        .pattern = pattern_names[f->pattern],
                        .mode = routing_names[f->routing],
                        .seed = o->net.seed,
                        .seeds = o->seeds,
                        .slices = o->slices,
                        .clocks = o->clocks,
                        .nodes = t->nodes,
                        .ports = processor_ports(t),
                        .flows = list ? flows_count(&f->flows, t) : 0,
                        .from = from,
                        .to = f->flows.to};
    struct plot_cables cables = {.routers = t->routers, .ports = t->machine->ports};
    cables.load = sim_alloc((size_t)t->routers * cables.ports, sizeof *cables.load);
    bool good = true;
    printf("%s: %u %s routers, %u nodes, %u processor ports; %s, %s, seed %" PRIu64 "\n", t->name,
           t->routers, t->machine->name, t->nodes, plot.ports, plot.pattern, plot.mode,
           o->net.seed);
    print_head(&plot);
    for (unsigned i = 0; i < o->load_count && good; i++) {
        good = run_load(o, tables, o->loads[i], &plot, &plot.point[i], &cables);
        plot.points++;
    }
    if (!sim_follows)
        write_reports(o, &plot, &cables);
    for (unsigned i = 0; i < plot.points; i++)
        free(plot.point[i].flow);
    free(cables.load);
    free(from);
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
    flows_free(&o.net.traffic.flows);
    tables_free(&tables);
    topo_free(t);
    ranks_end(ranks);
    return status;
}
