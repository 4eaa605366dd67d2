// SPDX-License-Identifier: Apache-2.0
/*
 * demo_bgl.c - a Blue Gene/L torus of 2 x 2 x 2 nodes at work: every node sends to every other in turn, full packets that any path may take, over links with bit
 * errors; one node in lockstep with its RTL. Then the cables are good, all arrives, and both ends of every link agree on their CRC-32.
 *
 * The last round, a packet of one chunk from each node to each, is the waveform. Ends with a table, build/reports/demo-bgl.json and
 * build/demo/bgl_node.fst; exit status 1 if anything was wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/bgl/bgl_bench.h"
#include "tb/system/programs/options.h"

extern const struct cosim_module bgl_node_cosim;

enum { SIDE = 2, CABLE = 11, QUEUED = 6, DRAIN = 200000, REST = 4000, LEAST_CYCLES = 2000 };
#define BER 1e-5

static const char json_path[] = "build/reports/demo-bgl.json";
static const char fst_path[] = "build/demo/bgl_node.fst";

static struct bgl_bench bench;
static struct progress progress;

/* What happened on all links. */
static struct sums {
    uint64_t bytes;     /* of packets, from core to core */
    uint64_t again;     /* packets sent again */
    uint64_t timeouts;  /* their reasons */
    uint64_t hops;      /* packets begun on a link */
    uint64_t escapes;   /* dynamic ones that took the bubble VC */
    uint64_t bypassed;  /* packets that left with their header */
    uint64_t corrected; /* gap words with wrong bits */
} sums;

static void step(void)
{
    bench_step(&bench);
    for (unsigned n = 0; n < bench.nodes; n++) {
        for (unsigned p = 0; p < PORTS; p++) {
            const struct bgl_port *port = &bench.node[n].port[p];
            sums.again += port->link.resend.out.repeated;
            sums.timeouts += port->link.resend.out.timed_out;
            sums.hops += port->sender.out.tx.ctl == BUS_FIRST;
            sums.escapes += port->link.resend.out.escapes;
            sums.bypassed += port->fifo.out.bypassed;
            sums.corrected += port->link.deframer.out.gap_corrected;
        }
    }
    if (bench.now % 256 == 0 && bench.now < progress.total)
        progress_show(&progress, bench.now);
}

static bool agrees(void)
{
    return bench.first.mismatches == 0 && !bench.first.rtl_failed;
}

/* Packet i of a node: to each other node in turn, by its two cores and their normal FIFOs in turn. */
static void send(unsigned node, unsigned i, unsigned chunks)
{
    const struct bench_order order = {.from = node,
                                      .to = (node + 1 + i % (bench.nodes - 1)) % bench.nodes,
                                      .fifo = 4 * (i % CORES) + i / CORES % 3,
                                      .chunks = chunks,
                                      .dynamic = true,
                                      .vc = i / 2 % 2,
                                      .group = i % 2};
    if (bench_send(&bench, &order) >= 0)
        sums.bytes += 32 * chunks;
}

static void all_to_all(uint64_t cycles)
{
    unsigned sent[BENCH_MOST] = {0};
    while (bench.now < cycles && agrees()) {
        for (unsigned n = 0; n < bench.nodes; n++)
            if (bench.core[n][sent[n] % CORES].count < QUEUED)
                send(n, sent[n]++, 8);
        step();
    }
}

static bool all_here(void)
{
    for (uint64_t end = bench.now + DRAIN; bench.now < end && agrees();) {
        uint64_t wanted = 0;
        for (unsigned i = 0; i < bench.packets; i++)
            wanted += bench.packet[i].wanted;
        if (bench.arrived >= wanted)
            return true;
        for (unsigned i = 0; i < 64; i++)
            step();
    }
    return false;
}

static void cables(double ber)
{
    for (unsigned n = 0; n < bench.nodes; n++)
        for (unsigned p = 0; p < PORTS; p++)
            bench.cable[n][p].ber = ber;
}

static bool play(uint64_t cycles, struct misses *rest)
{
    cables(BER);
    all_to_all(cycles);
    cables(0);
    bool good = all_here();
    for (unsigned i = 0; i < REST && agrees(); i++)
        step();
    good = bench_at_rest(&bench, rest) && good;
    whole_make_folder("build/demo");
    bench.first.cosim->rtl_trace(bench.first.rtl, fst_path);
    for (unsigned i = 0; i + 1 < bench.nodes; i++)
        for (unsigned n = 0; n < bench.nodes; n++)
            send(n, i, 1);
    return all_here() && good;
}

/* Links whose ends have the same CRC-32 over what was sent and accepted. */
static unsigned equal_links(void)
{
    unsigned equal = 0;
    for (unsigned n = 0; n < bench.nodes; n++) {
        for (unsigned p = 0; p < PORTS; p++) {
            const struct bench_cable *c = &bench.cable[n][p];
            equal += bench.node[n].port[p].link.resend.out.crc ==
                     bench.node[c->to].port[c->port].link.deframer.out.crc;
        }
    }
    return equal;
}

