// SPDX-License-Identifier: Apache-2.0
/*
 * hop_packets.c - hops of gemini and yarc, whose links hand a packet up before its CRC is known, and the same behind a stage that
 * waits for it.
 *
 * A hop is a router, the link control blocks of a link, SerDes and cable; of a packet counts its last flit, whose verdict is waited
 * for at every link. What a hop takes is what a second router and a link add to one router.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"
#include "sim/base/whole.h"
#include "sim/compare/hop.h"

/* Clock rates of both seeds: 800 MHz in the router, 6.25 Gb/s a lane, of which a clock of the phits has 8 bits. */
enum { ROUTER_MHZ = 800, LINK_KHZ = 781250, CABLE_METRES = 3, LENGTHS = 3, MACHINES = 2 };

/* Clocks until links are up, and of the measurement: both ways are measured with the same packets at the same clocks. */
enum { UP = 4000, CLOCKS = 12000 };

/* The longest way of the seed's network: links and routers, and flits of its longest packet. */
enum { WAY_LINKS = 7, WAY_ROUTERS = 6, WAY_FLITS = 19 };

static const struct {
    const char *machine, *one, *two; /* networks of one router, and of two */
    unsigned flits[LENGTHS];
    unsigned lengths;
} machines[MACHINES] = {{"gemini", "torus:1x1x1", "torus:2x1x1", {3, 19, 32}, 3},
                        {"yarc", "clos:1x8", "clos:1.5x2x8", {3, 19}, 2}};

struct hop {
    unsigned flits;
    double router, link,
        checked; /* clocks: head through a router, link of both ends, and that checked first */
};

static double router_ns(double clocks)
{
    return clocks * 1000 / ROUTER_MHZ;
}

static double link_ns(double clocks)
{
    return clocks * 1e6 / LINK_KHZ;
}

static double outside_ns(void)
{
    return HOP_SERDES_NS + CABLE_METRES * HOP_CABLE_PS / 1000.0;
}

static struct hop measure(unsigned machine, unsigned flits)
{
    const struct hop_of plain = {false, false, flits, UP, CLOCKS},
                        blocks = {true, false, flits, UP, CLOCKS},
                        checked = {true, true, flits, UP, CLOCKS};
    struct hop hop = {.flits = flits};
    const double one = hop_latency(machines[machine].one, &plain);
    hop.router = one - (flits - 1);
    hop.link = hop_latency(machines[machine].two, &blocks) - one - hop.router - HOP_DELAY;
    hop.checked = hop_latency(machines[machine].two, &checked) - one - hop.router - HOP_DELAY;
    return hop;
}

static void print_hop(const char *machine, const struct hop *h)
{
    printf("%-8s %5u %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f\n", machine, h->flits, h->router,
           h->link, h->router + h->link, router_ns(h->router) + link_ns(h->link) + outside_ns(),
           h->router + h->checked, h->checked - h->link, link_ns(h->checked - h->link));
}

/* The longest way of the seed's network, by what was measured of a hop. */
static void print_way(const struct hop *h)
{
    const double ns = WAY_ROUTERS * router_ns(h->router) +
                      WAY_LINKS * (link_ns(h->link) + outside_ns()) + link_ns(h->flits - 1);
    printf(
        "yarc, %d links and %d routers, a packet of %d phits whole: %.0f ns; checked first %.0f ns "
        "more\n",
        WAY_LINKS, WAY_ROUTERS, WAY_FLITS, ns, WAY_LINKS * link_ns(h->checked - h->link));
}

void hop_packets(const char *path)
{
    char text[2000], *at = text;
    printf("%-8s %5s %8s %8s %8s %8s %8s %8s %8s\n", "machine", "phits", "router", "link", "hop",
           "ns, 3 m", "checked", "saved", "ns");
    at += sprintf(at, "[");
    for (unsigned m = 0; m < MACHINES; m++)
        for (unsigned i = 0; i < machines[m].lengths; i++) {
            const struct hop h = measure(m, machines[m].flits[i]);
            print_hop(machines[m].machine, &h);
            if (m == MACHINES - 1 && h.flits == WAY_FLITS)
                print_way(&h);
            at +=
                sprintf(at,
                        "%s{\"machine\": \"%s\", \"phits\": %u, \"clocks\": %.2f, "
                        "\"clocks_checked_first\": %.2f, \"ns\": %.1f}",
                        m + i ? ", " : "", machines[m].machine, h.flits, h.router + h.link,
                        h.router + h.checked, router_ns(h.router) + link_ns(h.link) + outside_ns());
        }
    sprintf(at, "]");
    if (!whole_write(path, text))
        sim_fail("%s: cannot write the report: %s", path, strerror(errno));
}
