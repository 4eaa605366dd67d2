// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_abuse.c - random sequences of resets, cables, hosts, drivers, nonsense and hostile peers under the traffic of
 * all NICs of three chips; after each sequence all is well again.
 *
 * The first episode that finds something is repeated without one action after the other, as long as it still does.
 *
 * Built for proto: fast.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"
#include "tb/system/chip/abuse/episode.h"
#include "tb/system/nic/nic_report.h"
#include "tb/system/router/router_bench.h"

static struct world *w;
static struct episode_config config;

static struct {
    uint64_t episodes, first, episode, from, to;
    const char *only, *without, *trace, *json;
    bool list;
} given = {
    .episodes = 200,
    .episode = UINT64_MAX,
    .to = 100000,
    .only = "",
    .without = "",
    .trace = "",
    .json = "build/reports/nic-episodes.json",
};

/* ---- actions by name --------------------------------------------------------------------------------- */

static uint64_t by_name(const char *name, size_t length)
{
    for (unsigned i = 0; i < action_count; i++) {
        if (strlen(actions[i].name) == length && strncmp(actions[i].name, name, length) == 0) {
            return (uint64_t)1 << i;
        }
    }
    sim_fail("no action is called %.*s: --list names them", (int)length, name);
}

/* Of a list with commas. */
static uint64_t by_names(const char *names)
{
    uint64_t set = 0;

    while (*names != '\0') {
        size_t length = strcspn(names, ",");

        set |= by_name(names, length);
        names += length + (names[length] == ',');
    }
    return set;
}

static uint64_t usual(void)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < action_count; i++) {
        set |= (uint64_t)!actions[i].off << i;
    }
    return set;
}

static int list(void)
{
    for (unsigned i = 0; i < action_count; i++) {
        printf("%-10s %s%s\n", actions[i].name, actions[i].what,
               actions[i].off ? " (only if named)" : "");
    }
    return 0;
}

/* ---- one episode again ------------------------------------------------------------------------------- */

/* The deeds that it takes, found by leaving out one after the other. */
static void shrink(uint64_t number, unsigned deeds)
{
    struct episode e;

    config.only_number = number;
    for (unsigned i = 0; i < deeds; i++) {
        config.without |= 1u << i;
        episode_repeat(w, &config, number, false, &e);
        if (findings_of(&e.verdict) == 0) {
            config.without &= ~(1u << i);
        }
    }
    episode_repeat(w, &config, number, true, &e);
    config.without = 0;
}

static int replay(uint64_t number)
{
    struct episode e;
    bool whole = true;

    config.only_number = number;
    if (*given.trace != '\0' &&
        (config.trace = trace_new(given.trace, given.from, given.to)) == NULL) {
        return 1;
    }
    episode_repeat(w, &config, number, true, &e);
    if (config.trace != NULL) {
        whole = trace_end(config.trace);
    }
    tap_why("%s", e.verdict.first);
    tap_ok(findings_of(&e.verdict) == 0,
           "episode %llu: %llu clocks, %llu transactions, %llu OK, %llu not, %llu unknown",
           (unsigned long long)number, (unsigned long long)e.clocks,
           (unsigned long long)e.verdict.transactions, (unsigned long long)e.verdict.ok,
           (unsigned long long)e.verdict.failed, (unsigned long long)e.verdict.unknown);
    return tap_done() | !whole;
}

/* ---- all of them ------------------------------------------------------------------------------------- */

struct sum {
    struct verdict verdict;
    uint64_t clocks, with_findings, first_bad, done[64], skipped;
};

static bool report(const char *path, const struct sum *s, uint64_t episodes)
{
    cJSON *o = cJSON_CreateObject(), *kinds = cJSON_AddObjectToObject(o, "actions");

    cJSON_AddStringToObject(o, "machine", router_bench_machine()->name);
    cJSON_AddNumberToObject(o, "episodes", (double)episodes);
    for (unsigned i = 0; i < FINDINGS; i++) {
        cJSON_AddNumberToObject(o, finding_names[i], (double)s->verdict.found[i]);
    }
    cJSON_AddNumberToObject(o, "worst_foreign_clocks", (double)s->verdict.worst_foreign);
    cJSON_AddNumberToObject(o, "bound_foreign_clocks", BOUND_FOREIGN);
    cJSON_AddNumberToObject(o, "worst_settle_clocks", (double)s->verdict.worst_settle);
    cJSON_AddNumberToObject(o, "bound_settle_clocks", BOUND_SETTLE);
    cJSON_AddNumberToObject(o, "foreign", (double)s->verdict.foreign);
    cJSON_AddNumberToObject(o, "transactions", (double)s->verdict.transactions);
    cJSON_AddNumberToObject(o, "accesses", (double)s->verdict.accesses);
    cJSON_AddNumberToObject(o, "clocks", (double)s->clocks);
    cJSON_AddNumberToObject(o, "seed", (double)config.seed);
    for (unsigned i = 0; i < action_count; i++) {
        if ((config.on >> i & 1) != 0) {
            cJSON_AddNumberToObject(kinds, actions[i].name, (double)s->done[i]);
        }
    }
    return nic_report_update(path, o);
}

