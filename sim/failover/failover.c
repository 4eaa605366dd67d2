// SPDX-License-Identifier: Apache-2.0
/*
 * failover.c - build/bin/failover: parts of a network die under traffic, and it goes on.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/args.h"
#include "sim/base/whole.h"
#include "sim/net/families.h"
#include "sim/engine/checks.h"
#include "sim/failover/supervisor.h"

enum {
    STEP = 10,
    BIAS = 16,
    DELAY = 10,
    PATIENCE = 200000,
    QUIET = 1500,
    SILENCE = 200,
    RETRY = 2,
    TRAIN = 1024,
    TRAIN_PACKETS = 2048, /* of links in packet mode, whose bring-up takes twice as long */
    SCENARIOS = 9,
    CABLE = 8,  /* links of one */
    MODULE = 2, /* chips of one, of those that have nodes */
    NAME = 40
};

static const char about[] =
    "Cuts 1, 10 and 100 random links of a network under uniform traffic. Of a dragonfly (or of the "
    "second network) a chassis, then a whole group dies and comes back; of a torus or Clos a cable "
    "of eight links, a module of two chips and a chip. Prints what was lost, where, and how long "
    "it "
    "took. Exit status 1 if a packet is lost that nobody can account for, comes twice or to a "
    "wrong "
    "place, or the network does not go on.";

struct options {
    const char *network[2], *json;
    double load;
    uint64_t clocks, seed;
    unsigned networks, silence; /* silence 0: none was given */
    bool lcb, brief;
    struct link_limits limits;
};

/* What is reported of one scenario; clocks from the moment that it happened. */
struct scenario {
    char name[NAME];
    const char *network;
    uint64_t lost, unaccounted, wrong;
    uint64_t deaths;  /* that link control blocks have counted since the run began */
    struct losses at; /* where they were lost */
    uint64_t mask, detect, resume;
    double before, during, after; /* accepted per clock and processor port */
    unsigned routers, chassis, groups, given_up, words;
    unsigned restless; /* times that tables were written although packets still moved */
    uint64_t cycles;
};

/* A network that runs, and what has been lost in it so far. */
struct run {
    const struct options *options;
    struct topology *topology;
    struct tables tables;
    struct network *network;
    struct supervisor supervisor;
    struct link_limits limits;
    struct sim_random random;
    uint64_t lost;
    struct losses before;
    const char *scenario;
    struct sim_progress progress;
};

/* RxT; a bring-up over a short cable needs some 500 clocks and waits 512 for a late lane. */
static void read_limits(void *to, const char *name, const char *value)
{
    struct link_limits *limits = to;
    int end = 0;
    if (sscanf(value, "%3ux%5u%n", &limits->retry, &limits->train, &end) != 2 ||
        value[end] != '\0' || limits->retry < 1 || limits->retry > 255 || limits->train < 1024 ||
        limits->train > 65535)
        sim_fail("%s %s: bring-ups, 1 to 255, x, clocks of each, 1024 to 65535", name, value);
}

static struct options read_options(int argc, char **argv)
{
    struct options o = {.json = "build/reports/failover.json", .load = 0.05, .clocks = 1000};
    const struct args_option option[] = {
        args_load("--load", &o.load, "flits offered per clock and processor port"),
        args_number("--clocks", &o.clocks, 100, 1000000, "measured before and after"),
        args_unsigned("--silence", &o.silence, 1, 1000000,
                      "clocks until the end of a cable knows that it is cut, without --lcb (200)"),
        args_flag("--lcb", &o.lcb,
                  "link control blocks at both ends of each cable; the supervisor reads and writes "
                  "their registers"),
        args_by("--limits", "RxT", read_limits, &o.limits,
                "written into those: R bring-ups of T clocks until a link is dead (2x1024, in "
                "packet mode 2x2048; after reset 8x4096, 8x8192)"),
        args_flag("--brief", &o.brief, "of a torus or Clos one link and one chip alone"),
        args_text("--json", "FILE", &o.json, "report"),
        args_end()};
    const struct args args = {about, option, &o.seed, NULL, "TOPOLOGY", o.network, 1, 2};
    o.networks = args_read(&args, argc, argv);
    if (o.networks == 1)
        o.network[1] = o.network[0];
    if (o.lcb ? o.silence > 0 : o.limits.retry > 0)
        sim_fail("--silence is without --lcb, --limits with it");
    o.silence = o.silence ? o.silence : SILENCE;
    if (!whole_possible(o.json))
        sim_fail("%s: cannot write: %s", o.json, strerror(errno));
    return o;
}

