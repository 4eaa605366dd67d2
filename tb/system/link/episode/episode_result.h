// SPDX-License-Identifier: Apache-2.0
/*
 * episode_result.h - what came of episodes: sums, the verdict, the report.
 *
 * An episode is a random sequence of disorder from one seed that ends with good cables: whatever happened, the links
 * must carry packets again within a bound.
 */
#ifndef TB_EPISODE_RESULT_H
#define TB_EPISODE_RESULT_H

#include "tb/base/harness.h"

enum { EPISODE_TEXT = 256 };

/* Clocks from good cables to packets on every link again: hls/link/README.md. */
enum {
    EPISODE_BOUND = 20000,
    EPISODE_WATCHDOG = 246000, /* until the watchdog finds a link on one lane that gets nowhere */
};

struct episode_result {
    uint64_t episodes;
    uint64_t not_running;     /* that did not carry packets both ways again within the bound */
    uint64_t lost_silently;   /* flits neither delivered nor reported, nor forgotten in a reset */
    uint64_t duplicated;      /* flits delivered twice */
    uint64_t credits_missing; /* flits that no account gives back when all is quiet */
    uint64_t worst_recovery_clocks, worst_episode;
    uint64_t recovery_clocks; /* of all together */
    uint64_t
        confused; /* ends without identity heard themselves or another peer: judged by their recovery alone */
    uint64_t worst_confused_clocks;
    uint64_t stuck; /* epochs that watchdogs began */
    uint64_t reordered, corrupt;
    uint64_t looped; /* delivered to the end that sent them */
    uint64_t wrong;  /* marks, reports, room, early epochs */
    uint64_t failed_checks;
    uint64_t
        escaped; /* episodes in which a wrong micropacket had a right CRC: judged by their recovery alone */
    uint64_t clocks, taken, delivered, reported, forgotten;
    uint64_t resets, deaths, restarts, timeouts, epochs;
    uint64_t bad,
        first_bad; /* episodes with a fault, and number and first error of the first one */
    char first_error[EPISODE_TEXT];
};

bool episode_good(const struct episode_result *r);

/* Adds the result of episode n, or more results. */
void episode_add(struct episode_result *sum, const struct episode_result *more);

/* The seed of episode n. */
uint64_t episode_seed(uint64_t seed, uint64_t n);

/* What a program of episodes is asked for: so many, or one of them alone. */
struct episode_options {
    uint64_t seed, episodes, one;
    unsigned jobs;
    bool alone;
    const char *json;
};

struct episode_options episode_options(int argc, char **argv, uint64_t episodes, const char *json);

/* Runs them in worker processes, with a line for each that is bad; false if some did not come back. */
bool episode_run_all(const struct episode_options *o,
                     void (*run)(uint64_t seed, uint64_t n, struct episode_result *r),
                     struct episode_result *sum);

/* Checks of sums, as TAP lines, its figures as notes; then the report. bound is in clocks. */
void episode_judge(const struct episode_options *o, const struct episode_result *r, uint64_t bound);

#endif
