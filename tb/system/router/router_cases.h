// SPDX-License-Identifier: Apache-2.0
/*
 * router_cases.h - ways to load a router, or to hold it up: test_router_delivery plays all of them to ours,
 * conform (tb/conform/) to anybody's.
 */
#ifndef TB_ROUTER_CASES_H
#define TB_ROUTER_CASES_H

#include "tb/system/router/router_bench.h"

struct router_case {
    const char *name;
    uint64_t clocks;
    double load, bubble;             /* 0 stands for saturated */
    double drain, ready;             /* 0 stands for at once, always */
    unsigned min_length, max_length; /* 0 stands for 1 to the longest */
    unsigned vcs, modes;             /* 0 stands for all */
    unsigned hot; /* all traffic goes to so many destinations; 0 stands for all */
    double bad, illegal;
    double cut, wrong; /* copies with a transmit error, of these with a wrong head */
    bool nowhere;      /* one destination in four is known to no table */
    bool map;          /* a VC map drawn at random; else VC and phase stay */
    bool dying;        /* some ports die in the middle */
    bool blocked;      /* some sinks take nothing in the first half */
    bool small;        /* sinks have room for hardly more than a packet per VC */
};

extern const struct router_case router_cases[];
extern const unsigned router_cases_count;

/* Plan, sources, sinks and biases of the case, from the defaults on. */
void router_case_configure(struct router_bench_config *config, const struct router_case *c,
                           struct rng *r);

/* So many clocks of it, behind router_bench_start; drained by the caller. */
void router_case_run(struct router_bench *b, const struct router_case *c, uint64_t clocks);

#endif
