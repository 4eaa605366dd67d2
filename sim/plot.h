// SPDX-License-Identifier: Apache-2.0
/*
 * plot.h - a run of netsim as JSON and as an SVG.
 */
#ifndef SIM_PLOT_H
#define SIM_PLOT_H

#include <stdbool.h>
#include <stdint.h>

enum { PLOT_POINTS = 40 };

/*
 * One offered load; loads in flits per clock and processor port, latency in clocks, of packets that were made and arrived
 * while measuring; NAN if there were none, as far above saturation.
 */
struct plot_point {
    double load, offered, accepted, latency, links;
    uint64_t worst, packets;
};

struct plot {
    const char *title, *machine, *pattern, *mode;
    uint64_t seed, clocks;
    unsigned points;
    struct plot_point point[PLOT_POINTS];
};

bool plot_json(const struct plot *p, const char *path);

/* Needs gnuplot, and a point with a latency. */
bool plot_svg(const struct plot *p, const char *path);

#endif
