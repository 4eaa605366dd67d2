// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_failover.c - failover: parts of small networks die and come back; nothing is lost that is not accounted for.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

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
    for (int i = 0; i < SCENARIOS; i++)
        scenario(cJSON_GetArrayItem(report, i), name[i], found[i],
                 i == SCENARIOS - 1 || i == SCENARIOS - 3);
    cJSON_Delete(report);
}

int main(void)
{
    program_refuses("failover", "", "no topology");
    program_refuses("failover", "ring:4", "no topology");
    program_refuses("failover", "torus:4x4x4", "dragonfly:GROUPSxCHASSISxSLOTS alone");
    program_refuses("failover", "dragonfly:2x1x4", "at least three groups");
    program_refuses("failover", "dragonfly:3x2x2x2", "too few to cut");
    program_refuses("failover", "dragonfly:9x2x2x8 dragonfly:9x2x2x8 clos:1x4", "three topologies");
    program_refuses("failover", "--load 0 dragonfly:9x2x2x8", "at most 1");
    program_refuses("failover", "--silence none dragonfly:9x2x2x8", "a number from");
    program_refuses("failover", "--json /proc/none/x dragonfly:9x2x2x8", "cannot write");
    all("--clocks 300 dragonfly:9x2x2x8 dragonfly:3x2x2x2");
    return tap_done();
}
