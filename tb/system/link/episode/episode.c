// SPDX-License-Identifier: Apache-2.0
/*
 * episode.c - an episode from power-up to its verdict.
 */
#include "tb/system/link/episode/episode.h"

#include <inttypes.h>
#include <stdio.h>

#include "tb/system/link/episode/episode_acts.h"

enum {
    FLOW = 600,      /* clocks of traffic both ways that count as running */
    QUIET = 3000,    /* clocks in which all credits come back */
    PATIENCE = 20000 /* clocks that sources, queues and credits are waited for */
};

/* ---- coming back ----------------------------------------------------------------------------- */

enum stage { COMES_UP, FLOWS, DRAINS, RETURNS, DONE };

struct recovery {
    enum stage stage;
    uint64_t began, since,
        last_bad; /* clocks: of the good cable, of this stage, of the last trouble */
    uint64_t arrived[2];
    u4 epoch[2];
};

static struct episode_end *end_of(struct episode *ep, unsigned i)
{
    return &ep->bench.end[i ? ep->peer : 0];
}

static uint64_t arrived_at(const struct episode *ep, unsigned i)
{
    return ep->bench.ledger.end[i ? ep->peer : 0].arrived;
}

static void stop_sources(struct episode *ep, bool stop)
{
    for (unsigned i = 0; i < ep->bench.ends; i++)
        ep->bench.end[i].source.stopped = stop;
}

static void enter(struct episode *ep, struct recovery *r, enum stage stage)
{
    r->stage = stage;
    r->since = ep->bench.clock;
    stop_sources(ep, stage >= DRAINS);
}

/* Both ends run, in the epochs in which they began to. */
static bool running(struct episode *ep, struct recovery *r)
{
    bool good = true;
    for (unsigned i = 0; i < 2; i++) {
        const struct lcb_out *out = &end_of(ep, i)->lcb.out;
        good &= out->state == LINK_RUN && out->epoch == r->epoch[i];
        r->epoch[i] = out->epoch;
    }
    return good;
}

static bool carried(const struct episode *ep, const struct recovery *r)
{
    return arrived_at(ep, 0) != r->arrived[0] && arrived_at(ep, 1) != r->arrived[1];
}

static bool drained(struct episode *ep)
{
    bool all = true;
    for (unsigned i = 0; i < 2; i++) {
        const struct episode_end *e = end_of(ep, i);
        all &= e->source.left == 0 && e->sink.total == 0 &&
               ledger_open(&ep->bench.ledger, i ? ep->peer : 0, true) == 0;
    }
    return all;
}

static uint64_t owed(const struct episode *ep)
{
    return episode_bench_owed(&ep->bench, 0) + episode_bench_owed(&ep->bench, ep->peer);
}

/* One clock of a link on a good cable. */
static void recover_step(struct episode *ep, struct recovery *r)
{
    episode_go(ep, 1);
    const uint64_t in_stage = ep->bench.clock - r->since;
    if (!running(ep, r)) {
        r->last_bad = ep->bench.clock;
        enter(ep, r, COMES_UP);
        return;
    }
    switch (r->stage) {
    case COMES_UP:
        for (unsigned i = 0; i < 2; i++)
            r->arrived[i] = arrived_at(ep, i);
        enter(ep, r, FLOWS);
        break;
    case FLOWS:
        if (in_stage >= FLOW && carried(ep, r))
            enter(ep, r, DRAINS);
        break;
    case DRAINS:
        if (drained(ep))
            enter(ep, r, RETURNS);
        break;
    case RETURNS:
        if (owed(ep) == 0 || in_stage > QUIET)
            enter(ep, r, DONE);
        break;
    case DONE:
        break;
    }
}

/* Ends that cannot tell whom they hear may come to a state that only the watchdog ends. */
static uint64_t bound(const struct episode *ep)
{
    return ep->confused ? EPISODE_BOUND + EPISODE_WATCHDOG : EPISODE_BOUND;
}

static void recover(struct episode *ep, struct recovery *r)
{
    *r = (struct recovery){.began = ep->bench.clock, .last_bad = ep->bench.clock};
    enter(ep, r, COMES_UP);
    while (r->stage != DONE && ep->bench.clock - r->began < bound(ep) + PATIENCE)
        recover_step(ep, r);
}

/* ---- verdict --------------------------------------------------------------------------------- */

