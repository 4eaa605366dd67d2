// SPDX-License-Identifier: Apache-2.0
/*
 * deadlock_main.c - build/bin/deadlock: cycles in the channel dependency graphs of networks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/bgl/channels.h"
#include "sim/seastar/waits.h"
#include "sim/net/families.h"
#include "sim/net/deadlock.h"
#include "sim/base/parallel.h"
#include "sim/base/args.h"
#include "sim/base/progress.h"
#include "sim/base/program.h"
#include "sim/base/whole.h"

/*
 * What is shipped, in sizes that show every case: one and several groups, chassis and gateways; rings of
 * one, two, odd and even sizes; all ranks. And the largest that take seconds.
 */
static const struct {
    const char *topology;
    unsigned groups; /* destinations; 0: all */
} shipped[] = {
    {"dragonfly:1x6x16", 0},   {"dragonfly:2x1x4x2", 0},
    {"dragonfly:5x2x4x3", 0},  {"dragonfly:9x2x4x1", 0},
    {"dragonfly:25x2x4", 0},   {"dragonfly:6x6x16", 2},
    {"dragonfly:41x3x16", 2},  {"dragonfly:9x1x4x2", 0},
    {"dragonfly:33x1x8x4", 0}, {"dragonfly16:33x1x8x4", 0},
    {"torus:4x4x4", 0},        {"torus:5x3x2", 0},
    {"torus:8x1x7", 0},        {"torus:8x8x8", 0},
    {"torus:25x16x24", 4},     {"clos:1x32", 0},
    {"clos:1.5x9x32", 0},      {"clos:2x32x32", 0},
    {"clos:2.5x9x16x32", 16},  {"clos:3x4x16x32", 0},
    {"clos:3x32x16x32", 4},    {"clos:3.5x4x3x4x8", 0},
};

/* How many of them; a head of theirs goes up from a link behind its CRC alone. */
enum { DRAGONFLIES = 10 };

static const char about[] =
    "Builds the channel dependency graph of each network from its routing tables and VC maps and "
    "finds its cycles. Without a topology: those that are shipped, of them tori and Clos with "
    "--any-head. Exit status 1 if one has a cycle.";

/* The name of a Blue Gene/L torus begins so. */
static const char bgl[] = "bgl:";
/* That of a network of SeaStar chips so. */
static const char seastar[] = "seastar:";

struct options {
    const char *json, *tables;
    unsigned groups, jobs;
    bool fold, any_head;
    const char **topology; /* as many as `topologies` */
    unsigned topologies;
};

static struct options read_options(int argc, char **argv)
{
    struct options o = {.jobs = sim_processors(),
                        .topology = sim_alloc((size_t)argc, sizeof *o.topology)};
    const struct args_option option[] = {
        args_text("--json", "FILE", &o.json,
                  "report (without a topology build/reports/deadlock.json, -any-head)"),
        args_unsigned("--groups", &o.groups, 1, UINT32_MAX,
                      "destinations of N groups only, evenly spread"),
        args_flag("--fold", &o.fold,
                  "by symmetry: all groups of a dragonfly as one, by all candidates"),
        args_flag("--any-head", &o.any_head,
                  "packets with any destination and VC at every port, as bit errors make them"),
        args_unsigned("--jobs", &o.jobs, 1, 1024, "threads"),
        args_text("--tables", "FILE", &o.tables,
                  "the tables of one topology, as netsim --write-tables has written them"),
        args_end()};
    const struct args args = {about,      option,     NULL, topo_help,
                              "TOPOLOGY", o.topology, 0,    (unsigned)argc};
    o.topologies = args_read(&args, argc, argv);
    if (o.fold && (o.tables || o.groups))
        sim_fail(
            "--fold is for all groups, by candidates: neither --groups nor --tables go with it");
    if (o.fold && o.any_head)
        sim_fail("--fold is for packets that processors send: --any-head does not go with it");
    if (o.tables && o.topologies != 1)
        sim_fail("--tables belongs to one topology");
    if (o.topologies == 0 && !o.json)
        o.json =
            o.any_head ? "build/reports/deadlock-any-head.json" : "build/reports/deadlock.json";
    if (o.json && !whole_possible(o.json))
        sim_fail("%s: cannot write: %s", o.json, strerror(errno));
    return o;
}

static struct deadlock check(const char *name, const struct options *o, unsigned groups)
{
    const char *file = o->tables;
    char error[TABLES_ERROR];
    struct deadlock d;
    struct topology *t = topo_parse(name, error);
    if (!t)
        sim_fail("%s", error);
    struct tables tables = tables_computed(t);
    if ((file && !tables_read(&tables, t, file, error)) ||
        !(o->fold ? deadlock_check_folded(t, o->jobs, &d, error)
                  : deadlock_check_by(&tables, o->any_head ? HEADS_ANY : HEADS_SENT, groups,
                                      o->jobs, &d, error)))
        sim_fail("%s: %s", name, error);
    tables_free(&tables);
    topo_free(t);
    return d;
}

