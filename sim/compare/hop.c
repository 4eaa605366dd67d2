// SPDX-License-Identifier: Apache-2.0
/*
 * hop.c - build/bin/nethop: what a hop through an idle network takes: of aries part by part, in nanoseconds at the seed's clock; of
 * machines in packet mode by length, and what they save by not waiting for a packet's CRC.
 *
 * Measured is a packet of one flit from processor port to processor port: through one router; through two and a cable; through two, LCBs
 * and a cable. SerDes are outside of the product: what they take is assumed. So is the speed of light in a cable.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/args.h"
#include "sim/base/whole.h"
#include "sim/compare/hop.h"
#include "sim/net/families.h"
#include "sim/engine/checks.h"
#include "sim/engine/network.h"

/* Router clock in MHz and a hop in ns as Aries' white paper has them; the others are usual figures of transceivers and of fibre. */
enum { CLOCK_MHZ = 875, SEED_HOP = 100, CABLES = 3 };

static const struct {
    const char *kind;
    unsigned metres;
} cables[CABLES] = {{"backplane", 1}, {"copper", 3}, {"optical", 35}};

/* Clocks until links are up, and of the measurement. */
enum { UP = 20000, CLOCKS = 60000 };

double hop_latency(const char *name, const struct hop_of *of)
{
    char error[TOPO_ERROR];
    struct topology *t = topo_parse(name, error);
    if (!t)
        sim_fail("%s", error);
    struct tables tables = tables_computed(t);
    struct net_config config = {.lcb = of->lcb,
                                .checked = of->checked,
                                .seed = 1,
                                .traffic = {.pattern = PATTERN_UNIFORM,
                                            .routing = ROUTING_MINIMAL,
                                            .load = 0.001,
                                            .shortest = of->flits,
                                            .longest = of->flits}};
    for (unsigned k = 0; k < NET_KINDS; k++)
        config.delay[k] = HOP_DELAY;
    struct network *n = net_new(router_model_of(t->machine), &tables, &config);
    net_run(n, of->up);
    net_measure(n);
    net_run(n, of->clocks);
    const struct net_stats s = net_stats(n);
    if (s.wrong || !s.packets || sim_failed_checks)
        sim_fail("%s: what arrives is wrong: %s", name, net_complaint(n));
    net_free(n);
    tables_free(&tables);
    topo_free(t);
    return (double)s.latency / (double)s.packets;
}

static double ns(double clocks)
{
    return clocks * 1000 / CLOCK_MHZ;
}

void hop_row(const char *part, double clocks, double time, const char *how)
{
    char number[16] = "-";
    if (clocks >= 0)
        snprintf(number, sizeof number, "%.1f", clocks);
    printf("%-34s %8s %8.1f  %s\n", part, number, time, how);
}

static void report(const char *path, double router, double link)
{
    char text[1000], *at = text;
    at += sprintf(
        at,
        "{\"clock_mhz\": %d, \"router_clocks\": %.2f, \"router_ns\": %.1f, \"lcb_clocks\": %.2f, "
        "\"lcb_ns\": %.1f, \"serdes_ns_assumed\": %d, \"seed_ns\": %d, \"hops\": [",
        CLOCK_MHZ, router, ns(router), link, ns(link), HOP_SERDES_NS, SEED_HOP);
    for (unsigned c = 0; c < CABLES; c++) {
        const double cable = cables[c].metres * HOP_CABLE_PS / 1000.0;
        at += sprintf(at, "%s{\"cable\": \"%s\", \"metres\": %u, \"cable_ns\": %.1f, \"ns\": %.1f}",
                      c ? ", " : "", cables[c].kind, cables[c].metres, cable,
                      ns(router + link) + HOP_SERDES_NS + cable);
    }
    sprintf(at, "]}");
    if (!whole_write(path, text))
        sim_fail("%s: cannot write the report: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
    const char *json = "build/reports/net-hop.json", *hops = "build/reports/hop.json";
    const struct args_option option[] = {
        args_text("--json", "FILE", &json, "report"),
        args_text("--hops", "FILE", &hops, "report of machines in packet mode"), args_end()};
    static const char about[] =
        "Parts of a hop through an idle network of aries routers: clocks, and nanoseconds at 875 "
        "MHz, beside the seed's 100; and hops of gemini and yarc by length, speculative as they "
        "are "
        "and behind a stage that checks each packet first.";
    args_read(&(struct args){.about = about, .option = option}, argc, argv);
    if (!whole_possible(json))
        sim_fail("%s: cannot write: %s", json, strerror(errno));
    if (!whole_possible(hops))
        sim_fail("%s: cannot write: %s", hops, strerror(errno));

    const struct hop_of plain = {.flits = 1, .up = UP, .clocks = CLOCKS},
                        blocks = {true, false, 1, UP, CLOCKS};
    const double router = hop_latency("dragonfly:1x1x1", &plain);
    const double wire = hop_latency("dragonfly:2x1x1x1", &plain) - 2 * router;
    const double link = hop_latency("dragonfly:2x1x1x1", &blocks) - 2 * router - wire;
    printf("%-34s %8s %8s\n", "part of a hop, aries", "clocks", "ns");
    hop_row("router, flit in to flit out", router, ns(router), "measured, idle");
    hop_row("LCBs of both ends", link, ns(link), "measured, idle");
    hop_row("SerDes of both ends", -1, HOP_SERDES_NS, "assumed, outside of this design");
    for (unsigned c = 0; c < CABLES; c++) {
        const double cable = cables[c].metres * HOP_CABLE_PS / 1000.0;
        char part[60];
        snprintf(part, sizeof part, "cable, %s, %u m", cables[c].kind, cables[c].metres);
        hop_row(part, -1, cable, "4.9 ns a metre");
    }
    for (unsigned c = 0; c < CABLES; c++) {
        char part[60];
        snprintf(part, sizeof part, "hop, %s, %u m", cables[c].kind, cables[c].metres);
        hop_row(part, -1,
                ns(router + link) + HOP_SERDES_NS + cables[c].metres * HOP_CABLE_PS / 1000.0,
                "the seed: about 100");
    }
    report(json, router, link);
    hop_packets(hops);
    printf("%s\n%s\n", json, hops);
    return whole_status(true);
}