/* Flits of which nobody knows anything; an end on no cable may still have those of its present epoch. */
static uint64_t lost(const struct episode *ep)
{
    const struct ledger *l = &ep->bench.ledger;
    uint64_t open = 0;
    for (unsigned i = 0; i < ep->bench.ends; i++) {
        const bool joined = i == 0 || i == ep->peer;
        open += ledger_open(l, i, true) - (joined ? 0 : ledger_open(l, i, false));
    }
    return open;
}

static void count_faults(const struct episode *ep, struct episode_result *r)
{
    const struct ledger *l = &ep->bench.ledger;
    r->lost_silently = lost(ep);
    r->duplicated = l->duplicated;
    r->reordered = l->reordered;
    r->corrupt = l->corrupt;
    r->looped = ep->scribbled ? 0 : l->looped; /* a register asks for loops */
    r->wrong = l->wrong;
    r->credits_missing = owed(ep);
    r->failed_checks = harness_take_failures();
    for (unsigned i = 0; i < ep->bench.ends; i++) {
        const struct episode_end *e = &ep->bench.end[i];
        r->wrong += e->early_epochs + (ep->shares_scribbled ? 0 : e->sink.overflows);
    }
}

static void count_events(const struct episode *ep, struct episode_result *r)
{
    const struct ledger *l = &ep->bench.ledger;
    r->clocks = ep->bench.clock;
    r->taken = l->count;
    r->delivered = l->delivered;
    r->reported = l->reported;
    r->forgotten = l->forgotten;
    r->resets = ep->resets;
    r->restarts = ep->restarts;
    for (unsigned i = 0; i < ep->bench.ends; i++) {
        r->epochs += ep->bench.end[i].epochs;
        r->stuck += ep->bench.end[i].lcb.regs.times_stuck;
    }
    r->timeouts = episode_bench_timeouts(&ep->bench);
    r->deaths = episode_bench_deaths(&ep->bench);
}

static void explain(struct episode *ep, const struct recovery *v, struct episode_result *r)
{
    const struct lcb_out *a = &end_of(ep, 0)->lcb.out, *c = &end_of(ep, 1)->lcb.out;
    snprintf(r->first_error, sizeof r->first_error,
             "not running %" PRIu64
             " (stage %u, states %u %u, epochs %u %u, room %x %x), lost %" PRIu64 ", twice %" PRIu64
             ", order %" PRIu64 ", corrupt %" PRIu64 ", looped %" PRIu64 ", wrong %" PRIu64
             ", owed %" PRIu64 ", checks %" PRIu64 ": %s",
             r->not_running, (unsigned)v->stage, (unsigned)a->state, (unsigned)c->state,
             (unsigned)a->epoch, (unsigned)c->epoch, (unsigned)a->room, (unsigned)c->room,
             r->lost_silently, r->duplicated, r->reordered, r->corrupt, r->looped, r->wrong,
             r->credits_missing, r->failed_checks, ep->bench.ledger.first_error);
}

static void judge(struct episode *ep, const struct recovery *v, uint64_t n,
                  struct episode_result *r)
{
    const uint64_t took = v->last_bad - v->began;
    *r = (struct episode_result){.episodes = 1};
    r->confused = ep->confused;
    r->escaped = episode_bench_escapes(&ep->bench) > 0;
    if (r->escaped || r->confused)
        harness_take_failures();
    else
        count_faults(ep, r);
    r->not_running = v->stage <= FLOWS || took > bound(ep);
    r->recovery_clocks = took;
    *(ep->confused ? &r->worst_confused_clocks : &r->worst_recovery_clocks) = took;
    r->worst_episode = n;
    count_events(ep, r);
    r->bad = !episode_good(r);
    r->first_bad = n;
    if (r->bad)
        explain(ep, v, r);
}

static void run(struct episode *ep, uint64_t seed, uint64_t n, struct episode_result *result)
{
    struct recovery v;
    episode_begin(ep, episode_seed(seed, n));
    episode_disorder(ep);
    episode_mend(ep);
    recover(ep, &v);
    judge(ep, &v, n, result);
}

void episode_run(uint64_t seed, uint64_t n, struct episode_result *result)
{
    static struct episode ep;
    run(&ep, seed, n, result);
}

void episode_tell(uint64_t seed, uint64_t n, struct episode_result *result)
{
    static struct episode ep = {.saying = true};
    run(&ep, seed, n, result);
}