static uint64_t flipped(void)
{
    uint64_t bits = 0;
    for (unsigned n = 0; n < bench.nodes; n++)
        for (unsigned p = 0; p < PORTS; p++)
            bits += bench.cable[n][p].flipped;
    return bits;
}

static void row(const char *name, uint64_t value)
{
    printf("  %-38s %14" PRIu64 "\n", name, value);
}

static void print_table(double native, double rtl)
{
    printf("\n");
    row("packets sent", bench.packets);
    row("packets delivered", bench.arrived);
    row("bytes", sums.bytes);
    row("delivered twice", bench.twice);
    row("changed or at a wrong place", bench.wrong + bench.unexplained);
    row("hops", sums.hops);
    row("hops by the bypass", sums.bypassed);
    row("hops by the escape VC", sums.escapes);
    row("bit errors on the links", flipped());
    row("gap words corrected", sums.corrected);
    row("time-outs", sums.timeouts);
    row("packets sent again", sums.again);
    row("links", bench.nodes * PORTS);
    row("links whose ends agree on CRC-32", equal_links());
    row("lockstep clocks, one node", bench.now);
    row("lockstep mismatches", bench.first.mismatches);
    row("failed assertions", harness_failures());
    printf("  %-38s %14.0f clocks of a node per second\n", "native C", native);
    printf("  %-38s %14.0f\n", "Verilator", rtl);
}

static bool write_report(double native, double rtl)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "packets_sent", bench.packets);
    cJSON_AddNumberToObject(json, "packets_delivered", (double)bench.arrived);
    cJSON_AddNumberToObject(json, "bytes", (double)sums.bytes);
    cJSON_AddNumberToObject(json, "duplicated", (double)bench.twice);
    cJSON_AddNumberToObject(json, "wrong", (double)(bench.wrong + bench.unexplained));
    cJSON_AddNumberToObject(json, "hops", (double)sums.hops);
    cJSON_AddNumberToObject(json, "bypassed", (double)sums.bypassed);
    cJSON_AddNumberToObject(json, "escapes", (double)sums.escapes);
    cJSON_AddNumberToObject(json, "bit_errors", (double)flipped());
    cJSON_AddNumberToObject(json, "timeouts", (double)sums.timeouts);
    cJSON_AddNumberToObject(json, "retransmissions", (double)sums.again);
    cJSON_AddNumberToObject(json, "links", bench.nodes * PORTS);
    cJSON_AddNumberToObject(json, "links_equal", equal_links());
    cJSON_AddNumberToObject(json, "lockstep_cycles", (double)bench.now);
    cJSON_AddNumberToObject(json, "mismatches", (double)bench.first.mismatches);
    cJSON_AddNumberToObject(json, "failed_checks", (double)harness_failures());
    cJSON_AddNumberToObject(json, "native_clocks_per_second", native);
    cJSON_AddNumberToObject(json, "verilator_clocks_per_second", rtl);
    cJSON_AddNumberToObject(json, "seed", (double)progress.seed);
    return report_write(json_path, json);
}

int main(int argc, char **argv)
{
    uint64_t seed, cycles = 20000;
    const char *info = "build/rtl/bgl/bgl_node.json";
    const struct args_option rows[] = {options_demo(&cycles, LEAST_CYCLES, &info), args_end()};
    const struct args args = {
        .about = "Blue Gene/L torus of 2 x 2 x 2 nodes, one of them C and Verilog in lockstep.",
        .option = rows,
        .seed = &seed};
    struct misses rest = {0};

    (void)args_read(&args, argc, argv);
    printf("Blue Gene/L torus: %d x %d x %d nodes, all-to-all over links with a bit error rate of "
           "%g, %" PRIu64 " clocks, --seed %" PRIu64 "\n",
           SIDE, SIDE, SIDE, BER, cycles, seed);
    fflush(stdout);
    progress_start(&progress, "demo, clocks", cycles, seed);
    bench_start_lockstep(&bench, SIDE, SIDE, SIDE, CABLE, seed, &bgl_node_cosim);
    const bool arrived = play(cycles, &rest);
    progress_end(&progress, bench.now);

    const double native = (double)bench.now / bench.first.native_seconds;
    const double rtl = (double)bench.now / bench.first.rtl_seconds;
    print_table(native, rtl);
    dut_explain(&bench.first, info);
    const bool good = arrived && agrees() && bench.twice + bench.wrong + bench.unexplained == 0 &&
                      bench.arrived == bench.packets && equal_links() == bench.nodes * PORTS &&
                      harness_failures() == 0;
    if (rest.count)
        printf("%s\n", rest.first);
    const bool written = write_report(native, rtl);
    bench_free(&bench);
    printf("\nreport: %s   waveform: %s\n%s\n", json_path, fst_path,
           good ? "everything agreed" : "SOMETHING IS WRONG");
    return whole_status(good && written);
}
