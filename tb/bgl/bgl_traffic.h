// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_traffic.h - random packets of all kinds for the bench.
 */
#ifndef TB_BGL_TRAFFIC_H
#define TB_BGL_TRAFFIC_H

#include "tb/bgl/bgl_bench.h"

struct bgl_traffic {
    double rate; /* packets that a node offers in a clock; a core whose queue is full takes none */
    double dynamic;   /* shares: of dynamic ones, */
    double high;      /* of high-priority ones, */
    double broadcast; /* of broadcasts, */
    double small;     /* of packets of one chunk; others are of any length */
};

/* So many clocks of it. */
void traffic_run(struct bgl_bench *b, const struct bgl_traffic *t, uint64_t clocks);

/* What must hold of all packets after a drain, as checks of TAP: all here, once, unchanged, in order; cores had no error. */
void traffic_check(struct bgl_bench *b, uint64_t drain, const char *what);

#endif