/* ---- a run ------------------------------------------------------------------------------------- */

/* A network that is hurt, and routers of its smallest part. */
struct victim {
    struct topology *topology;
    bool plain; /* a torus or Clos: it has cables and modules, no chassis and groups */
    unsigned part;
};

static unsigned count_links(const struct topology *t)
{
    unsigned count = 0;
    for (unsigned i = 0; i < t->routers * MACHINE_PORTS; i++)
        count += t->ports[i / MACHINE_PORTS][i % MACHINE_PORTS].router != TOPO_NOBODY;
    return count / 2;
}

/* A network that has at least so many links, and parts that may die. */
static struct victim network_of(const char *name, unsigned links)
{
    char error[TOPO_ERROR];
    unsigned sizes[3];
    struct victim v = {.topology = topo_parse(name, error), .part = MODULE};
    if (!v.topology)
        sim_fail("%s", error);
    v.plain = v.topology->machine->by_end;
    if (!v.plain) {
        if (sscanf(name, "dragonfly:%ux%ux%u", &sizes[0], &sizes[1], &sizes[2]) != 3 &&
            sscanf(name, "dragonfly16:%ux%ux%u", &sizes[0], &sizes[1], &sizes[2]) != 3)
            sim_fail("%s: chassis and groups that die has dragonfly:GROUPSxCHASSISxSLOTS alone",
                     name);
        if (sizes[0] < 3)
            sim_fail("%s: at least three groups, one of which may die", name);
        v.part = sizes[2];
    } else if (v.topology->nodes == 0 || v.topology->node[0].router + MODULE >=
                                             v.topology->node[v.topology->nodes - 1].router + 1)
        sim_fail("%s: at least three chips with nodes, two of which may die", name);
    if (count_links(v.topology) < links)
        sim_fail("%s: %u cables are too few to cut %u", name, count_links(v.topology), links);
    return v;
}

static struct link_limits limits_of(const struct options *o, bool packets)
{
    return o->limits.retry ? o->limits
                           : (struct link_limits){RETRY, packets ? TRAIN_PACKETS : TRAIN};
}

static void end(struct run *r)
{
    supervisor_free(&r->supervisor);
    net_free(r->network);
    tables_free(&r->tables);
    topo_free(r->topology);
}

static void step(struct run *r)
{
    net_run(r->network, STEP);
    if (!supervisor_step(&r->supervisor))
        sim_fail("%s: %s", r->topology->name, r->supervisor.error);
    sim_progress(&r->progress, "%s: clock %" PRIu64, r->scenario, faults_now(r->network));
}

static void steps(struct run *r, uint64_t clocks)
{
    for (uint64_t i = 0; i < clocks; i += STEP)
        step(r);
}

static void begin(struct run *r, const struct options *o, unsigned which, unsigned links)
{
    const struct victim victim = network_of(o->network[which], links);
    struct net_config config = {.bias = BIAS,
                                .lcb = o->lcb,
                                .seed = o->seed,
                                .traffic = {.pattern = PATTERN_UNIFORM,
                                            .routing = ROUTING_ADAPTIVE,
                                            .load = o->load,
                                            .shortest = o->lcb && victim.plain ? 3 : 2,
                                            .longest = 14}};
    for (unsigned k = 0; k < NET_KINDS; k++)
        config.delay[k] = DELAY;
    *r = (struct run){.options = o, .random = {o->seed}};
    r->topology = victim.topology;
    r->limits = limits_of(o, victim.plain);
    r->tables = tables_computed(r->topology);
    r->network = net_new(router_model_of(r->topology->machine), &r->tables, &config);
    faults_begin(r->network, o->silence);
    supervisor_begin(&r->supervisor, r->network, r->topology, 0, victim.part, BIAS, r->limits);
    r->scenario = "bring-up";
    if (o->lcb && victim.plain)
        steps(r, r->limits.train);
}

