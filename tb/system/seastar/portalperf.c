// SPDX-License-Identifier: Apache-2.0
/*
 * portalperf.c - PortalPerf: puts, gets and bidirectional puts between two neighbours, by size, in accelerated and in generic mode.
 *
 * Two native seastar2 chips on ideal cables; a program on each calls the library (sim/host/portals). A time is from the last beat of the
 * command to the END event in the target's memory: of a put at the other node, of a get at its own; a bidirectional put ends with the
 * later one. Bytes per clock are size by time. In accelerated mode it measures streams and match lists, too. Writes
 * build/reports/portalperf.json and two SVGs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/host/portals/portals.h"
#include "sim/base/whole.h"
#include "tb/base/harness.h"
#include "tb/system/seastar/perf_plot.h"
#include "tb/system/seastar/ss_nodes.h"

enum {
    PORTAL = 4,
    PID = 20,
    FROM = 0,
    TO = 4 << 20,
    SPAN = 3 << 20,
    EVENTS = 1024,
    LISTED = 40,
    LISTED_TRIPS = 10
};

struct options {
    const char *mode, *json, *svg;
    unsigned interrupt, entry, me, command, trips;
    double rate;
    uint64_t most, seed;
};

struct side {
    ptl_handle_ni_t ni;
    ptl_handle_eq_t eq;
    ptl_handle_md_t source;
    struct ss_node_host *host;
};

struct result {
    uint64_t clocks;     /* of all trips */
    uint64_t interrupts; /* at the targets */
};

static struct ss_nodes nodes;
static struct side side[2];
static struct perf perf;
static cJSON *report;

static void expect(int status, const char *what)
{
    if (status != PTL_OK) {
        fprintf(stderr, "portalperf: %s: code %d\n", what, status);
        exit(1);
    }
}

static void begin(unsigned i, bool accelerated, const struct options *o)
{
    struct side *s = &side[i];
    ptl_handle_me_t me;
    ptl_handle_md_t target;
    s->host = &nodes.node[i];
    s->host->port.cost_entry = o->entry;
    s->host->port.cost_me = o->me;
    s->host->port.cost_command = o->command;
    ptl_choose(&s->host->port, accelerated);
    expect(PtlNIInit(0, PID + i, &s->ni), "PtlNIInit");
    expect(PtlEQAlloc(s->ni, EVENTS, &s->eq), "PtlEQAlloc");
    const ptl_process_id_t any = {PTL_NID_ANY, PTL_PID_ANY};
    expect(PtlMEAttach(s->ni, PORTAL, any, 0, 0, PTL_RETAIN, PTL_INS_AFTER, &me), "PtlMEAttach");
    const ptl_md_t md = {.start = s->host->memory + TO,
                         .length = SPAN,
                         .threshold = PTL_MD_THRESH_INF,
                         .options = PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE,
                         .eq_handle = s->eq};
    expect(PtlMDAttach(me, md, PTL_RETAIN, &target), "PtlMDAttach");
    const ptl_md_t source = {.start = s->host->memory + FROM,
                             .length = SPAN,
                             .threshold = PTL_MD_THRESH_INF,
                             .eq_handle = s->eq};
    expect(PtlMDBind(s->ni, source, PTL_RETAIN, &s->source), "PtlMDBind");
}

/* Waits for an event of a type, others are passed over. */
static void await(unsigned i, ptl_event_kind_t type)
{
    ptl_event_t event;
    do
        expect(PtlEQWait(side[i].eq, &event), "PtlEQWait");
    while (event.type != type);
    if (event.ni_fail_type != 0)
        expect((int)event.ni_fail_type, "an event that failed");
}

/* Where the event was written: by the chip, or just now by the host. */
static uint64_t told_at(unsigned i, bool accelerated)
{
    return accelerated ? side[i].host->last_event : nodes.clock;
}

