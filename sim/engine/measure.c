// SPDX-License-Identifier: Apache-2.0
/*
 * measure.c - warm-up and measured clocks of one load.
 */
#include "sim/engine/measure.h"

#include <inttypes.h>
#include <string.h>

enum {
    WINDOWS = 10,
    MOST = 3,  /* times what is measured: the longest warm-up */
    PART = 320 /* clocks between looks at the whole */
};

void measure_bias(struct net_config *config, const struct topology *t)
{
    config->bias = MEASURE_BIAS_PROCESSOR;
    for (unsigned k = PORT_LINK; k < NET_KINDS && t->kinds[k]; k++)
        config->bias_more[k] =
            (strcmp(t->kinds[k], "global") == 0 ? MEASURE_BIAS_GLOBAL : MEASURE_BIAS_IN_GROUP) -
            MEASURE_BIAS_PROCESSOR;
}

/* To 3 %, or as near as two draws of packets are to each other. */
static bool alike(uint64_t a, uint64_t b)
{
    const uint64_t apart = a > b ? a - b : b - a;
    return apart * 100 <= b * 3 || apart * apart <= 4 * b;
}

bool measure_run(struct network *n, struct measure *m, uint64_t clocks, const char *what,
                 double load, const struct measure_watch *watch)
{
    struct sim_progress progress = {0};
    while (m->done < clocks) {
        const uint64_t part = clocks - m->done < PART ? clocks - m->done : PART;
        net_run(n, part);
        m->done += part;
        if (net_stalled(n))
            return false;
        if (watch)
            watch->look(watch->self, n, m);
        sim_progress(&progress, "offered %.2f: %s, clock %" PRIu64 " of %" PRIu64, load, what,
                     m->done, clocks);
    }
    return true;
}

bool measure_warm_up(struct network *n, struct measure *m, uint64_t clocks, double load,
                     const struct measure_watch *watch)
{
    const uint64_t window = clocks / WINDOWS;
    while (!m->measures) {
        if (m->done == 0)
            net_measure(n);
        if (!measure_run(n, m, window, "warming up", load, watch))
            return false;
        const struct net_stats now = net_stats(n);
        m->measures =
            m->before > 0 && alike(now.accepted, m->before) && alike(now.in_flight, m->inside);
        m->before = now.accepted;
        m->inside = now.in_flight;
        m->done = 0;
        m->warmup += m->measures ? 0 : window;
        m->measures |= m->warmup >= MOST * clocks;
        if (m->measures)
            net_measure(n);
    }
    return true;
}