static double accepted(const struct run *r)
{
    const struct net_stats s = net_stats(r->network);
    return (double)s.accepted / (double)(s.clocks ? s.clocks : 1) / net_sources(r->network);
}

static double measured(struct run *r, uint64_t clocks)
{
    net_measure(r->network);
    steps(r, clocks);
    return accepted(r);
}

/* Nodes begin nothing until nothing arrives any more; then the books are closed. */
static void settle(struct run *r, struct scenario *s)
{
    const uint64_t quiet = QUIET + (r->options->lcb ? r->limits.retry * r->limits.train : 0);
    uint64_t before = 0;
    faults_hold(r->network, true);
    do {
        before = net_stats(r->network).accepted;
        net_run(r->network, quiet);
    } while (net_stats(r->network).accepted != before);
    const uint64_t dropped = supervisor_dropped(&r->supervisor);
    s->deaths = links_deaths(&r->supervisor.links, r->supervisor.dead_router);
    const struct net_stats stats = net_stats(r->network);
    const struct losses now = faults_losses(r->network);
    const uint64_t places = now.cable + now.port + now.router + now.dropped;
    s->lost = stats.in_flight - r->lost;
    s->wrong = stats.wrong;
    s->unaccounted =
        (stats.in_flight > places ? stats.in_flight - places : places - stats.in_flight) +
        (stats.in_flight > now.missing ? stats.in_flight - now.missing
                                       : now.missing - stats.in_flight) +
        (now.dropped > dropped ? now.dropped - dropped : 0) + now.unreported;
    s->at = (struct losses){.cable = now.cable - r->before.cable,
                            .port = now.port - r->before.port,
                            .router = now.router - r->before.router,
                            .dropped = now.dropped - r->before.dropped,
                            .marked = now.marked - r->before.marked};
    if (stats.wrong)
        fprintf(stderr, "failover: %s: %" PRIu64 " errors, the first: %s\n", s->name, stats.wrong,
                net_complaint(r->network));
    r->lost = stats.in_flight;
    r->before = now;
    for (unsigned k = 0; k < r->topology->routers; k++) /* nobody could be heard meanwhile */
        r->supervisor.beat[k] = faults_now(r->network);
    faults_hold(r->network, false);
}

static unsigned nodes_down(const struct run *r)
{
    unsigned count = 0;
    for (unsigned n = 0; n < r->topology->nodes; n++)
        count += r->supervisor.down[n];
    return count;
}

/* From something that has just happened until the supervisor has resumed, and what comes after. */
static void recover(struct run *r, struct scenario *s)
{
    struct supervisor *v = &r->supervisor;
    const uint64_t began = faults_now(r->network);
    const unsigned words = v->words, restless = v->restless;
    uint64_t idle = 0; /* clocks in which it has not written or read tables or counters */
    bool masked = false;
    net_measure(r->network);
    while (v->state != SUPERVISOR_WATCHES || v->times.resumed <= began ||
           v->times.detected < v->news || faults_deaf_ends(r->network) > 0) {
        step(r);
        if (!masked && faults_deaf_ends(r->network) == 0) {
            masked = true;
            s->mask = faults_now(r->network) - began;
        }
        idle += supervisor_busy(v) ? 0 : STEP;
        if (idle > PATIENCE)
            sim_fail("%s, %s: the supervisor has not come to rest in %d clocks without a word to "
                     "write: state %d, %u nodes down",
                     r->topology->name, s->name, PATIENCE, (int)v->state, nodes_down(r));
    }
    s->during = accepted(r);
    s->detect = v->times.detected - began;
    s->resume = v->times.resumed - began;
    s->routers = v->routers_lost;
    s->chassis = v->chassis_lost;
    s->groups = v->groups_lost;
    s->given_up = v->tables ? v->tables->given_up : 0;
    s->words = v->words - words;
    s->restless = v->restless - restless;
    s->cycles = v->cycles;
    steps(r, r->options->clocks / 2);
    s->after = measured(r, r->options->clocks);
    settle(r, s);
}