static void put(unsigned from, uint64_t bytes)
{
    const ptl_process_id_t target = {1 - from, PID + 1 - from};
    expect(PtlPutRegion(side[from].source, 0, bytes, PTL_NOACK_REQ, target, PORTAL, 0, 0, 0, 0),
           "PtlPutRegion");
}

static uint64_t one_way(unsigned from, uint64_t bytes, bool accelerated)
{
    put(from, bytes);
    const uint64_t began = side[from].host->last_beat;
    await(1 - from, PTL_EVENT_PUT_END);
    return told_at(1 - from, accelerated) - began;
}

static uint64_t get(uint64_t bytes, bool accelerated)
{
    const ptl_process_id_t target = {1, PID + 1};
    expect(PtlGetRegion(side[0].source, 0, bytes, target, PORTAL, 0, 0, 0), "PtlGetRegion");
    const uint64_t began = side[0].host->last_beat;
    await(0, PTL_EVENT_REPLY_END);
    return told_at(0, accelerated) - began;
}

static uint64_t both(uint64_t bytes, bool accelerated)
{
    put(0, bytes);
    const uint64_t began = side[0].host->last_beat;
    put(1, bytes);
    await(0, PTL_EVENT_PUT_END);
    const uint64_t first = told_at(0, accelerated);
    await(1, PTL_EVENT_PUT_END);
    const uint64_t second = told_at(1, accelerated);
    return (first > second ? first : second) - began;
}

static void drain(void)
{
    ptl_event_t event;
    for (unsigned t = 0; t < 3000; t++)
        nodes_step(&nodes);
    for (unsigned i = 0; i < 2; i++)
        while (PtlEQGet(side[i].eq, &event) != PTL_EQ_EMPTY) {
        }
}

static struct result measure(unsigned test, uint64_t bytes, unsigned trips, bool accelerated)
{
    struct result r = {0};
    for (unsigned t = 0; t < trips; t++) {
        drain();
        const uint64_t before = nodes.node[1].interrupts;
        r.clocks += test == 0   ? one_way(0, bytes, accelerated)
                    : test == 1 ? get(bytes, accelerated)
                                : both(bytes, accelerated);
        drain();
        r.interrupts += nodes.node[1].interrupts - before;
    }
    return r;
}

/* Messages one behind the other: clocks from the first END to the last. */
static double stream(uint64_t bytes, unsigned count)
{
    uint64_t first = 0;
    drain();
    for (unsigned n = 0; n < count; n++)
        put(0, bytes);
    for (unsigned n = 0; n < count; n++) {
        await(1, PTL_EVENT_PUT_END);
        first = n == 0 ? nodes.clock : first;
    }
    return (double)(side[1].host->last_event - first) / (count - 1);
}

/* ---- match lists --------------------------------------------------------------------------------- */

/* Clocks that each of LISTED entries in front of the target's costs a put of 0 bytes: of other match bits, or such whose descriptor allows no puts. */
static double listed(bool refuses)
{
    const ptl_process_id_t any = {PTL_NID_ANY, PTL_PID_ANY};
    const ptl_md_t md = {.start = side[1].host->memory,
                         .threshold = PTL_MD_THRESH_INF,
                         .options = PTL_MD_OP_GET,
                         .eq_handle = PTL_EQ_NONE};
    ptl_handle_me_t me[LISTED];
    ptl_handle_md_t handle;
    const uint64_t alone = measure(0, 0, LISTED_TRIPS, true).clocks;
    for (unsigned n = 0; n < LISTED; n++) {
        expect(
            PtlMEAttach(side[1].ni, PORTAL, any, !refuses, 0, PTL_RETAIN, PTL_INS_BEFORE, &me[n]),
            "PtlMEAttach");
        expect(PtlMDAttach(me[n], md, PTL_RETAIN, &handle), "PtlMDAttach");
    }
    const uint64_t behind = measure(0, 0, LISTED_TRIPS, true).clocks;
    for (unsigned n = 0; n < LISTED; n++)
        expect(PtlMEUnlink(me[n]), "PtlMEUnlink");
    return (double)(behind - alone) / (LISTED * LISTED_TRIPS);
}

