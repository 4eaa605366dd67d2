// SPDX-License-Identifier: Apache-2.0
/*
 * hop.h - parts of a hop through an idle network.
 */
#ifndef SIM_HOP_H
#define SIM_HOP_H

#include <stdbool.h>

/* Outside of this design, assumed: both ends' SerDes, and light in a metre of cable. */
enum { HOP_SERDES_NS = 20, HOP_CABLE_PS = 4900 };

/* Clocks of a cable in the networks measured, which is no part of a hop here. */
enum { HOP_DELAY = 10 };

/* What is measured: packets of so many flits, with link control blocks, behind a stage that checks first. */
struct hop_of {
    bool lcb, checked;
    unsigned flits;
    unsigned up, clocks; /* until links are up, and measured */
};

/* Mean clocks from the making of a packet to its last flit, through an idle network of that name. */
double hop_latency(const char *name, const struct hop_of *of);

/* One row of a table: a part of a hop, its clocks (below 0: it has none here), its ns, and how that is known. */
void hop_row(const char *part, double clocks, double ns, const char *how);

/* Hops of machines in packet mode: prints them, and writes the report. */
void hop_packets(const char *path);

#endif