/* ---- scenarios --------------------------------------------------------------------------------- */

static void cut_random(struct run *r, unsigned count)
{
    const struct topology *t = r->topology;
    while (count > 0) {
        const unsigned router = sim_below(&r->random, t->routers);
        const unsigned port = sim_below(&r->random, t->machine->ports);
        if (t->ports[router][port].router == TOPO_NOBODY ||
            !faults_carries(r->network, router, port))
            continue;
        faults_cut(r->network, router, port);
        count--;
    }
}

static void cut_links(const struct options *o, unsigned count, struct scenario *s)
{
    struct run r;
    snprintf(s->name, NAME, count == 1 ? "%u link" : "%u links", count);
    s->network = o->network[0];
    begin(&r, o, 0, count);
    r.scenario = s->name;
    steps(&r, o->clocks);
    s->before = measured(&r, o->clocks);
    cut_random(&r, count);
    recover(&r, s);
    end(&r);
}

static void bring_back(struct run *r, unsigned first, unsigned last)
{
    const struct topology *t = r->topology;
    bool *routers = sim_alloc(t->routers, sizeof *routers);
    for (unsigned k = first; k < last; k++) {
        faults_replace(r->network, k);
        routers[k] = true;
    }
    supervisor_replaced(&r->supervisor, routers);
    free(routers);
}

/* Names of a part that dies and of its return. */
static void name_two(const struct options *o, const char *what, struct scenario s[2])
{
    for (unsigned k = 0; k < 2; k++) {
        snprintf(s[k].name, NAME, k ? "%s back" : "%s", what);
        s[k].network = o->network[1];
    }
}

/* Runs on, measures, and says that the next scenario begins. */
static void before(struct run *r, struct scenario *s)
{
    r->scenario = s->name;
    steps(r, r->options->clocks);
    s->before = measured(r, r->options->clocks);
}

/* Routers from `first` up to before `last` die, and come back. */
static void die_and_return(struct run *r, unsigned first, unsigned last, struct scenario s[2])
{
    before(r, &s[0]);
    for (unsigned k = first; k < last; k++)
        faults_kill(r->network, k);
    recover(r, &s[0]);
    before(r, &s[1]);
    bring_back(r, first, last);
    recover(r, &s[1]);
}

static void parts(const struct options *o, const char *what, bool group, struct scenario s[2])
{
    struct run r;
    name_two(o, what, s);
    begin(&r, o, 1, 0);
    const unsigned count = group ? topo_indices(r.topology, true) : r.supervisor.chassis;
    die_and_return(&r, r.topology->routers - count, r.topology->routers, s);
    end(&r);
}

/* The last chips that have nodes. */
static void chips(const struct options *o, const char *what, unsigned count, struct scenario s[2])
{
    struct run r;
    name_two(o, what, s);
    begin(&r, o, 1, 0);
    const unsigned last = r.topology->node[r.topology->nodes - 1].router + 1;
    die_and_return(&r, last - count, last, s);
    end(&r);
}

/* Eight links of a router that stand in a row and lead the same way are one cable: cut, or whole again. */
static void cable_of(struct run *r, unsigned router, bool mended)
{
    const struct port *port = r->topology->ports[router];
    unsigned count = 0;
    uint8_t kind = 0;
    for (unsigned p = 0; p < r->topology->machine->ports && count < CABLE; p++) {
        if (port[p].router == TOPO_NOBODY || (count > 0 && port[p].kind != kind))
            continue;
        kind = port[p].kind;
        count++;
        if (mended)
            faults_mend(r->network, router, p);
        else
            faults_cut(r->network, router, p);
    }
}

static void cable(const struct options *o, struct scenario s[2])
{
    struct run r;
    name_two(o, "cable", s);
    begin(&r, o, 1, 0);
    const unsigned router = sim_below(&r.random, r.topology->node[r.topology->nodes - 1].router);
    for (unsigned k = 0; k < 2; k++) {
        before(&r, &s[k]);
        cable_of(&r, router, k);
        recover(&r, &s[k]);
    }
    end(&r);
}

