// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_compare.c - netcompare runs the small networks of its list and writes its report; nethop.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "sim/test/program.h"

#define REPORT "build/reports/netsim-compare.json"

static cJSON *read_report(const char *path)
{
    char text[20000];
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return cJSON_Parse(text);
}

/* All fields are there; a network accepts something, and no more than it is offered but for what the draw of packets adds. */
static bool whole(const cJSON *point)
{
    static const char *const texts[] = {"network", "pattern", "mode", "length"};
    const cJSON *offered = cJSON_GetObjectItem(point, "offered"),
                *accepted = cJSON_GetObjectItem(point, "accepted"),
                *peer = cJSON_GetObjectItem(point, "peer"),
                *peer_accepted = cJSON_GetObjectItem(point, "peer_accepted");
    bool good = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        good = good && cJSON_IsString(cJSON_GetObjectItem(point, texts[i]));
    return good && cJSON_IsNumber(offered) && cJSON_IsNumber(accepted) &&
           accepted->valuedouble > 0 && accepted->valuedouble <= offered->valuedouble * 1.1 &&
           peer && peer_accepted && cJSON_IsNull(peer) == cJSON_IsNull(peer_accepted);
}

static void measures(const char *arguments)
{
    char said[1000];
    remove(REPORT);
    const int status = program_run("netcompare", arguments, said, sizeof said);
    cJSON *report = read_report(REPORT);
    int points = cJSON_GetArraySize(report), bad = 0, with_peer = 0;
    for (const cJSON *point = report ? report->child : NULL; point; point = point->next) {
        bad += !whole(point);
        with_peer += cJSON_IsString(cJSON_GetObjectItem(point, "peer"));
    }
    tap_why("status %d, %d of %d bad, %d with a peer: %s", status, bad, points, with_peer, said);
    tap_ok(status == 0 && points >= 12 && bad == 0 && with_peer > 0,
           "netcompare %s: a report of %d loads", arguments, points);
    cJSON_Delete(report);
}

/* A hop is more than nothing and less than what its clocks can be mistaken for. */
static void hop(void)
{
    char said[1000];
    const int status = program_run("nethop", "", said, sizeof said);
    cJSON *report = read_report("build/reports/net-hop.json");
    const cJSON *router = cJSON_GetObjectItem(report, "router_clocks"),
                *lcb = cJSON_GetObjectItem(report, "lcb_clocks");
    tap_why("status %d: %s", status, said);
    tap_ok(status == 0 && cJSON_IsNumber(router) && cJSON_IsNumber(lcb) &&
               router->valuedouble >= 10 && router->valuedouble <= 20 && lcb->valuedouble >= 10 &&
               lcb->valuedouble <= 30,
           "a hop: router %.1f clocks, LCBs %.1f", router ? router->valuedouble : 0,
           lcb ? lcb->valuedouble : 0);
    cJSON_Delete(report);
}

int main(void)
{
    program_refuses("nethop", "--cable 3", "no option \"--cable\"");
    program_refuses("nethop", "--json /proc/none/x", "cannot write");
    hop();
    program_refuses("netcompare", "--clocks none", "a number from");
    program_refuses("netcompare", "--jobs 0", "a number from");
    program_refuses("netcompare", "--fast", "no option \"--fast\"");
    program_refuses("netcompare", "dragonfly:2x1x1", "no option \"dragonfly:2x1x1\"");
    program_refuses("netcompare", "--json /proc/none/x --brief", "cannot write");
    measures("--brief --clocks 600");
    return tap_done();
}