/* ---- what is printed ------------------------------------------------------------------------------ */

static const char *const names[PERF_TESTS] = {"put", "get", "bidirectional put"};
static const char *const modes[PERF_MODES] = {"accelerated", "generic"};

static void add_row(bool accelerated, const char *test, uint64_t bytes, double clocks,
                    double interrupts)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "mode", modes[!accelerated]);
    cJSON_AddStringToObject(row, "test", test);
    cJSON_AddNumberToObject(row, "bytes", (double)bytes);
    cJSON_AddNumberToObject(row, "clocks", clocks);
    cJSON_AddNumberToObject(row, "bytes_per_clock", (double)bytes / clocks);
    cJSON_AddNumberToObject(row, "interrupts", interrupts);
    cJSON_AddItemToArray(report, row);
}

static double rate_of(const struct perf_curve *c, unsigned i)
{
    return (double)c->bytes[i] / c->clocks[i];
}

static double clocks_of(const struct perf_curve *c, uint64_t bytes)
{
    for (unsigned i = 0; i < c->points; i++)
        if (c->bytes[i] == bytes)
            return c->clocks[i];
    return 0;
}

/* The size from which on half of the greatest bandwidth is reached, between two sizes on a straight line; and what the time of 13 bytes makes it. */
static void print_half_point(const struct perf_curve *c)
{
    double best = 0, half = 0;
    for (unsigned i = 0; i < c->points; i++)
        best = rate_of(c, i) > best ? rate_of(c, i) : best;
    for (unsigned i = 1; i < c->points && half == 0; i++)
        if (rate_of(c, i) >= best / 2)
            half = (double)c->bytes[i - 1] + (best / 2 - rate_of(c, i - 1)) /
                                                 (rate_of(c, i) - rate_of(c, i - 1)) *
                                                 (double)(c->bytes[i] - c->bytes[i - 1]);
    printf("half of the bandwidth at %.0f bytes; the time of 13 bytes x bandwidth: %.0f\n", half,
           clocks_of(c, 13) * best);
}

static void run_sizes(bool accelerated, unsigned test, const struct options *o)
{
    static const uint64_t size[] = {0,    1,     8,     12,    13,     16,      32,     64,
                                    128,  256,   512,   1024,  2048,   3072,    4096,   6144,
                                    8192, 16384, 32768, 65536, 102400, 1048576, 2097152};
    struct perf_curve *c = &perf.curve[!accelerated][test];
    printf("\n%s, %s\n%10s %10s %10s %10s %8s\n", modes[!accelerated], names[test], "bytes",
           "clocks", "ns", "interrupts", "B/clock");
    for (unsigned n = 0; n < sizeof size / sizeof *size && size[n] <= o->most; n++) {
        const unsigned trips = size[n] > 65536 ? 1 : o->trips;
        const struct result r = measure(test, size[n], trips, accelerated);
        const double clocks = (double)r.clocks / trips;
        c->bytes[c->points] = size[n];
        c->clocks[c->points++] = clocks;
        printf("%10" PRIu64 " %10.0f %10.0f %10.2f %8.2f\n", size[n], clocks, clocks * PERF_NS,
               (double)r.interrupts / trips, (double)size[n] * (test == 2 ? 2 : 1) / clocks);
        add_row(accelerated, names[test], size[n], clocks, (double)r.interrupts / trips);
    }
    print_half_point(c);
}

