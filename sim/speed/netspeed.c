// SPDX-License-Identifier: Apache-2.0
/*
 * netspeed.c - build/bin/netspeed: how fast whole networks are simulated, on one thread.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/args.h"
#include "sim/base/progress.h"
#include "sim/base/whole.h"
#include "sim/net/families.h"
#include "sim/engine/checks.h"
#include "sim/engine/network.h"
#include "sim/engine/ranks/launch.h"
#include "sim/speed/instructions.h"

enum { FULL = 300, PART = 20 }; /* clocks that fill the network; clocks between looks at the time */

static const char about[] =
    "Runs a network of native routers under uniform traffic and prints router-cycles and "
    "port-cycles per second of processor time, and instructions per flit-hop where the processor's "
    "counter can be read.";

struct options {
    const char *topology, *json;
    double load;
    unsigned seconds, ranks; /* ranks: to be started by us, or 0 */
    uint64_t seed, clocks;   /* clocks: 0: for seconds */
};

/* What was measured; flit_hops: flits through routers. */
struct speed {
    uint64_t clocks, flit_hops, instructions;
    double seconds, elapsed;  /* of the processor (the first rank's); of the clock on the wall */
    uint64_t messages, bytes; /* of the first rank */
    unsigned routers, ports;  /* ports in use, of all routers */
    bool counted;             /* instructions */
};

static struct options read_options(int argc, char **argv)
{
    struct options o = {.json = "build/reports/net-speed.json", .load = 0.25, .seconds = 10};
    const struct args_option option[] = {
        args_load("--load", &o.load, "flits offered per clock and processor port"),
        args_unsigned("--seconds", &o.seconds, 1, 3600, "that the measurement takes"),
        args_number("--clocks", &o.clocks, 1, 1000000000, "of the network, instead of seconds"),
        args_unsigned("--ranks", &o.ranks, 1, 100000, "as N processes by mpirun"),
        args_text("--json", "FILE", &o.json, "report"),
        args_end()};
    args_read(&(struct args){about, option, &o.seed, topo_help, "TOPOLOGY", &o.topology, 1, 1},
              argc, argv);
    if (!whole_possible(o.json))
        sim_fail("%s: cannot write: %s", o.json, strerror(errno));
    return o;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static unsigned ports_in_use(const struct topology *t)
{
    unsigned count = 0;
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < t->machine->ports; p++)
            count += t->ports[r][p].kind != PORT_UNUSED;
    return count;
}

/* Whether so much time has passed, for the slowest rank. */
static bool over(struct ranks *ranks, double begin, unsigned seconds)
{
    uint64_t nanoseconds = (uint64_t)((progress_seconds() - begin) * 1e9);
    ranks->most(&nanoseconds, 1);
    return (double)nanoseconds >= seconds * 1e9;
}

/* What is measured; by this name net-speed.sh has its instructions counted. */
__attribute__((noinline)) static void measured(struct network *n, const struct options *o,
                                               struct ranks *ranks, double begin)
{
    if (o->clocks)
        net_run(n, o->clocks);
    while (!o->clocks && !over(ranks, begin, o->seconds))
        net_run(n, PART);
}

static struct speed measure(const struct options *o, const struct tables *tables,
                            struct ranks *ranks)
{
    const struct topology *t = tables->topology;
    struct net_config config = {
        .bias = 16,
        .seed = o->seed,
        .traffic = {.load = o->load, .shortest = 2, .longest = 14},
        .ranks = ranks,
    };
    for (unsigned k = 0; k < NET_KINDS; k++)
        config.delay[k] = 10;
    struct network *n = net_new(router_model_of(t->machine), tables, &config);
    net_run(n, FULL);
    net_measure(n);
    const int counter = instructions_open();
    const double begin = processor_seconds(), wall = progress_seconds();
    const uint64_t messages = ranks->messages, bytes = ranks->bytes;
    measured(n, o, ranks, wall);
    struct speed s = {
        .seconds = processor_seconds() - begin,
        .elapsed = progress_seconds() - wall,
        .messages = ranks->messages - messages,
        .bytes = ranks->bytes - bytes,
        .routers = t->routers,
        .ports = ports_in_use(t),
    };
    s.counted = instructions_close(counter, &s.instructions);
    const struct net_stats stats = net_stats(n);
    s.clocks = stats.clocks;
    s.flit_hops = stats.hops + stats.accepted;
    if (stats.wrong || sim_failed_checks)
        sim_fail("%s: what arrives is wrong: %s", t->name, net_complaint(n));
    net_free(n);
    return s;
}

