// SPDX-License-Identifier: Apache-2.0
/*
 * netsim.c - build/bin/netsim: latency and accepted load over offered load, of a whole network.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "network.h"
#include "plot.h"
#include "walk.h"
#include "base/whole.h"

enum { MOST_TILES = 20000 };

static const char help[] =
    "usage: netsim [options] TOPOLOGY\n"
    "\n"
    "Runs packets through a network of native routers and prints accepted load and latency for "
    "each\n"
    "offered load, in flits per clock and processor port. Exit status 1 if a packet is lost or the "
    "network stalls.\n"
    "\n"
    "  --pattern P           uniform, neighbour (the next group), complement, hotspot\n"
    "  --mode M              adaptive, minimal, nonminimal, ordered, split (requests minimal by "
    "hash, responses\n"
    "                        adaptive)\n"
    "  --loads A,B,...       offered loads, each above 0 and at most 1 (0.1,0.3,0.5,0.7,0.9,1)\n"
    "  --clocks N            measured for each load (10000), after a quarter of that\n"
    "  --lengths A-B         flits of a packet (2-14)\n"
    "  --delay N             clocks of a cable (10)\n"
    "  --lcb                 link control blocks at both ends of each cable (dragonfly)\n"
    "  --ber P               with those: chance of a wrong bit, below 0.01 (0)\n"
    "  --bias N              load a non-minimal way must save, 0-127 (16)\n"
    "  --seed N              of the traffic (1)\n"
    "  --tables FILE         routing tables from a file\n"
    "  --write-tables FILE   write those of the topology, and end\n"
    "  --json FILE           report (build/reports/netsim.json)\n"
    "  --svg FILE            plot by gnuplot (build/reports/netsim.svg)\n"
    "\n"
    "topologies:\n";

struct options {
    const char *topology, *tables, *write_tables, *json, *svg;
    double loads[PLOT_POINTS];
    unsigned load_count;
    uint64_t clocks;
    struct net_config net;
};

/* ---- options ---------------------------------------------------------------------------------- */

static unsigned choice(const char *option, const char *text, const char *const *names,
                       unsigned count)
{
    char list[100] = "";
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    }
    sim_fail("%s %s: one of %s", option, text, list);
}

static double chance(const char *option, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value < 0.01))
        sim_fail("%s %s: a number from 0 to below 0.01", option, text);
    return value;
}

static void read_loads(struct options *o, const char *text)
{
    const char *at = text;
    char *end;
    o->load_count = 0;
    do {
        const double load = strtod(at, &end);
        if (end == at || (*end != '\0' && *end != ',') || !(load > 0 && load <= 1) ||
            o->load_count == PLOT_POINTS)
            sim_fail("--loads %s: up to %d numbers above 0 and at most 1, commas between", text,
                     PLOT_POINTS);
        o->loads[o->load_count++] = load;
        at = end + 1;
    } while (*end == ',');
}

static void read_lengths(struct options *o, const char *text)
{
    char *end = (char *)text;
    unsigned long a = 0, b = 0;
    if (isdigit((unsigned char)*text))
        a = strtoul(text, &end, 10);
    if (*end == '-' && isdigit((unsigned char)end[1]))
        b = strtoul(end + 1, &end, 10);
    if (*end != '\0' || a < 2 || b < a || b > 14)
        sim_fail("--lengths %s: shortest and longest with - between, from 2 to 14", text);
    o->net.traffic.shortest = (unsigned)a;
    o->net.traffic.longest = (unsigned)b;
}

