// SPDX-License-Identifier: Apache-2.0
/*
 * options.c - the command line of netsim.
 */
#include "sim/netsim/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/args.h"
#include "sim/base/whole.h"
#include "sim/net/families.h"
#include "sim/engine/measure.h"

/* numbers as words of the help text */
#define TEXT_OF(number) #number
#define TEXT(macro)     TEXT_OF(macro)
#define BIAS_TEXT                                                                                  \
    TEXT(MEASURE_BIAS_PROCESSOR)                                                                   \
    ",green=" TEXT(MEASURE_BIAS_IN_GROUP) ",black=" TEXT(MEASURE_BIAS_IN_GROUP) ",global=" TEXT(   \
        MEASURE_BIAS_GLOBAL)

static const char about[] =
    "Runs packets through a network of native routers and prints accepted load and latency for "
    "each offered load, in flits per clock and processor port. Exit status 1 if a packet is lost "
    "or the network stalls.";

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

static void read_chance(void *to, const char *option, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value < 0.01))
        sim_fail("%s %s: a number from 0 to below 0.01", option, text);
    *(double *)to = value;
}

static void read_loads(void *to, const char *option, const char *text)
{
    struct options *o = to;
    const char *at = text;
    char *end;
    o->load_count = 0;
    do {
        const double load = strtod(at, &end);
        if (end == at || (*end != '\0' && *end != ',') || !(load > 0 && load <= 1) ||
            o->load_count == PLOT_POINTS)
            sim_fail("%s %s: up to %d numbers above 0 and at most 1, commas between", option, text,
                     PLOT_POINTS);
        o->loads[o->load_count++] = load;
        at = end + 1;
    } while (*end == ',');
}

enum { LONGEST = 32 }; /* flits of a packet of any machine */

static void read_lengths(void *to, const char *option, const char *text)
{
    struct traffic *traffic = to;
    char *end = (char *)text;
    unsigned long a = 0, b;
    if (isdigit((unsigned char)*text))
        a = strtoul(text, &end, 10);
    b = a;
    if (*end == '-' && isdigit((unsigned char)end[1]))
        b = strtoul(end + 1, &end, 10);
    if (*end != '\0' || a < 1 || b < a || b > LONGEST)
        sim_fail("%s %s: one, or shortest and longest with - between, from 1 to %d", option, text,
                 LONGEST);
    traffic->shortest = (unsigned)a;
    traffic->longest = (unsigned)b;
}

static void read_pattern(void *to, const char *option, const char *text)
{
    struct options *o = to;
    const bool file = strncmp(text, "file:", 5) == 0;
    o->pattern = text;
    o->net.traffic.pattern =
        file ? PATTERN_FILE : choice(option, text, pattern_names, PATTERN_FILE);
}

static void read_mode(void *to, const char *option, const char *text)
{
    struct traffic *traffic = to;
    traffic->routing = choice(option, text, routing_names, ROUTINGS);
}

static void read_priority(void *to, const char *option, const char *text)
{
    *(bool *)to = choice(option, text, (const char *[]){"transit", "none"}, 2);
}

/* Before hours of work. */
static void check_place(const char *path)
{
    if (!whole_possible(path))
        sim_fail("%s: cannot write: %s", path, strerror(errno));
}

/* Folders are not made: where netsim runs without a place for reports, those are left out that nobody has asked for. */
static void place_reports(struct options *o)
{
    struct stat s;
    if (stat(OPTIONS_REPORTS, &s) != 0 || !S_ISDIR(s.st_mode))
        return;
    o->json = o->json ? o->json : OPTIONS_REPORTS "/netsim.json";
    o->svg = o->svg ? o->svg : OPTIONS_REPORTS "/netsim.svg";
    o->html = o->html ? o->html : OPTIONS_REPORTS "/netsim.html";
}