/* bgl:XxYxZ has no tables: its channels, and cycles between rings. */
static struct deadlock check_bgl(const char *name, const struct options *o)
{
    char error[SHAPE_ERROR];
    struct shape s;
    struct channels c;
    if (o->fold || o->any_head || o->groups || o->tables)
        sim_fail(
            "%s: it has no tables: --fold, --any-head, --groups and --tables do not go with it",
            name);
    if (!shape_read(&s, name + sizeof bgl - 1, error))
        sim_fail("%s", error);
    channels_check(&s, channels_xyz, &c);
    struct deadlock d = {.channels = c.channels,
                         .dependencies = c.dependencies,
                         .cycles = c.cycles,
                         .largest = c.largest,
                         .bytes = c.bytes};
    snprintf(d.example, sizeof d.example, "%s", c.example);
    return d;
}

/* seastar:XxYxZ: tables of another form, and no row buffers. */
static struct deadlock check_seastar(const char *name, const struct options *o)
{
    char error[TORUS3_ERROR];
    struct torus3 t;
    struct waits w;
    if (o->fold || o->any_head || o->groups || o->tables)
        sim_fail("%s: all packets are followed: --fold, --any-head, --groups and --tables do not "
                 "go with it",
                 name);
    if (!torus3_read(&t, name + sizeof seastar - 1, error))
        sim_fail("%s", error);
    waits_check(&t, &w);
    if (w.lost)
        sim_fail("%s: %" PRIu64 " packets do not arrive", name, w.lost);
    struct deadlock d = {.channels = w.channels,
                         .dependencies = w.dependencies,
                         .cycles = w.cycles,
                         .largest = w.largest,
                         .bytes = w.bytes};
    snprintf(d.example, sizeof d.example, "%s", w.example);
    return d;
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static struct deadlock check_named(const char *name, const struct options *o, unsigned groups)
{
    return begins(name, bgl)       ? check_bgl(name, o)
           : begins(name, seastar) ? check_seastar(name, o)
                                   : check(name, o, groups);
}

static void report(FILE *json, const char *name, const struct deadlock *d, double seconds,
                   bool first)
{
    printf("%-24s %6u %10" PRIu64 " %12" PRIu64 " %8" PRIu64 "   %-4s %6.0f %6.1f\n", name,
           d->groups, d->channels, d->dependencies, d->cycles, d->cycles ? "NO" : "yes",
           d->bytes / 1e6, seconds);
    if (d->cycles)
        printf("    %" PRIu64 " channels in one; a cycle: %s\n", d->largest, d->example);
    fflush(stdout);
    fprintf(json,
            "%s  {\"name\": \"%s\", \"groups\": %u, \"channels\": %" PRIu64
            ", \"dependencies\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"escape_cycles\": %" PRIu64
            ", \"free\": %s}",
            first ? "" : ",\n", name, d->groups, d->channels, d->dependencies, d->cycles, d->cycles,
            d->cycles ? "false" : "true");
}

int main(int argc, char **argv)
{
    const struct options o = read_options(argc, argv);
    const bool all = o.topologies == 0;
    const unsigned first = all && o.any_head ? DRAGONFLIES : 0;
    const unsigned count = all ? sizeof shipped / sizeof *shipped : o.topologies;
    char *text = NULL;
    size_t size = 0;
    FILE *json = open_memstream(&text, &size);
    bool bad = !json || fputs("[\n", json) < 0;

    printf("%-24s %6s %10s %12s %8s   %-4s %6s %6s\n", "network", "groups", "channels",
           "dependencies", "cycles", "free", "MB", "s");
    for (unsigned i = first; json && i < count; i++) {
        const double started = progress_seconds();
        const char *name = all ? shipped[i].topology : o.topology[i];
        const struct deadlock d =
            check_named(name, &o, all && !o.groups ? shipped[i].groups : o.groups);
        report(json, name, &d, progress_seconds() - started, i == first);
        bad |= d.cycles != 0;
    }
    if (!json || fputs("\n]", json) < 0 || fclose(json) != 0)
        sim_fail("out of memory");
    if (o.json && !whole_write(o.json, text))
        sim_fail("%s: cannot write the report: %s", o.json, strerror(errno));
    if (o.json)
        printf("%s\n", o.json);
    free(text);
    free(o.topology);
    return whole_status(!bad);
}
