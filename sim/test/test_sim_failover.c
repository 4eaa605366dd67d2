// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_failover.c - failover: parts of small networks die and come back; nothing is lost that is not accounted for.
 * Routes around random damage: everybody who is left gets everywhere, and nothing waits in a circle. --lcb: with link
 * control blocks, too.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>

#include "sim/net/deadlock.h"
#include "sim/failover/supervisor.h"
#include "sim/test/fixture.h"
#include "sim/test/program.h"

#define REPORT "build/reports/failover.json"

enum { SCENARIOS = 7 };

static double number(const cJSON *scenario, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(scenario, key);
    return cJSON_IsNumber(item) ? item->valuedouble : -1;
}

static cJSON *read_report(void)
{
    char text[20000];
    FILE *f = fopen(REPORT, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return cJSON_Parse(text);
}

/* What must hold of each; found: what the supervisor must have seen of dead routers, chassis and groups. */
static void scenario(const cJSON *s, const char *name, const int found[3], bool back)
{
    const cJSON *its = cJSON_GetObjectItem(s, "scenario");
    const double before = number(s, "accepted_before"), after = number(s, "accepted_after");
    const double lost = number(s, "lost");
    char *text = cJSON_PrintUnformatted(s);
    tap_why("%s", text ? text : "nothing");
    tap_ok(cJSON_IsString(its) && strcmp(its->valuestring, name) == 0 &&
               number(s, "unaccounted") == 0 && number(s, "duplicated") == 0 &&
               number(s, "cycles") == 0 && number(s, "routers_found") == found[0] &&
               number(s, "chassis_found") == found[1] && number(s, "groups_found") == found[2] &&
               number(s, "clocks_to_mask") > 0 && number(s, "clocks_to_detect") > 0 &&
               number(s, "clocks_to_resume") >= number(s, "clocks_to_detect") && before > 0 &&
               after > before / 3 && number(s, "accepted_during") > 0 &&
               (back ? lost == 0 : lost > 0),
           "%s: %.0f packets lost, all accounted for; resumed after %.0f clocks; accepted %.3f, "
           "then %.3f",
           name, lost, number(s, "clocks_to_resume"), before, after);
    free(text);
}

static void all(const char *arguments)
{
    static const char *const name[SCENARIOS] = {"1 link",       "10 links", "100 links", "chassis",
                                                "chassis back", "group",    "group back"};
    static const int found[SCENARIOS][3] = {{0}, {0}, {0}, {2, 1, 0}, {0}, {4, 2, 1}, {0}};
    char said[2000];
    remove(REPORT);
    const int status = program_run("failover", arguments, said, sizeof said);
    cJSON *report = read_report();
    tap_why("status %d: %s", status, said);
    tap_ok(status == 0 && cJSON_GetArraySize(report) == SCENARIOS, "failover %s", arguments);
    const bool lcb = strstr(arguments, "--lcb");
    for (int i = 0; i < 3; i++) {
        const cJSON *s = cJSON_GetArrayItem(report, i);
        const double cables[] = {1, 10, 100}, mask = number(s, "clocks_to_mask");
        tap_why("%.0f deaths, %.0f clocks", number(s, "link_deaths"), mask);
        tap_ok(lcb ? number(s, "link_deaths") == 2 * cables[i] && mask > 2048 - 10 && mask < 2500
                   : number(s, "link_deaths") == 0 && mask > 200 - 10 && mask < 250,
               "%s: %.0f ends of cables known after %.0f clocks", name[i], 2 * cables[i], mask);
    }
    for (int i = 0; i < SCENARIOS; i++)
        scenario(cJSON_GetArrayItem(report, i), name[i], found[i],
                 i == SCENARIOS - 1 || i == SCENARIOS - 3);
    cJSON_Delete(report);
}

/* A link and a chip of a small torus or Clos, over links in packet mode. groups: that are found dead with it, chips of one z. */
static void plain(const char *name, int groups)
{
    static const char *const names[] = {"1 link", "chip", "chip back"};
    const int found[][3] = {{0}, {1, 0, groups}, {0}};
    char said[2000], arguments[100];
    remove(REPORT);
    snprintf(arguments, sizeof arguments, "--lcb --brief --clocks 300 %s", name);
    const int status = program_run("failover", arguments, said, sizeof said);
    cJSON *report = read_report();
    tap_why("status %d: %s", status, said);
    tap_ok(status == 0 && cJSON_GetArraySize(report) == 3, "failover %s", arguments);
    const double deaths = number(cJSON_GetArrayItem(report, 0), "link_deaths");
    tap_equal((uint64_t)deaths, 2, "both ends of one link died");
    for (int i = 0; i < 3; i++)
        scenario(cJSON_GetArrayItem(report, i), names[i], found[i], i == 2);
    const double without = number(cJSON_GetArrayItem(report, 1), "accepted_after"),
                 with = number(cJSON_GetArrayItem(report, 2), "accepted_after");
    tap_ok(with > 1.5 * without, "%s: accepted %.3f without the chip, %.3f with it back", name,
           without, with);
    cJSON_Delete(report);
}

/* ---- routes ------------------------------------------------------------------------------------ */

/* Some of its cables and routers. */
static struct degraded *damage(const struct topology *t, struct sim_random *random)
{
    bool *link = calloc((size_t)t->routers * MACHINE_PORTS, sizeof *link);
    bool *router = calloc(t->routers, sizeof *router);
    if (!link || !router)
        exit(EXIT_FAILURE);
    const unsigned of = 2 + sim_below(random, 30), routers = sim_below(random, 3);
    for (unsigned r = 0; r < t->routers; r++)
        for (unsigned p = 0; p < t->machine->ports; p++) {
            const struct port *port = &t->ports[r][p];
            if (port->router == TOPO_NOBODY || sim_below(random, of) != 0)
                continue;
            link[r * MACHINE_PORTS + p] = true;
            link[(unsigned)port->router * MACHINE_PORTS + port->port] = true;
        }
    for (unsigned i = 0; i < routers; i++)
        router[1 + sim_below(random, t->routers - 1)] = true;
    struct degraded *d = degraded_new(t, router, link);
    free(link);
    free(router);
    return d;
}

/* deadlock_check fails if a packet finds no way, wherever it may have been sent. */
static void routes(const char *name, unsigned times, uint64_t seed)
{
    struct topology *t = build(name);
    struct sim_random random = {seed};
    unsigned wrong = 0, left = 0;
    char error[TABLES_ERROR] = "", why[2 * TABLES_ERROR] = "";
    for (unsigned i = 0; i < times; i++) {
        struct degraded *d = damage(t, &random);
        struct deadlock graph = {0};
        if (!d)
            continue;
        const struct tables words = tables_computed(&d->topology);
        if (!deadlock_check(&words, 0, &graph, error) || graph.cycles) {
            wrong++;
            snprintf(why, sizeof why, "damage %u: %s%.300s", i, error, graph.example);
        }
        left += d->topology.nodes > t->nodes / 2;
        degraded_free(d);
    }
    tap_why("%u wrong, %u with more than half left: %s", wrong, left, why);
    tap_ok(wrong == 0 && left > times / 4,
           "%s, damaged at random %u times: everybody left gets everywhere, without cycles", name,
           times);
    topo_free(t);
}

/* ---- heartbeats -------------------------------------------------------------------------------- */

/* A router whose memories have lost a way, so its node is not heard any more: its words are written again. */
static void forgets(uint64_t seed)
{
    enum { WHO = 7, CLOCKS = 30000 };
    struct topology *t = build("dragonfly:3x2x2x2");
    const struct tables tables = tables_computed(t);
    const struct machine *m = t->machine;
    struct net_config c = {.seed = seed,
                           .traffic = {.pattern = PATTERN_UNIFORM,
                                       .routing = ROUTING_MINIMAL,
                                       .load = 0.02,
                                       .shortest = 2,
                                       .longest = 14}};
    for (unsigned k = 0; k < NET_KINDS; k++)
        c.delay[k] = 10;
    struct network *n = net_new(router_model_of(m), &tables, &c);
    struct supervisor s;
    faults_begin(n, 200);
    supervisor_begin(&s, n, t, 0, 2, c.bias, (struct link_limits){0});
    for (unsigned p = 0; p < m->ports; p++)
        for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++) {
            const struct request forget = {
                true, m->route_address(p, MEMORY_MINIMAL),
                m->route_data(MEMORY_MINIMAL, m->entry_at(false, 0, draw), 0)};
            faults_ask(n, WHO, &forget, 1);
        }
    uint64_t dropped[2] = {0};
    bool good = true;
    for (unsigned half = 0; half < 2; half++) {
        for (uint64_t i = 0; i < CLOCKS && good; i += 10) {
            net_run(n, 10);
            good = supervisor_step(&s);
        }
        dropped[half] = supervisor_dropped(&s);
    }
    const uint64_t silent = faults_now(n) - s.beat[WHO];
    tap_why("written again %u times, %" PRIu64 " clocks silent, %" PRIu64 " and %" PRIu64
            " dropped: %s",
            s.again, silent, dropped[0], dropped[1], s.error);
    tap_ok(good && s.again >= 1 && silent < 2000 && dropped[0] > 0 && dropped[0] == dropped[1] &&
               net_stats(n).wrong == 0,
           "a router that has forgotten a way is missed and written again; %" PRIu64
           " packets were dropped, then no more",
           dropped[0]);
    supervisor_free(&s);
    net_free(n);
    topo_free(t);
}