/* One rank: by its processor's time, so that what else the machine does matters little; several: by the clock on the wall. */
static void report(const struct options *o, const struct topology *t, const struct speed *s,
                   unsigned ranks)
{
    const double seconds = ranks > 1 ? s->elapsed : s->seconds;
    const double clocks = (double)s->clocks / seconds, windows = (double)s->clocks / 10;
    char instructions[32] = "null", text[800];
    if (s->counted && s->flit_hops)
        snprintf(instructions, sizeof instructions, "%.0f",
                 (double)s->instructions / (double)s->flit_hops);
    printf("%s: %u %s routers, %u ports in use, offered %g, seed %" PRIu64 "\n", t->name,
           s->routers, t->machine->name, s->ports, o->load, o->seed);
    printf("%12.0f router-cycles/s\n%12.0f port-cycles/s\n%12.0f flit-hops/s, %.2f of a router and "
           "clock\n",
           clocks * s->routers, clocks * s->ports, (double)s->flit_hops / seconds,
           (double)s->flit_hops / (double)s->clocks / s->routers);
    if (ranks > 1)
        printf(
            "%12.1f messages of %.0f bytes from the first of %u ranks in a window of 10 clocks\n",
            (double)s->messages / windows, (double)s->bytes / (double)s->messages, ranks);
    if (s->counted)
        printf("%12s instructions per flit-hop\n", instructions);
    else
        printf("%12s instructions per flit-hop: this machine lets nobody count them\n", "-");
    snprintf(text, sizeof text,
             "{\"topology\": \"%s\", \"machine\": \"%s\", \"load\": %g, \"seconds\": %.2f, "
             "\"router_cycles_per_second\": %.0f,\n"
             " \"port_cycles_per_second\": %.0f, \"flit_hops\": %" PRIu64
             ", \"flit_hops_per_second\": %.0f, "
             "\"instructions_per_flit_hop\": %s, "
             "\"ranks\": %u,\n \"router_cycles_per_second_elapsed\": %.0f}",
             t->name, t->machine->name, o->load, seconds, clocks * s->routers, clocks * s->ports,
             s->flit_hops, (double)s->flit_hops / seconds, instructions, ranks,
             (double)s->clocks * s->routers / s->elapsed);
    if (!whole_write(o->json, text))
        sim_fail("%s: cannot write the report: %s", o->json, strerror(errno));
    printf("%s\n", o->json);
}

int main(int argc, char **argv)
{
    program_invocation_short_name = (char *)"netspeed";
    struct ranks *ranks = ranks_start(&argc, &argv);
    const struct options o = read_options(argc, argv);
    const unsigned count = o.ranks ? o.ranks : ranks->count;
    char error[TABLES_ERROR];
    struct topology *t = topo_parse(o.topology, error);
    if (!t)
        sim_fail("%s", error);
    if (count > ranks_units(t))
        sim_fail("%u ranks do not divide %s: it has %u groups", count, t->name, ranks_units(t));
    struct tables tables = tables_computed(t);
    int status = EXIT_SUCCESS;
    if (o.ranks)
        status = launch(o.ranks, argv, "begin again");
    else {
        const struct speed s = measure(&o, &tables, ranks);
        if (!sim_follows)
            report(&o, t, &s, count);
        status = whole_status(true);
    }
    tables_free(&tables);
    topo_free(t);
    ranks_end(ranks);
    return status;
}
