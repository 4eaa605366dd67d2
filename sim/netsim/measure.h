// SPDX-License-Identifier: Apache-2.0
/*
 * measure.h - how a load is measured: warm-up until accepted load stays the same, then clocks that count.
 */
#ifndef SIM_NETSIM_MEASURE_H
#define SIM_NETSIM_MEASURE_H

#include "sim/network.h"

enum { MEASURE_BIAS = 16, MEASURE_DELAY = 10 }; /* where nobody asks for another */

/* Runs so many clocks, with a progress line that names the load and `what`; false if the network stalls. */
bool measure_run(struct network *n, uint64_t clocks, const char *what, double load);

/*
 * Warm: in one window of a tenth of `clocks` as many flits came out as in the one before, to 3 %, or it has taken `clocks`.
 * warmup: how long it took. False if the network stalls.
 */
bool measure_warm_up(struct network *n, uint64_t clocks, double load, uint64_t *warmup);

#endif