static void read_args(struct options *o, int argc, char **argv)
{
    enum { LONG = 1000000000 };
    struct net_config *net = &o->net;
    const struct args_option option[] = {
        args_by("--pattern", "P", read_pattern, o,
                "uniform, neighbour (the next group), complement, hotspot, anywhere (the own "
                "router too), permuted, all-to-all, halo (six neighbours in a box of all nodes), "
                "file:PATH (lines FROM TO [WEIGHT]: rates between nodes in any unit, as bytes; the "
                "node that sends most sends at --loads) (uniform)"),
        args_flag("--responses", &net->traffic.responds,
                  "packets made are requests; each that arrives is answered by a response of its "
                  "length"),
        args_by("--mode", "M", read_mode, &net->traffic,
                "adaptive, minimal, nonminimal, ordered, split (requests minimal by hash, "
                "responses adaptive) (adaptive)"),
        args_by("--loads", "A,B,...", read_loads, o,
                "offered loads, each above 0 and at most 1 (0.1,0.3,0.5,0.7,0.9,1)"),
        args_number("--clocks", &o->clocks, 100, LONG,
                    "measured for each load, after a warm-up that ends when accepted load stays "
                    "the same, at most three times as long"),
        args_unsigned("--ranks", &o->ranks, 1, 100000,
                      "as N processes by mpirun, each some of the groups; same results"),
        args_text("--checkpoint", "FILE", &o->checkpoint,
                  "of one load and seed: where to go on from, renewed now and then"),
        args_number("--every", &o->every, 1, LONG, "clocks from one checkpoint to the next"),
        args_text("--resume", "FILE", &o->resume,
                  "goes on from there, with any number of ranks; all else as before"),
        args_unsigned("--seeds", &o->seeds, 1, 100,
                      "each load with so many seeds, from --seed on: mean and spread"),
        args_by(
            "--lengths", "N or A-B", read_lengths, &net->traffic,
            "flits of a packet (2-14); from 1 where a head has room for a tag (dragonfly); from "
            "3 with links in packet mode, which need an end (3-14)"),
        args_text("--delay", "N[,KIND=N...]", &o->delay,
                  "clocks of a cable, and of those of one kind: green, black, global, x+, up, ..."),
        args_flag("--lcb", &net->lcb, "link control blocks at both ends of each cable"),
        args_unsigned("--slices", &o->slices, 1, 4,
                      "networks that each processor has a port in; a packet's is drawn by two bits "
                      "of a hash of its address. Figures are of all of them (clos)"),
        args_flag("--checked", &net->checked,
                  "with those, in packet mode: packets wait in front of the router until they are "
                  "known to be good (torus, clos)"),
        args_by("--ber", "P", read_chance, &net->ber,
                "with those: chance of a wrong bit, below 0.01 (0)"),
        args_by("--priority", "transit|none", read_priority, &net->alike,
                "packets in transit go first at outputs, but for every 16th (transit)"),
        args_text("--bias", "N[,KIND=N...]", &o->bias,
                  "load a non-minimal way must save, 0-127, and for packets that come by a port of "
                  "one kind: processor, green, ... (" BIAS_TEXT ")"),
        args_text("--tables", "FILE", &o->tables, "routing tables from a file"),
        args_text("--write-tables", "FILE", &o->write_tables,
                  "write those of the topology, and end"),
        args_text("--json", "FILE", &o->json, "report (build/reports/netsim.json)"),
        args_text("--svg", "FILE", &o->svg, "plot by gnuplot (build/reports/netsim.svg)"),
        args_text("--html", "FILE", &o->html,
                  "page of the run: loads, latencies, histogram, links "
                  "(build/reports/netsim.html)"),
        args_text("--map", "FILE", &o->map, "the page's map of links as an SVG of its own"),
        args_end()};
    args_read(&(struct args){about, option, &net->seed, topo_help, "TOPOLOGY", &o->topology, 1, 1},
              argc, argv);
}

struct options read_options(int argc, char **argv)
{
    struct options o = {.pattern = pattern_names[PATTERN_UNIFORM],
                        .delay = "10",
                        .seeds = 1,
                        .slices = 1,
                        .loads = {0.1, 0.3, 0.5, 0.7, 0.9, 1},
                        .load_count = 6,
                        .clocks = 10000,
                        .every = 10000};
    read_args(&o, argc, argv);
    place_reports(&o);
    if (o.net.ber > 0 && !o.net.lcb)
        sim_fail("--ber needs --lcb: without link control blocks nothing repairs a wrong bit");
    if ((o.checkpoint || o.resume) && (o.load_count != 1 || o.seeds != 1 || o.slices != 1))
        sim_fail("--checkpoint and --resume go with one load, one seed and one slice");
    if (o.checkpoint)
        check_place(o.checkpoint);
    if (o.write_tables)
        check_place(o.write_tables);
    else {
        const char *const reports[] = {o.json, o.svg, o.html, o.map};
        for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
            if (reports[i])
                check_place(reports[i]);
    }
    return o;
}

