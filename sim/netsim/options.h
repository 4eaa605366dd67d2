// SPDX-License-Identifier: Apache-2.0
/*
 * options.h - what netsim is asked for.
 */
#ifndef SIM_NETSIM_OPTIONS_H
#define SIM_NETSIM_OPTIONS_H

#include "sim/netsim/plot.h"
#include "sim/engine/network.h"

/* Where reports go that are not asked for by name, if there is such a folder. */
#define OPTIONS_REPORTS "build/reports"

struct options {
    const char *topology, *tables, *write_tables, *json, *svg, *html, *map;
    /* json, svg, html: NULL if they are not asked for and have no place */
    const char *pattern; /* as it was asked for */
    const char *delay;
    const char *bias;                /* or NULL */
    const char *checkpoint, *resume; /* files, or NULL */
    uint64_t every;                  /* clocks from one checkpoint to the next */
    double loads[PLOT_POINTS];
    unsigned load_count, seeds, ranks; /* ranks: to be started by us, or 0 */
    unsigned slices;                   /* networks that each processor is in */
    uint64_t clocks;
    struct net_config net; /* without what needs the topology: options_fit */
};

/* Reads the command line; ends the program with one line if something is wrong, and with the help if asked for. */
struct options read_options(int argc, char **argv);

/* What depends on the network: delays by kind of cable, flows of a pattern, whether its machine can do it. */
void options_fit(struct options *o, const struct topology *t);

#endif
