// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_random.c - random sequences of cables that are cut and mended, routers that die and are replaced, up to three in one clock, while
 * the supervisor watches, holds or writes, its own router among them. After each it must come to rest with every node up or named, every
 * packet accounted for, none twice or elsewhere; where all has been repaired, every node is up.
 *
 *     build/tb/test_sim_random                                25 sequences
 *     build/tb/test_sim_random --sequences 2000 --seed 7         many
 *     build/tb/test_sim_random --sequence 17 --seed 7         one of them again, event by event
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/test/attack.h"

#define REPORT "build/reports/failover-random.json"

/* Of a seed; in one sequence, at most; clocks until an event, at most; for what was repaired to come up. */
enum { SEQUENCES = 25, MOMENTS = 4, AT_ONCE = 3, LATER = 3000, REPAIRED = 14000, ALL = 25 };

struct world {
    struct attack attack;
    struct sim_random random;
    bool *cut; /* [router][MACHINE_PORTS] */
    bool *dead;
    bool tells;
};

struct sum {
    uint64_t sequences, not_at_rest, unaccounted, duplicated, unnamed, lost, later, not_up;
    uint64_t worst; /* clocks from the last event to rest */
    uint64_t first; /* sequence that failed; and why */
    char why[1000];
};

static void say(const struct world *w, const char *what, unsigned router, unsigned port)
{
    if (w->tells)
        tap_note("clock %" PRIu64 ", state %d: %s %u.%u", faults_now(w->attack.network),
                 (int)w->attack.supervisor.state, what, router, port);
}

/* ---- events ------------------------------------------------------------------------------------ */

static void set_cut(struct world *w, unsigned router, unsigned port, bool cut)
{
    const struct port *peer = &w->attack.topology->ports[router][port];
    w->cut[router * MACHINE_PORTS + port] = cut;
    w->cut[(unsigned)peer->router * MACHINE_PORTS + peer->port] = cut;
    say(w, cut ? "cut" : "mend", router, port);
    if (cut)
        faults_cut(w->attack.network, router, port);
    else
        faults_mend(w->attack.network, router, port);
}

static void kill_router(struct world *w, unsigned router)
{
    if (w->dead[router])
        return;
    say(w, "kill", router, 0);
    w->dead[router] = true;
    faults_kill(w->attack.network, router);
}

static void replace(struct world *w, unsigned router)
{
    kill_router(w, router);
    say(w, "replace", router, 0);
    w->dead[router] = false;
    attack_replace(&w->attack, router);
}

/* Any cable, one that is cut, or all of a router. */
static void cable(struct world *w, bool mend, bool all)
{
    const struct topology *t = w->attack.topology;
    const unsigned from = sim_below(&w->random, t->routers);
    const unsigned first = sim_below(&w->random, t->machine->ports);
    for (unsigned i = 0; i < t->routers * t->machine->ports; i++) {
        const unsigned p = (first + i) % t->machine->ports;
        const unsigned r = (from + (first + i) / t->machine->ports) % t->routers;
        if (all && r != from)
            return;
        if (t->ports[r][p].router == TOPO_NOBODY || w->cut[r * MACHINE_PORTS + p] != mend)
            continue;
        set_cut(w, r, p, !mend);
        if (!all)
            return;
    }
}

/* The supervisor's own, one that is dead if any is, or any. */
static unsigned choose(struct world *w)
{
    const unsigned routers = w->attack.topology->routers, any = sim_below(&w->random, routers);
    switch (sim_below(&w->random, 4)) {
    case 0:
        return w->attack.supervisor.home;
    case 1:
        for (unsigned i = 0; i < routers; i++)
            if (w->dead[(any + i) % routers])
                return (any + i) % routers;
        return any;
    default:
        return any;
    }
}

static void happens(struct world *w)
{
    switch (sim_below(&w->random, 10)) {
    case 0:
    case 1:
    case 2:
        cable(w, false, false);
        break;
    case 3:
        cable(w, true, false);
        break;
    case 4:
        cable(w, sim_below(&w->random, 2), true);
        break;
    case 5:
    case 6:
        kill_router(w, choose(w));
        break;
    default:
        replace(w, choose(w));
        break;
    }
}

/* In one clock, in the state of the supervisor that is drawn. */
static void moment(struct world *w)
{
    static const enum supervisor_state states[] = {SUPERVISOR_WATCHES, SUPERVISOR_HOLDS,
                                                   SUPERVISOR_WRITES};
    const unsigned when = sim_below(&w->random, 4);
    if (when < 3)
        attack_until(&w->attack, states[when]);
    attack_steps(&w->attack, sim_below(&w->random, when == 3 ? LATER : LATER / 10));
    for (unsigned n = 1 + sim_below(&w->random, AT_ONCE); n > 0; n--)
        happens(w);
}

static void repair(struct world *w)
{
    const struct topology *t = w->attack.topology;
    for (unsigned r = 0; r < t->routers; r++) {
        for (unsigned p = 0; p < t->machine->ports; p++)
            if (w->cut[r * MACHINE_PORTS + p])
                set_cut(w, r, p, false);
        if (w->dead[r])
            replace(w, r);
        if (sim_below(&w->random, 2))
            attack_steps(&w->attack, sim_below(&w->random, LATER / 10));
    }
}

/* ---- a sequence -------------------------------------------------------------------------------- */