/* ---- what depends on the network ----------------------------------------------------------------- */

/* An option with a number for all kinds of ports, and others for some of them. */
struct by_kind {
    const char *name, *value;
    unsigned first; /* kind that can be named */
    unsigned least, most;
};

static unsigned kind_of(const struct by_kind *o, const struct topology *t, const char *name,
                        size_t length)
{
    unsigned kind = o->first;
    while (t->kinds[kind] &&
           (strlen(t->kinds[kind]) != length || strncmp(t->kinds[kind], name, length) != 0))
        kind++;
    if (!t->kinds[kind])
        sim_fail("%s: %s has no %s of kind %.*s", o->name, t->name,
                 o->first == PORT_LINK ? "cables" : "ports", (int)length, name);
    return kind;
}

/* "10,global=60": all of them, then those of a kind. */
static void read_by_kind(const struct by_kind *o, const struct topology *t,
                         unsigned number[NET_KINDS])
{
    for (const char *at = o->value; at; at = strchr(at, ',')) {
        at += *at == ',';
        const size_t name = strcspn(at, "=,");
        const char *value = at[name] == '=' ? at + name + 1 : at;
        char *end = (char *)value;
        unsigned long n = 0;
        if (isdigit((unsigned char)*value))
            n = strtoul(value, &end, 10);
        if (end == value || n < o->least || n > o->most || (*end != ',' && *end != '\0') ||
            (at == o->value) != (value == at))
            sim_fail("%s %s: a number from %u to %u, then KIND=NUMBER, commas between", o->name,
                     o->value, o->least, o->most);
        for (unsigned k = 0; value == at && k < NET_KINDS; k++)
            number[k] = (unsigned)n;
        if (value != at)
            number[kind_of(o, t, at, name)] = (unsigned)n;
    }
}

static void read_biases(struct net_config *net, const struct by_kind *o, const struct topology *t)
{
    unsigned bias[NET_KINDS] = {0};
    if (!o->value) {
        measure_bias(net, t);
        return;
    }
    read_by_kind(o, t, bias);
    net->bias = bias[PORT_UNUSED];
    for (unsigned k = 0; k < NET_KINDS; k++)
        net->bias_more[k] = (int)bias[k] - (int)net->bias;
}

static bool has_cables(const struct topology *t)
{
    for (unsigned i = 0; i < t->routers * MACHINE_PORTS; i++)
        if (t->ports[i / MACHINE_PORTS][i % MACHINE_PORTS].router != TOPO_NOBODY)
            return true;
    return false;
}

void options_fit(struct options *o, const struct topology *t)
{
    if (o->map && !has_cables(t))
        sim_fail("--map: %s has no cables", t->name);
    struct traffic *f = &o->net.traffic;
    read_by_kind(&(struct by_kind){"--delay", o->delay, PORT_LINK, 1, NET_DELAY}, t, o->net.delay);
    read_biases(&o->net, &(struct by_kind){"--bias", o->bias, PORT_PROCESSOR, 0, 127}, t);
    if (o->slices > 1 && t->machine != &machine_yarc)
        sim_fail("--slices: processors of a Clos alone have ports in several networks");
    const bool ends = o->net.lcb && t->machine->by_end;
    if (f->longest == 0) {
        f->shortest = ends ? 3 : 2;
        f->longest = 14;
    }
    if (o->net.checked && !ends)
        sim_fail("--checked: %s", o->net.lcb
                                      ? "links of a dragonfly check micropackets, not packets"
                                      : "it needs --lcb");
    if (ends && f->shortest < 3)
        sim_fail("--lengths: packets over links of %s are head, name and end; from 3",
                 t->machine->name);
    if (f->longest > t->machine->packet)
        sim_fail("--lengths: packets of %s have %u flits at most", t->machine->name,
                 t->machine->packet);
    if (f->shortest == 1 && t->machine->tags == 1)
        sim_fail("--lengths: heads of %s are full, so packets of one flit cannot be distinguished; "
                 "from 2",
                 t->machine->name);
    f->flows = traffic_flows(f->pattern, t, o->net.seed,
                             o->pattern + (f->pattern == PATTERN_FILE ? 5 : 0));
}