/* All scenarios of the networks; how many there are. */
static unsigned play(const struct options *o, struct scenario s[SCENARIOS])
{
    const struct victim victim = network_of(o->network[1], 0);
    const unsigned links = o->brief ? 1 : 100;
    unsigned n = 0;
    topo_free(victim.topology);
    topo_free(network_of(o->network[0], links).topology);
    for (unsigned count = 1; count <= links; count *= 10)
        cut_links(o, count, &s[n++]);
    if (victim.plain) {
        if (!o->brief) {
            cable(o, &s[n]);
            chips(o, "module", MODULE, &s[n + 2]);
            n += 4;
        }
        chips(o, "chip", 1, &s[n]);
        return n + 2;
    }
    parts(o, "chassis", false, &s[n]);
    parts(o, "group", true, &s[n + 2]);
    return n + 4;
}

/* ---- report ------------------------------------------------------------------------------------ */

static void print_all(const struct options *o, const struct scenario *s, unsigned count)
{
    printf("seed %" PRIu64 "\n", o->seed);
    printf("%-13s %6s %7s %7s %7s %7s %7s %7s %6s %7s %7s %7s %7s\n", "scenario", "lost", "cable",
           "port", "router", "dropped", "mask", "detect", "resume", "words", "before", "during",
           "after");
    for (unsigned i = 0; i < count; i++, s++)
        printf("%-13s %6" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64
               " %7" PRIu64 " %6" PRIu64 " %7u %7.4f %7.4f %7.4f%s%s\n",
               s->name, s->lost, s->at.cable, s->at.port, s->at.router, s->at.dropped, s->mask,
               s->detect, s->resume, s->words, s->before, s->during, s->after,
               s->unaccounted ? "  NOT ACCOUNTED FOR" : "",
               s->restless ? "  PACKETS STILL MOVED" : "");
}

static bool write_report(const struct scenario *s, unsigned count, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return false;
    for (unsigned i = 0; i < count; i++, s++)
        fprintf(f,
                "%s{\"scenario\": \"%s\", \"network\": \"%s\", \"lost\": %" PRIu64
                ", \"unaccounted\": %" PRIu64 ", \"duplicated\": %" PRIu64
                ", \"clocks_to_mask\": %" PRIu64 ", \"clocks_to_detect\": %" PRIu64
                ", \"clocks_to_resume\": %" PRIu64
                ", \"accepted_before\": %.4f, \"accepted_during\": %.4f, \"accepted_after\": %.4f, "
                "\"lost_in_cables\": %" PRIu64 ", \"lost_at_ports\": %" PRIu64
                ", \"lost_in_routers\": %" PRIu64 ", \"dropped\": %" PRIu64
                ", \"routers_found\": %u, \"chassis_found\": %u, \"groups_found\": %u, "
                "\"given_up\": %u, \"words\": %u, \"restless\": %u, \"link_deaths\": %" PRIu64
                ", \"cycles\": %" PRIu64 "}",
                i ? ",\n " : "[", s->name, s->network, s->lost, s->unaccounted, s->wrong, s->mask,
                s->detect, s->resume, s->before, s->during, s->after, s->at.cable, s->at.port,
                s->at.router, s->at.dropped, s->routers, s->chassis, s->groups, s->given_up,
                s->words, s->restless, s->deaths, s->cycles);
    fputs("]", f);
    const bool good = fclose(f) == 0 && whole_write(path, text);
    free(text);
    return good;
}

int main(int argc, char **argv)
{
    const struct options o = read_options(argc, argv);
    struct scenario s[SCENARIOS] = {0};
    bool good = true;
    const unsigned count = play(&o, s);
    print_all(&o, s, count);
    for (unsigned i = 0; i < count; i++)
        good = good && s[i].unaccounted == 0 && s[i].wrong == 0;
    if (!write_report(s, count, o.json))
        sim_fail("%s: cannot write the report: %s", o.json, strerror(errno));
    printf("%s\n", o.json);
    return whole_status(good && sim_failed_checks == 0);
}