static bool played(struct world *w, struct sum *sum, struct attack_verdict *verdict)
{
    const bool repaired = sim_below(&w->random, 2);
    attack_steps(&w->attack, sim_below(&w->random, LATER));
    for (unsigned n = 1 + sim_below(&w->random, MOMENTS); n > 0; n--)
        moment(w);
    if (repaired)
        repair(w);
    const uint64_t began = faults_now(w->attack.network);
    attack_rest(&w->attack);
    const uint64_t took = faults_now(w->attack.network) - began;
    sum->worst = took > sum->worst ? took : sum->worst;
    if (repaired) {
        attack_steps(&w->attack, REPAIRED);
        attack_rest(&w->attack);
    }
    *verdict = attack_verdict(&w->attack);
    const struct attack_verdict v = *verdict;
    const bool up = !repaired || v.down == 0;
    sum->not_at_rest += !v.rests;
    sum->unaccounted += v.unaccounted;
    sum->duplicated += v.wrong;
    sum->unnamed += v.unnamed;
    sum->lost += v.lost;
    sum->later += v.later;
    sum->not_up += !up;
    return attack_withstood(&w->attack, &v) && up;
}

static void sequence(uint64_t seed, uint64_t number, bool tells, struct sum *sum)
{
    /* each as often as its share says: routers of 48 and 64 ports take long */
    static const struct {
        const char *name;
        bool lcb;
        unsigned share;
    } networks[] = {{"dragonfly16:3x1x4x2", false, 6}, {"dragonfly16:3x1x4x2", true, 6},
                    {"dragonfly16:4x1x3x2", false, 3}, {"dragonfly16:5x1x2x2", true, 3},
                    {"clos:2x4x4x4", false, 6},        {"torus:3x2x2", false, 1}};
    struct world w = {.random = sim_random_of(seed, number), .tells = tells};
    unsigned which = 0, share = sim_below(&w.random, ALL);
    while (share >= networks[which].share)
        share -= networks[which++].share;
    attack_begin(&w.attack, networks[which].name, networks[which].lcb, sim_random(&w.random));
    const unsigned routers = w.attack.topology->routers;
    w.cut = sim_alloc((size_t)routers * MACHINE_PORTS, sizeof *w.cut);
    w.dead = sim_alloc(routers, sizeof *w.dead);
    if (tells)
        tap_note("sequence %" PRIu64 " of seed %" PRIu64 ": %s%s", number, seed,
                 networks[which].name, networks[which].lcb ? " with link control blocks" : "");
    struct attack_verdict v;
    if (!played(&w, sum, &v) && sum->why[0] == '\0') {
        sum->first = number;
        snprintf(sum->why, sizeof sum->why, "%s, clock %" PRIu64 ": %s", networks[which].name,
                 faults_now(w.attack.network), v.why);
    }
    sum->sequences++;
    attack_end(&w.attack);
    free(w.cut);
    free(w.dead);
}

static bool report(const struct sum *sum, uint64_t seed)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "sequences", (double)sum->sequences);
    cJSON_AddNumberToObject(json, "not_at_rest", (double)sum->not_at_rest);
    cJSON_AddNumberToObject(json, "unaccounted", (double)sum->unaccounted);
    cJSON_AddNumberToObject(json, "duplicated", (double)sum->duplicated);
    cJSON_AddNumberToObject(json, "nodes_down_unnamed", (double)sum->unnamed);
    cJSON_AddNumberToObject(json, "repaired_not_up", (double)sum->not_up);
    cJSON_AddNumberToObject(json, "lost", (double)sum->lost);
    cJSON_AddNumberToObject(json, "lost_at_rest", (double)sum->later);
    cJSON_AddNumberToObject(json, "worst_clocks_to_rest", (double)sum->worst);
    cJSON_AddNumberToObject(json, "seed", (double)seed);
    return report_write(REPORT, json);
}

int main(int argc, char **argv)
{
    uint64_t seed, alone = UINT64_MAX, count = SEQUENCES;
    test_options(
        argc, argv, &seed, args_number("--sequences", &count, 1, UINT64_MAX, "sequences of events"),
        args_number("--sequence", &alone, 0, UINT64_MAX - 1, "this one alone, event by event"));
    struct sum sum = {0};
    struct progress progress;
    progress_start(&progress, "sequences", alone == UINT64_MAX ? count : 1, seed);
    for (uint64_t i = 0; i < count && alone == UINT64_MAX; i++) {
        sequence(seed, i, false, &sum);
        progress_show(&progress, i + 1);
    }
    if (alone != UINT64_MAX)
        sequence(seed, alone, true, &sum);
    progress_end(&progress, sum.sequences);
    tap_why("sequence %" PRIu64 " (--sequence %" PRIu64 " --seed %" PRIu64 " plays it again): %s",
            sum.first, sum.first, seed, sum.why);
    tap_ok(sum.why[0] == '\0',
           "%" PRIu64 " sequences, %" PRIu64 " not at rest, %" PRIu64
           " packets unaccounted for, %" PRIu64 " twice; %" PRIu64 " lost, at rest after %" PRIu64
           " clocks at most",
           sum.sequences, sum.not_at_rest, sum.unaccounted, sum.duplicated, sum.lost, sum.worst);
    if (alone == UINT64_MAX)
        tap_ok(report(&sum, seed), "%s", REPORT);
    return tap_done();
}