static void read_option(struct options *o, const char *name, const char *value)
{
    if (strcmp(name, "--pattern") == 0)
        o->net.traffic.pattern = choice(name, value, pattern_names, PATTERNS);
    else if (strcmp(name, "--mode") == 0)
        o->net.traffic.routing = choice(name, value, routing_names, ROUTINGS);
    else if (strcmp(name, "--loads") == 0)
        read_loads(o, value);
    else if (strcmp(name, "--lengths") == 0)
        read_lengths(o, value);
    else if (strcmp(name, "--clocks") == 0)
        o->clocks = sim_number(name, value, 100, 1000000000);
    else if (strcmp(name, "--delay") == 0)
        o->net.delay = (unsigned)sim_number(name, value, 1, NET_DELAY);
    else if (strcmp(name, "--ber") == 0)
        o->net.ber = chance(name, value);
    else if (strcmp(name, "--bias") == 0)
        o->net.bias = (unsigned)sim_number(name, value, 0, 127);
    else if (strcmp(name, "--seed") == 0)
        o->net.seed = sim_number(name, value, 0, UINT64_MAX);
    else if (strcmp(name, "--tables") == 0)
        o->tables = value;
    else if (strcmp(name, "--write-tables") == 0)
        o->write_tables = value;
    else if (strcmp(name, "--json") == 0)
        o->json = value;
    else if (strcmp(name, "--svg") == 0)
        o->svg = value;
    else
        sim_fail("no option \"%s\"; see --help", name);
}

/* Before hours of work. */
static void check_place(const char *path)
{
    if (!whole_possible(path))
        sim_fail("%s: cannot write: %s", path, strerror(errno));
}

static struct options read_options(int argc, char **argv)
{
    struct options o = {.json = "build/reports/netsim.json",
                        .svg = "build/reports/netsim.svg",
                        .loads = {0.1, 0.3, 0.5, 0.7, 0.9, 1},
                        .load_count = 6,
                        .clocks = 10000,
                        .net = {.delay = 10, .bias = 16, .seed = 1}};
    o.net.traffic.shortest = 2;
    o.net.traffic.longest = 14;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            printf("%s%s", help, topo_help);
            exit(whole_status(true));
        }
        if (argv[i][0] != '-') {
            if (o.topology)
                sim_fail("two topologies: %s and %s", o.topology, argv[i]);
            o.topology = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--lcb") == 0) {
            o.net.lcb = true;
            continue;
        }
        if (i + 1 == argc)
            sim_fail("no option \"%s\", or no value for it; see --help", argv[i]);
        read_option(&o, argv[i], argv[i + 1]);
        i++;
    }
    if (!o.topology)
        sim_fail("no topology; see --help");
    if (o.net.ber > 0 && !o.net.lcb)
        sim_fail("--ber needs --lcb: without link control blocks nothing repairs a wrong bit");
    if (o.write_tables)
        check_place(o.write_tables);
    else {
        check_place(o.json);
        check_place(o.svg);
    }
    return o;
}

/* ---- running ---------------------------------------------------------------------------------- */

static const struct router_model *model_of(const struct machine *m)
{
    return m == &machine_aries    ? &router_aries
           : m == &machine_gemini ? &router_gemini
                                  : &router_yarc;
}

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

static bool run_clocks(struct network *n, uint64_t clocks, const char *what, double load)
{
    struct sim_progress progress = {0};
    for (uint64_t i = 0; i < clocks; i++) {
        net_clock(n);
        if (net_stalled(n))
            return false;
        if (i % 64 == 0)
            sim_progress(&progress, "offered %.2f: %s, clock %" PRIu64 " of %" PRIu64, load, what,
                         i, clocks);
    }
    return true;
}

/* One load; false if the network lost something or stood still. */
static bool run_load(const struct options *o, const struct tables *tables, double load,
                     struct plot_point *point)
{
    struct net_config config = o->net;
    config.traffic.load = load;
    struct network *n = net_new(model_of(tables->topology->machine), tables, &config);
    bool runs = run_clocks(n, o->clocks / 4, "warming up", load);
    net_measure(n);
    runs = runs && run_clocks(n, o->clocks, "measuring", load);

