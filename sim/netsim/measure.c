// SPDX-License-Identifier: Apache-2.0
/*
 * measure.c - warm-up and measured clocks of one load.
 */
#include "sim/netsim/measure.h"

#include <inttypes.h>

enum { WINDOWS = 10, PART = 320 /* clocks between looks at the whole */ };

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
        const uint64_t now = net_stats(n).accepted;
        const uint64_t apart = now > m->before ? now - m->before : m->before - now;
        m->measures = m->before > 0 && apart * 100 <= m->before * 3;
        m->before = now;
        m->done = 0;
        m->warmup += m->measures ? 0 : window;
        m->measures |= m->warmup >= clocks;
        if (m->measures)
            net_measure(n);
    }
    return true;
}