/* What the seed tells as steps and ratios. */
static void print_ratios(bool accelerated)
{
    const struct perf_curve *c = perf.curve[!accelerated];
    const double put_0 = clocks_of(&c[0], 0);
    printf("\n%s: 0 bytes, get : put %.2f, bidirectional : put %.2f (XT3: 1.25, 1.72)\n",
           modes[!accelerated], clocks_of(&c[1], 0) / put_0, clocks_of(&c[2], 0) / put_0);
    printf("step of a put from 12 to 13 bytes: %.0f clocks\n",
           clocks_of(&c[0], 13) - clocks_of(&c[0], 12));
}

static void run_streams(void)
{
    for (unsigned bytes = 0; bytes <= 12; bytes += 12) {
        const double clocks = stream(bytes, 12);
        printf("stream of %u bytes: a message per %.1f clocks\n", bytes, clocks);
        add_row(true, "stream", bytes, clocks, 0);
    }
    const double passed = listed(false), refused = listed(true);
    printf("an entry that is passed: %.1f clocks; more where its descriptor refuses: %.1f\n",
           passed, refused - passed);
    add_row(true, "entry passed", 0, passed, 0);
    add_row(true, "descriptor refuses", 0, refused - passed, 0);
}

static void run(bool accelerated, const struct options *o)
{
    nodes = (struct ss_nodes){.interrupt = accelerated ? 0 : o->interrupt, .rate = o->rate};
    if (!nodes_start(&nodes, 2)) {
        fprintf(stderr, "portalperf: the links do not come up\n");
        exit(1);
    }
    for (unsigned i = 0; i < 2; i++)
        begin(i, accelerated, o);
    for (unsigned test = 0; test < PERF_TESTS; test++)
        run_sizes(accelerated, test, o);
    print_ratios(accelerated);
    if (accelerated)
        run_streams();
    PtlFini();
    nodes_free(&nodes);
}

static bool is_mode(const struct options *o, const char *mode)
{
    return strcmp(o->mode, mode) == 0 || strcmp(o->mode, "both") == 0;
}

int main(int argc, char **argv)
{
    struct options o = {.mode = "both",
                        .json = "build/reports/portalperf.json",
                        .svg = "build/reports/portalperf",
                        .interrupt = 781,
                        .entry = 100,
                        .me = 8,
                        .command = 40,
                        .trips = 5,
                        .rate = 1,
                        .most = 2097152};
    const struct args_option rows[] = {
        args_text("--mode", "MODE", &o.mode, "generic, accelerated or both"),
        args_unsigned("--interrupt", &o.interrupt, 0, 2000,
                      "clocks from an interrupt to its handler"),
        args_unsigned("--handler", &o.entry, 0, 10000,
                      "clocks of the handler for an entry of the ring"),
        args_unsigned("--trips", &o.trips, 1, 100000, "trips of each size up to 64 KB"),
        args_load("--host-rate", &o.rate, "beats of 8 bytes that memory gives and takes per clock"),
        args_number("--most", &o.most, 0, 2097152, "greatest size in bytes"),
        args_text("--json", "FILE", &o.json, "report"),
        args_text("--svg", "FILE", &o.svg, "plots, without -latency.svg and -bandwidth.svg"),
        args_end()};
    const struct args args = {.about = "Measures puts and gets between two SeaStar chips.",
                              .option = rows,
                              .seed = &o.seed};
    int interfaces;
    args_read(&args, argc, argv);
    if (!is_mode(&o, "generic") && !is_mode(&o, "accelerated")) {
        fprintf(stderr, "portalperf: --mode %s: generic, accelerated or both\n", o.mode);
        return 1;
    }
    expect(PtlInit(&interfaces), "PtlInit");
    report = cJSON_CreateArray();
    if (is_mode(&o, "accelerated"))
        run(true, &o);
    if (is_mode(&o, "generic")) {
        expect(PtlInit(&interfaces), "PtlInit");
        run(false, &o);
    }
    const bool plotted = perf_plot(&perf, o.svg);
    if (!plotted)
        fprintf(stderr, "portalperf: --svg %s: gnuplot does not draw there\n", o.svg);
    return whole_status(report_write(o.json, report) && plotted);
}