    const struct net_stats s = net_stats(n);
    const double ports = (double)net_sources(n) * (double)(s.clocks ? s.clocks : 1);
    *point = (struct plot_point){
        .load = load,
        .offered = (double)s.offered / ports,
        .accepted = (double)s.accepted / ports,
        .latency = s.packets ? (double)s.latency / (double)s.packets : NAN,
        .worst = s.worst,
        .links = s.accepted ? (double)s.hops / (double)s.accepted : 0,
        .packets = s.packets,
    };
    char latency[24];
    snprintf(latency, sizeof latency, s.packets ? "%.1f" : "-", point->latency);
    printf("%8.3f %9.3f %10s %8" PRIu64 " %7.2f %10" PRIu64 "\n", point->offered, point->accepted,
           latency, point->worst, point->links, point->packets);
    fflush(stdout);
    if (!runs)
        fprintf(stderr,
                "netsim: stalled: %" PRIu64 " packets in flight, none arrived for %d clocks\n",
                s.in_flight, NET_STALL);
    if (s.wrong)
        fprintf(stderr, "netsim: %" PRIu64 " errors, the first: %s\n", s.wrong, net_complaint(n));
    net_free(n);
    return runs && s.wrong == 0;
}

static void write_tables(const struct options *o, const struct tables *tables)
{
    char error[TABLES_ERROR];
    if (!tables_write(tables, o->write_tables, error))
        sim_fail("%s", error);
    printf("%s\n", o->write_tables);
}

static bool run_all(const struct options *o, const struct tables *tables)
{
    const struct topology *t = tables->topology;
    struct plot plot = {.title = t->name,
                        .machine = t->machine->name,
                        .pattern = pattern_names[o->net.traffic.pattern],
                        .mode = routing_names[o->net.traffic.routing],
                        .seed = o->net.seed,
                        .clocks = o->clocks};
    uint64_t packets = 0;
    bool good = true;
    printf("%s: %u %s routers, %u nodes; %s, %s, seed %" PRIu64 "\n", t->name, t->routers,
           t->machine->name, t->nodes, plot.pattern, plot.mode, o->net.seed);
    printf("%8s %9s %10s %8s %7s %10s\n", "offered", "accepted", "latency", "worst", "links",
           "packets");
    for (unsigned i = 0; i < o->load_count && good; i++) {
        good = run_load(o, tables, o->loads[i], &plot.point[i]);
        packets += plot.point[plot.points++].packets;
    }
    if (!plot_json(&plot, o->json))
        sim_fail("%s: cannot write the report: %s", o->json, strerror(errno));
    printf("%s\n", o->json);
    if (packets == 0)
        sim_fail(
            "no packet of the measured clocks arrived, so there is nothing to plot; ask for more "
            "clocks or load");
    if (!plot_svg(&plot, o->svg))
        sim_fail("%s: gnuplot could not make the plot", o->svg);
    printf("%s\n", o->svg);
    return good && sim_failed_checks == 0;
}

int main(int argc, char **argv)
{
    const struct options o = read_options(argc, argv);
    char error[TABLES_ERROR];
    struct topology *t = topo_parse(o.topology, error);
    if (!t)
        sim_fail("%s", error);
    struct tables tables = tables_computed(t);
    if (o.tables && !tables_read(&tables, t, o.tables, error))
        sim_fail("%s", error);
    bool good = true;
    if (o.net.lcb && !model_of(t->machine)->link)
        sim_fail("--lcb: %s has no link control block yet", t->machine->name);
    if (o.write_tables)
        write_tables(&o, &tables);
    else if (t->routers * t->machine->ports > MOST_TILES)
        sim_fail("%s: %u routers are too many to run, at most %u", t->name, t->routers,
                 MOST_TILES / t->machine->ports);
    else {
        if (o.tables)
            check_tables(&tables);
        good = run_all(&o, &tables);
    }
    tables_free(&tables);
    topo_free(t);
    return whole_status(good);
}
