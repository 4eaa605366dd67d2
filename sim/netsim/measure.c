// SPDX-License-Identifier: Apache-2.0
/*
 * measure.c - warm-up and measured clocks of one load.
 */
#include "sim/netsim/measure.h"

#include <inttypes.h>

enum { WINDOWS = 10, PART = 320 /* clocks between looks at the whole */ };

bool measure_run(struct network *n, uint64_t clocks, const char *what, double load)
{
    struct sim_progress progress = {0};
    for (uint64_t done = 0; done < clocks;) {
        const uint64_t part = clocks - done < PART ? clocks - done : PART;
        net_run(n, part);
        done += part;
        if (net_stalled(n))
            return false;
        sim_progress(&progress, "offered %.2f: %s, clock %" PRIu64 " of %" PRIu64, load, what, done,
                     clocks);
    }
    return true;
}

bool measure_warm_up(struct network *n, uint64_t clocks, double load, uint64_t *warmup)
{
    const uint64_t window = clocks / WINDOWS;
    uint64_t before = 0;
    for (*warmup = 0; *warmup < clocks; *warmup += window) {
        net_measure(n);
        if (!measure_run(n, window, "warming up", load))
            return false;
        const uint64_t now = net_stats(n).accepted;
        const uint64_t apart = now > before ? now - before : before - now;
        if (before > 0 && apart * 100 <= before * 3)
            break;
        before = now;
    }
    return true;
}
