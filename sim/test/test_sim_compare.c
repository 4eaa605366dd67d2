// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_compare.c - netcompare runs the small networks of its list and writes its report, which holds what is wanted; nethop.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

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

/* The most that a network accepts of packets of one length, and what at the highest load. */
static double accepted_most(const cJSON *report, const char *network, const char *pattern,
                            const char *length, double *last)
{
    double most = 0;
    *last = 0;
    for (const cJSON *point = report ? report->child : NULL; point; point = point->next) {
        const char *const fields[][2] = {
            {"network", network}, {"pattern", pattern}, {"mode", "adaptive"}, {"length", length}};
        bool same = true;
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            const char *said = cJSON_GetStringValue(cJSON_GetObjectItem(point, fields[i][0]));
            same = same && said && strcmp(said, fields[i][1]) == 0;
        }
        if (!same)
            continue;
        *last = cJSON_GetNumberValue(cJSON_GetObjectItem(point, "accepted"));
        most = *last > most ? *last : most;
    }
    return most;
}

/* Loads of a series stand in the report as they rise: nothing collapses past saturation, and detours carry what they must. */
static void holds(void)
{
    static const struct {
        const char *network, *pattern;
        double wanted;
    } all[] = {{"dragonfly:9x1x4x2", "adversarial", 0.49},
               {"dragonfly:9x1x4x2", "responses", 0.115},
               {"dragonfly:9x2x2x2", "uniform", 0.125}};
    static const char *const lengths[] = {"1", "2-14"};
    cJSON *report = read_report(REPORT);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            double last;
            const double most =
                accepted_most(report, all[i].network, all[i].pattern, lengths[k], &last);
            tap_ok(
                most >= all[i].wanted && last >= 0.95 * most,
                "%s, %s, adaptive, packets of %s: accepts %.3f, wanted %.3f, and %.3f at the end",
                all[i].network, all[i].pattern, lengths[k], most, all[i].wanted, last);
        }
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

/* What speculation saves of a hop: a packet's length and the registers of a stage that waits for its end. */
static void hops(void)
{
    static const struct {
        const char *machine;
        unsigned phits;
    } all[] = {{"gemini", 3}, {"gemini", 19}, {"gemini", 32}, {"yarc", 3}, {"yarc", 19}};
    cJSON *report = read_report("build/reports/hop.json");
    tap_equal((uint64_t)cJSON_GetArraySize(report), sizeof all / sizeof *all, "hops by length");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const cJSON *hop = cJSON_GetArrayItem(report, (int)i),
                    *phits = cJSON_GetObjectItem(hop, "phits");
        const char *machine = cJSON_GetStringValue(cJSON_GetObjectItem(hop, "machine"));
        const double clocks = cJSON_GetNumberValue(cJSON_GetObjectItem(hop, "clocks")),
                     first = cJSON_GetNumberValue(cJSON_GetObjectItem(hop, "clocks_checked_first"));
        tap_why("%.2f and %.2f clocks", clocks, first);
        tap_ok(machine && strcmp(machine, all[i].machine) == 0 &&
                   cJSON_GetNumberValue(phits) == all[i].phits && clocks <= 20 + 9 + 1 &&
                   first - clocks >= all[i].phits + 2 - 0.05,
               "%s, %u phits: a hop of %.1f clocks, %.1f saved", all[i].machine, all[i].phits,
               clocks, first - clocks);
    }
    cJSON_Delete(report);
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
    program_refuses("nethop", "--cable 3", "no option \"--cable\"");
    program_refuses("nethop", "--json /proc/none/x", "cannot write");
    program_refuses("nethop", "--hops /proc/none/x", "cannot write");
    hop();
    hops();
    program_refuses("netcompare", "--clocks none", "a number from");
    program_refuses("netcompare", "--jobs 0", "a number from");
    program_refuses("netcompare", "--fast", "no option \"--fast\"");
    program_refuses("netcompare", "dragonfly:2x1x1", "no option \"dragonfly:2x1x1\"");
    program_refuses("netcompare", "--json /proc/none/x --brief", "cannot write");
    measures("--brief --clocks 600");
    holds();
    return tap_done();
}
