// SPDX-License-Identifier: Apache-2.0
/*
 * plot.h - a run of netsim as JSON and as an SVG.
 */
#ifndef SIM_NETSIM_PLOT_H
#define SIM_NETSIM_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/network.h"

enum { PLOT_POINTS = 40 };

/* What arrives at one of several places in a clock: at the one with the least, in the mean, at the one with the most; flits. */
struct plot_spread {
    double least, mean, most;
};

/* A flow of a list, in flits per clock. */
struct plot_flow {
    double offered, accepted;
};

/*
 * One offered load; loads in flits per clock and processor port, latency in clocks, of packets that were made and arrived
 * while measuring; NAN if there were none, as far above saturation.
 */
struct plot_point {
    double load, offered, accepted, latency, links;
    double least, most; /* accepted, of all seeds */
    uint64_t worst, packets;
    uint64_t median, p99, p999; /* latency that half of the packets had at most, 99 %, 99.9 % */
    uint64_t warmup;            /* clocks; of all seeds the longest */
    uint64_t bins[NET_BINS];    /* packets by latency, as net_latencies() has them */
    bool
        saturated; /* less was accepted than offered, or nothing of what was made while measuring arrived */
    struct plot_spread node,
        port;               /* of nodes that packets are sent to, and of their processor ports */
    struct plot_flow *flow; /* of a list from a file, else NULL */
    struct plot_spread flow_spread; /* what is accepted of each */
};

struct plot {
    const char *title, *machine, *pattern, *mode;
    uint64_t seed, clocks;
    unsigned seeds, slices, points;
    unsigned nodes, ports; /* processor ports */
    unsigned flows;        /* of a list from a file, else 0; their ends: */
    const unsigned *from, *to;
    struct plot_point point[PLOT_POINTS];
};

/* Cables of a network: flits per clock into each, by router and port, of the last load; as an SVG it is a map of them. */
struct plot_cables {
    unsigned routers, ports;
    double *load; /* [router][port]; below 0 where there is no cable */
};

bool plot_json(const struct plot *p, const char *path);

/* Needs gnuplot. */
bool plot_svg(const struct plot *p, const char *path);

/* The map of cables as an SVG; needs gnuplot, and a cable. */
bool plot_map(const struct plot_cables *cables, const char *path);

/* A page of the run: table, loads, a histogram of latencies, the map of cables; needs gnuplot. */
bool plot_html(const struct plot *p, const struct plot_cables *cables, const char *path);

#endif
