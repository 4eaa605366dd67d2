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
    SCENARIOS = 7,
    NAME = 40
};

static const char about[] =
    "Cuts 1, 10 and 100 random cables of a dragonfly under uniform traffic; kills a chassis, then "
    "a whole group of it (or of the second network) and brings them back. Prints what was lost, "
    "where, and how long it took. Exit status 1 if a packet is lost that nobody can account for, "
    "comes twice or to a wrong place, or the network does not go on.";

struct options {
    const char *network[2], *json;
    double load;
    uint64_t clocks, seed;
    unsigned networks, silence; /* silence 0: none was given */
    bool lcb;
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
                "written into those: R bring-ups of T clocks until a link is dead (2x1024; after "
                "reset 8x4096)"),
        args_text("--json", "FILE", &o.json, "report"),
        args_end()};
    const struct args args = {about, option, &o.seed, NULL, "TOPOLOGY", o.network, 1, 2};
    o.networks = args_read(&args, argc, argv);
    if (o.networks == 1)
        o.network[1] = o.network[0];
    if (o.lcb ? o.silence > 0 : o.limits.retry > 0)
        sim_fail("--silence is without --lcb, --limits with it");
    o.silence = o.silence ? o.silence : SILENCE;
    o.limits = o.limits.retry ? o.limits : (struct link_limits){RETRY, TRAIN};
    if (!whole_possible(o.json))
        sim_fail("%s: cannot write: %s", o.json, strerror(errno));
    return o;
}

/* ---- a run ------------------------------------------------------------------------------------- */

/* A dragonfly that has at least so many cables, groups and chassis; and routers of a chassis. */
static struct topology *network_of(const char *name, unsigned cables, unsigned *chassis)
{
    char error[TOPO_ERROR];
    unsigned sizes[3], count = 0;
    struct topology *t = topo_parse(name, error);
    if (!t)
        sim_fail("%s", error);
    if (sscanf(name, "dragonfly:%ux%ux%u", &sizes[0], &sizes[1], &sizes[2]) != 3 &&
        sscanf(name, "dragonfly16:%ux%ux%u", &sizes[0], &sizes[1], &sizes[2]) != 3)
        sim_fail("%s: chassis and groups that die has dragonfly:GROUPSxCHASSISxSLOTS alone", name);
    for (unsigned i = 0; i < t->routers * MACHINE_PORTS; i++)
        count += t->ports[i / MACHINE_PORTS][i % MACHINE_PORTS].router != TOPO_NOBODY;
    if (sizes[0] < 3)
        sim_fail("%s: at least three groups, one of which may die", name);
    if (count / 2 < cables)
        sim_fail("%s: %u cables are too few to cut %u", name, count / 2, cables);
    *chassis = sizes[2];
    return t;
}

static void begin(struct run *r, const struct options *o, unsigned which, unsigned cables)
{
    unsigned chassis;
    struct net_config config = {.bias = BIAS,
                                .lcb = o->lcb,
                                .seed = o->seed,
                                .traffic = {.pattern = PATTERN_UNIFORM,
                                            .routing = ROUTING_ADAPTIVE,
                                            .load = o->load,
                                            .shortest = 2,
                                            .longest = 14}};
    for (unsigned k = 0; k < NET_KINDS; k++)
        config.delay[k] = DELAY;
    *r = (struct run){.options = o, .random = {o->seed}};
    r->topology = network_of(o->network[which], cables, &chassis);
    r->tables = tables_computed(r->topology);
    r->network = net_new(router_model_of(r->topology->machine), &r->tables, &config);
    faults_begin(r->network, o->silence);
    supervisor_begin(&r->supervisor, r->network, r->topology, 0, chassis, BIAS, o->limits);
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
    const struct link_limits limits = r->options->limits;
    const uint64_t quiet = QUIET + (r->options->lcb ? limits.retry * limits.train : 0);
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

static void cables(const struct options *o, unsigned count, struct scenario *s)
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

static void bring_back(struct run *r, unsigned first)
{
    const struct topology *t = r->topology;
    bool *routers = sim_alloc(t->routers, sizeof *routers);
    for (unsigned k = first; k < t->routers; k++) {
        faults_replace(r->network, k);
        routers[k] = true;
    }
    supervisor_replaced(&r->supervisor, routers);
    free(routers);
}

/* The last `count` routers die, and come back. */
static void parts(const struct options *o, const char *what, bool group, struct scenario s[2])
{
    struct run r;
    begin(&r, o, 1, 0);
    const unsigned count = group ? topo_indices(r.topology, true) : r.supervisor.chassis;
    const unsigned first = r.topology->routers - count;
    for (unsigned k = 0; k < 2; k++) {
        snprintf(s[k].name, NAME, k ? "%s back" : "%s", what);
        s[k].network = o->network[1];
    }
    r.scenario = s[0].name;
    steps(&r, o->clocks);
    s[0].before = measured(&r, o->clocks);
    for (unsigned k = first; k < r.topology->routers; k++)
        faults_kill(r.network, k);
    recover(&r, &s[0]);
    r.scenario = s[1].name;
    steps(&r, o->clocks);
    s[1].before = measured(&r, o->clocks);
    bring_back(&r, first);
    recover(&r, &s[1]);
    end(&r);
}

/* ---- report ------------------------------------------------------------------------------------ */

static void print_all(const struct options *o, const struct scenario *s)
{
    printf("seed %" PRIu64 "\n", o->seed);
    printf("%-13s %6s %7s %7s %7s %7s %7s %7s %6s %7s %7s %7s %7s\n", "scenario", "lost", "cable",
           "port", "router", "dropped", "mask", "detect", "resume", "words", "before", "during",
           "after");
    for (unsigned i = 0; i < SCENARIOS; i++, s++)
        printf("%-13s %6" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64
               " %7" PRIu64 " %6" PRIu64 " %7u %7.4f %7.4f %7.4f%s%s\n",
               s->name, s->lost, s->at.cable, s->at.port, s->at.router, s->at.dropped, s->mask,
               s->detect, s->resume, s->words, s->before, s->during, s->after,
               s->unaccounted ? "  NOT ACCOUNTED FOR" : "",
               s->restless ? "  PACKETS STILL MOVED" : "");
}

static bool write_report(const struct scenario *s, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return false;
    for (unsigned i = 0; i < SCENARIOS; i++, s++)
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
    unsigned chassis;
    topo_free(network_of(o.network[0], 100, &chassis));
    topo_free(network_of(o.network[1], 0, &chassis));
    cables(&o, 1, &s[0]);
    cables(&o, 10, &s[1]);
    cables(&o, 100, &s[2]);
    parts(&o, "chassis", false, &s[3]);
    parts(&o, "group", true, &s[5]);
    print_all(&o, s);
    for (unsigned i = 0; i < SCENARIOS; i++)
        good = good && s[i].unaccounted == 0 && s[i].wrong == 0;
    if (!write_report(s, o.json))
        sim_fail("%s: cannot write the report: %s", o.json, strerror(errno));
    printf("%s\n", o.json);
    return whole_status(good && sim_failed_checks == 0);
}