static void add(struct sum *s, const struct episode *e)
{
    s->clocks += e->clocks;
    verdict_add(&s->verdict, &e->verdict);
    for (unsigned i = 0; i < e->deeds; i++) {
        s->done[e->deed[i].action] += !e->deed[i].skipped;
        s->skipped += e->deed[i].skipped;
    }
}

static void say(uint64_t episodes, const struct sum *s)
{
    const struct verdict *v = &s->verdict;

    tap_note("%llu episodes, %llu clocks: %llu transactions, %llu OK, %llu with another status, "
             "%llu unknown; %llu foreign, the "
             "longest of %llu clocks",
             (unsigned long long)episodes, (unsigned long long)s->clocks,
             (unsigned long long)v->transactions, (unsigned long long)v->ok,
             (unsigned long long)v->failed, (unsigned long long)v->unknown,
             (unsigned long long)v->foreign, (unsigned long long)v->worst_foreign);
    tap_note("%llu accesses explained, %llu more to memory of processes that write nonsense; the "
             "rogue sent %llu packets, and got %llu",
             (unsigned long long)(v->accesses - v->wild), (unsigned long long)v->wild,
             (unsigned long long)v->hostile, (unsigned long long)v->mute);
    for (unsigned i = 0; i < action_count; i++) {
        if ((config.on >> i & 1) != 0) {
            tap_ok(s->done[i] > 0 || episodes < 200, "%s: %s: %llu times", actions[i].name,
                   actions[i].what, (unsigned long long)s->done[i]);
        }
    }
    tap_ok(episodes < 200 || v->wild > 0, "nonsense reaches memory");
    for (unsigned i = 0; i < FINDINGS; i++) {
        tap_why("%s", v->first);
        tap_ok(v->found[i] == 0, "%s: %llu", finding_names[i], (unsigned long long)v->found[i]);
    }
}

/* Ctrl-C ends a long run behind its episode; what it has seen is judged and reported. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static int run_all(void)
{
    const uint64_t episodes = given.episodes, first = given.first / CHAIN * CHAIN;
    static struct sum sum;
    struct progress p;
    uint64_t done = 0;
    bool written;

    config.only_number = UINT64_MAX;
    progress_start(&p, "episodes", episodes, config.seed);
    signal(SIGINT, interrupt);
    for (; done < episodes && !interrupted; done++) {
        const uint64_t number = first + done;
        struct episode e;

        episode_run(w, &config, number, false, &e);
        add(&sum, &e);
        progress_show(&p, done + 1);
        if (findings_of(&e.verdict) != 0) {
            tap_note("episode %llu: %s", (unsigned long long)number, e.verdict.first);
            if (sum.with_findings++ == 0) {
                sum.first_bad = number;
                shrink(number, e.deeds);
                config.only_number = UINT64_MAX;
            }
        }
    }
    progress_end(&p, done);
    say(done, &sum);
    if (sum.with_findings != 0) {
        tap_note("%llu episodes with findings; again: --episode %llu --seed %llu",
                 (unsigned long long)sum.with_findings, (unsigned long long)sum.first_bad,
                 (unsigned long long)config.seed);
    }
    written = report(given.json, &sum, done);
    return tap_done() | !written;
}

int main(int argc, char **argv)
{
    test_options(argc, argv, &config.seed,
                 args_number("--episodes", &given.episodes, 1, UINT64_MAX, "episodes"),
                 args_number("--first", &given.first, 0, UINT64_MAX, "number of the first"),
                 args_text("--only", "A,B", &given.only, "these actions alone"),
                 args_text("--without", "A,B", &given.without, "all actions but these"),
                 args_flag("--list", &given.list, "print the actions"),
                 args_number("--episode", &given.episode, 0, UINT64_MAX - 1,
                             "this one alone, with a log of its actions and of all it finds"),
                 args_flag("--all", &config.all, "its transactions in the log, too"),
                 args_unsigned("--skip", &config.without, 0, UINT_MAX,
                               "deeds to leave out of it, a bit each"),
                 args_text("--trace", "FILE", &given.trace, "waveform of it, VCD"),
                 args_number("--from", &given.from, 0, UINT64_MAX, "first clock of the waveform"),
                 args_number("--to", &given.to, 0, UINT64_MAX, "last clock of the waveform"),
                 args_text("--json", "FILE", &given.json, "the report to add to"));
    if (given.list)
        return list();
    config.on = (*given.only != '\0' ? by_names(given.only) : usual()) & ~by_names(given.without);
    w = world_new(config.seed);
    return given.episode != UINT64_MAX ? replay(given.episode) : run_all();
}
