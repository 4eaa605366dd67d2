// SPDX-License-Identifier: Apache-2.0
/*
 * episode_result.c - sums and verdicts of episodes, of links and of devices.
 */
#include "tb/system/link/episode/episode_result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/workers.h"

_Static_assert(sizeof(struct episode_result) <= WORKERS_RESULT, "fits into a pipe");

bool episode_good(const struct episode_result *r)
{
    return r->not_running == 0 && r->lost_silently == 0 && r->duplicated == 0 &&
           r->credits_missing == 0 && r->reordered == 0 && r->corrupt == 0 && r->looped == 0 &&
           r->wrong == 0 && r->failed_checks == 0;
}

void episode_add(struct episode_result *sum, const struct episode_result *more)
{
    if (sum->bad == 0 && more->bad > 0) {
        sum->first_bad = more->first_bad;
        memcpy(sum->first_error, more->first_error, sizeof sum->first_error);
    }
    if (more->worst_recovery_clocks > sum->worst_recovery_clocks) {
        sum->worst_recovery_clocks = more->worst_recovery_clocks;
        sum->worst_episode = more->worst_episode;
    }
    if (more->worst_confused_clocks > sum->worst_confused_clocks)
        sum->worst_confused_clocks = more->worst_confused_clocks;
#define ADD(field) sum->field += more->field
    ADD(episodes), ADD(not_running), ADD(lost_silently), ADD(duplicated), ADD(credits_missing);
    ADD(recovery_clocks), ADD(reordered), ADD(corrupt), ADD(looped), ADD(wrong);
    ADD(failed_checks), ADD(escaped), ADD(clocks), ADD(taken), ADD(delivered), ADD(reported);
    ADD(forgotten), ADD(resets), ADD(deaths), ADD(restarts), ADD(timeouts), ADD(epochs), ADD(bad),
        ADD(confused), ADD(stuck);
#undef ADD
}

uint64_t episode_seed(uint64_t seed, uint64_t n)
{
    struct rng r;
    rng_seed(&r, seed * UINT64_C(0x9E3779B97F4A7C15) + n);
    return rng_next(&r);
}

/* ---- options --------------------------------------------------------------------------------- */

struct episode_options episode_options(int argc, char **argv, uint64_t episodes, const char *json)
{
    enum { MOST = 1000000000 };
    struct episode_options o = {.episodes = episodes, .one = UINT64_MAX, .jobs = 1, .json = json};
    test_options(argc, argv, &o.seed, args_number("--episodes", &o.episodes, 0, MOST, "episodes"),
                 args_number("--episode", &o.one, 0, MOST, "this one alone, act by act"),
                 args_unsigned("--jobs", &o.jobs, 1, WORKERS_MOST, "processes at a time"),
                 args_text("--json", "FILE", &o.json, "the report"));
    o.alone = o.one != UINT64_MAX;
    return o;
}

/* ---- all of them ----------------------------------------------------------------------------- */

struct all {
    const struct episode_options *options;
    void (*run)(uint64_t seed, uint64_t n, struct episode_result *r);
    struct episode_result *sum;
    struct progress progress;
};

static void run_one(void *context, uint64_t n, void *result)
{
    const struct all *all = context;
    all->run(all->options->seed, n, result);
}

static void take_one(void *context, const void *result)
{
    enum { PRINTED = 20 };
    struct all *all = context;
    const struct episode_result *r = result;
    if (!episode_good(r) && all->sum->bad < PRINTED)
        fprintf(stderr, "--episode %" PRIu64 " --seed %" PRIu64 ": %s\n", r->first_bad,
                all->options->seed, r->first_error);
    episode_add(all->sum, r);
    progress_show(&all->progress, all->sum->episodes);
}

bool episode_run_all(const struct episode_options *o,
                     void (*run)(uint64_t seed, uint64_t n, struct episode_result *r),
                     struct episode_result *sum)
{
    struct all all = {.options = o, .run = run, .sum = sum};
    const struct workers_task task = {
        .jobs = o->jobs,
        .runs = o->episodes,
        .size = sizeof(struct episode_result),
        .context = &all,
        .run = run_one,
        .take = take_one,
    };
    progress_start(&all.progress, "episodes", o->episodes, o->seed);
    const bool came = workers_run(&task);
    progress_end(&all.progress, sum->episodes);
    return came;
}

/* ---- verdict --------------------------------------------------------------------------------- */

static void tell_figures(const struct episode_result *r)
{
    tap_note("clocks %" PRIu64 ", flits taken %" PRIu64 ", delivered %" PRIu64 ", reported %" PRIu64
             ", forgotten in resets %" PRIu64,
             r->clocks, r->taken, r->delivered, r->reported, r->forgotten);
    tap_note("resets %" PRIu64 ", dead links %" PRIu64 ", restarts %" PRIu64 ", new epochs %" PRIu64
             ", replay timeouts %" PRIu64 ", episodes with an escape %" PRIu64,
             r->resets, r->deaths, r->restarts, r->epochs, r->timeouts, r->escaped);
    tap_note("without identity and confused %" PRIu64 ", worst recovery %" PRIu64
             " clocks, epochs by watchdogs %" PRIu64,
             r->confused, r->worst_confused_clocks, r->stuck);
    tap_note("recovery: worst %" PRIu64 " clocks (--episode %" PRIu64 "), mean %.0f",
             r->worst_recovery_clocks, r->worst_episode,
             r->episodes ? (double)r->recovery_clocks / (double)r->episodes : 0);
}

static void check(const struct episode_result *r, bool good, const char *name)
{
    tap_why("%" PRIu64 " bad episodes; --episode %" PRIu64 ": %s", r->bad, r->first_bad,
            r->first_error);
    tap_ok(good, "%" PRIu64 " episodes: %s", r->episodes, name);
}

static bool write_report(const struct episode_options *o, const struct episode_result *r)
{
    cJSON *json = cJSON_CreateObject();
#define PUT(field) cJSON_AddNumberToObject(json, #field, (double)r->field)
    PUT(episodes), PUT(not_running), PUT(lost_silently), PUT(duplicated), PUT(credits_missing);
    PUT(worst_recovery_clocks);
    cJSON_AddNumberToObject(json, "seed", (double)o->seed);
    PUT(worst_episode), PUT(recovery_clocks), PUT(reordered), PUT(corrupt), PUT(looped);
    PUT(wrong), PUT(failed_checks), PUT(escaped), PUT(clocks), PUT(taken), PUT(delivered);
    PUT(reported), PUT(forgotten), PUT(resets), PUT(deaths), PUT(restarts), PUT(timeouts);
    PUT(epochs), PUT(bad), PUT(confused), PUT(worst_confused_clocks), PUT(stuck);
#undef PUT
    return report_write(o->json, json);
}

void episode_judge(const struct episode_options *o, const struct episode_result *r, uint64_t bound)
{
    tell_figures(r);
    check(r, r->not_running == 0 && r->worst_recovery_clocks <= bound,
          "all carry packets again within the bound");
    check(r, r->lost_silently == 0, "nothing lost without a report or a reset");
    check(r, r->duplicated == 0 && r->reordered == 0, "nothing delivered twice or out of order");
    check(r, r->corrupt == 0 && r->looped == 0 && r->wrong == 0,
          "nothing corrupt, nothing delivered to its sender, no wrong mark or report");
    check(r, r->credits_missing == 0, "all credits come back");
    check(r, r->failed_checks == 0, "no assertion failed");
    if (!o->alone)
        tap_ok(write_report(o, r), "report %s", o->json);
}
