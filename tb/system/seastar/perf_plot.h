// SPDX-License-Identifier: Apache-2.0
/*
 * perf_plot.h - PortalPerf's curves as SVGs, beside what the seed's authors measured on the XT3.
 */
#ifndef TB_PERF_PLOT_H
#define TB_PERF_PLOT_H

#include <stdbool.h>
#include <stdint.h>

enum { PERF_MODES = 2, PERF_TESTS = 3, PERF_SIZES = 32 };
#define PERF_NS 2.56 /* a clock, where a link carries the XT3's 2.5 GB/s */

/* Clocks by size; of a bidirectional put the later end. */
struct perf_curve {
    unsigned points;
    uint64_t bytes[PERF_SIZES];
    double clocks[PERF_SIZES];
};

struct perf {
    struct perf_curve curve[PERF_MODES]
                           [PERF_TESTS]; /* accelerated, generic; put, get, bidirectional put */
};

/* Times up to 64 bytes, and bandwidths: two files, <path>-latency.svg and <path>-bandwidth.svg. Needs gnuplot. */
bool perf_plot(const struct perf *p, const char *path);

#endif
