// SPDX-License-Identifier: Apache-2.0
/*
 * measure.h - how a load is measured: warm-up until accepted load stays the same, then clocks that count.
 */
#ifndef SIM_NETSIM_MEASURE_H
#define SIM_NETSIM_MEASURE_H

#include "sim/engine/network.h"

enum { MEASURE_DELAY = 10 }; /* where nobody asks for another */

/* Biases where nobody asks for others, by where a packet came in: a processor, a link of this group, one from another group. Macros, so
 * that the help text can have them; README.md of sim says why these. */
#define MEASURE_BIAS_PROCESSOR 16
#define MEASURE_BIAS_IN_GROUP  40
#define MEASURE_BIAS_GLOBAL    8

void measure_bias(struct net_config *config, const struct topology *t);

/* How far the measurement of a load is; zeros at its begin. */
struct measure {
    uint64_t
        warmup; /* clocks of the warm-up, in whole windows of a tenth of those that are measured */
    uint64_t before;   /* flits that came out in the window before */
    uint64_t inside;   /* packets in the network at its end */
    uint64_t done;     /* clocks of this window or, if it measures, of those that count */
    uint64_t measures; /* 1: it is warm */
};

/* Is called now and then with how far it is. */
struct measure_watch {
    void *self;
    void (*look)(void *self, struct network *n, struct measure *m);
};

/* Runs so many clocks from m->done on, with a progress line that names the load and `what`; false if the network stalls. */
bool measure_run(struct network *n, struct measure *m, uint64_t clocks, const char *what,
                 double load, const struct measure_watch *watch);

/*
 * Warm: in one window of a tenth of `clocks` as many flits came out as in the one before and as many packets are in the network as at
 * its end, both to 3 %, or it has taken three times `clocks`. Then what is counted begins. False if the network stalls.
 */
bool measure_warm_up(struct network *n, struct measure *m, uint64_t clocks, double load,
                     const struct measure_watch *watch);

#endif