int main(int argc, char **argv)
{
    uint64_t seed;
    bool lcb = false;
    test_options(
        argc, argv, &seed,
        args_flag("--lcb", &lcb, "all with link control blocks once more, which takes minutes"));
    routes("dragonfly:5x2x3x4", 30, seed);
    routes("dragonfly:9x2x2x8", 20, seed + 1);
    routes("dragonfly:3x3x2x4", 30, seed + 2);
    routes("dragonfly:1x3x4", 30, seed + 3);
    routes("dragonfly16:9x1x4x4", 20, seed + 5);
    forgets(seed + 4);
    program_refuses("failover", "", "no TOPOLOGY");
    program_refuses("failover", "ring:4", "no topology");
    program_refuses("failover", "torus:2x1x1", "at least three chips");
    program_refuses("failover", "--brief clos:1x4", "at least three chips");
    program_refuses("failover", "dragonfly:2x1x4", "at least three groups");
    program_refuses("failover", "dragonfly:3x2x2x2", "too few to cut");
    program_refuses("failover", "dragonfly:9x2x2x8 dragonfly:9x2x2x8 clos:1x4",
                    "one TOPOLOGY too many");
    program_refuses("failover", "--load 0 dragonfly:9x2x2x8", "at most 1");
    program_refuses("failover", "--silence none dragonfly:9x2x2x8", "a number from");
    program_refuses("failover", "--lcb --silence 100 dragonfly:9x2x2x8", "without --lcb");
    program_refuses("failover", "--limits 2x2048 dragonfly:9x2x2x8", "without --lcb");
    program_refuses("failover", "--lcb --limits 2x100 dragonfly:9x2x2x8", "1024 to 65535");
    program_refuses("failover", "--json /proc/none/x dragonfly:9x2x2x8", "cannot write");
    all("--clocks 300 dragonfly:9x2x2x8 dragonfly:3x2x2x2");
    plain("torus:3x1x1", 1);
    plain("clos:1.5x3x8", 0);
    if (lcb)
        all("--lcb --clocks 300 dragonfly:9x2x2x8 dragonfly:3x2x2x2");
    return tap_done();
}
