// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_netsim.c - netsim as a program: errors are one line each, what its reports and its page say of a run.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/test/fixture.h"
#include "sim/test/program.h"

/* The line of a table by which router 1 sends to global 0. */
static bool goes_to_global_0(const char *line)
{
    static const char way[] = "1 28 minimal global 0 ";
    return strncmp(line, way, strlen(way)) == 0;
}

static void program(void)
{
    static const char reports[] = "--json build/test/netsim.json --svg build/test/netsim.svg";
    char said[1000], arguments[300];
    program_refuses("netsim", "ring:4", "no topology");
    program_refuses("netsim", "", "no TOPOLOGY");
    program_refuses("netsim", "dragonfly:9x1x4x1", "do not reach");
    program_refuses("netsim", "dragonfly:241x6x16", "MB of memory");
    program_refuses("netsim", "--pattern tornado torus:2x2x2", "one of uniform");
    program_refuses("netsim", "--mode fast torus:2x2x2", "one of adaptive");
    program_refuses("netsim", "--priority all torus:2x2x2", "one of transit, none");
    program_refuses("netsim", "--speed 3 torus:2x2x2", "no option \"--speed\"");
    program_refuses("netsim", "torus:2x2x2 --seed", "no value");
    program_refuses("netsim", "--loads 0.5,2 torus:2x2x2", "at most 1");
    program_refuses("netsim", "--clocks ten torus:2x2x2", "a number from");
    program_refuses("netsim", "--lengths 1-33 torus:2x2x2", "from 1 to 32");
    program_refuses("netsim", "--lengths 0 torus:2x2x2", "from 1 to 32");
    program_refuses("netsim", "--lengths 2-20 clos:1x4", "19 flits at most");
    program_refuses("netsim", "--map build/test/x.svg clos:1x4", "no cables");
    program_refuses("netsim", "torus:2x2x2 torus:3x3x3", "one TOPOLOGY too many");
    program_refuses("netsim", "--tables build/test/none torus:2x2x2", "No such file");
    program_refuses("netsim", "--slices 5 clos:1x8", "from 1 to 4");
    program_refuses("netsim", "--slices 0 clos:1x8", "from 1 to 4");
    program_refuses("netsim", "--slices 2 torus:2x2x2", "Clos alone");
    program_refuses("netsim", "--slices 2 --loads 0.5 --checkpoint build/test/c clos:1x8",
                    "one slice");
    program_refuses("netsim", "--lcb --lengths 2-14 torus:2x2x2", "from 3");
    program_refuses("netsim", "--checked torus:2x2x2", "--checked: it needs --lcb");
    program_refuses("netsim", "--lcb --checked dragonfly:2x1x1x1", "micropackets");
    program_refuses("netsim", "--ber 1e-5 dragonfly:2x1x1", "--ber needs --lcb");
    program_refuses("netsim", "--lcb --ber 0.5 dragonfly:2x1x1", "below 0.01");
    program_refuses("netsim", "--json /proc/none/x --loads 0.1 --clocks 100 clos:1x2",
                    "cannot write");

    program_run("netsim", "--write-tables build/test/netsim.tables torus:2x1x1", said, sizeof said);
    copy_without("build/test/netsim.tables", "build/test/netsim.cut", goes_to_global_0);
    program_refuses("netsim", "--tables build/test/netsim.cut torus:2x1x1", "no route to global 0");
    program_refuses("netsim", "--tables build/test/netsim.tables torus:1x1x2",
                    "tables of torus:2x1x1");
    snprintf(arguments, sizeof arguments,
             "--tables build/test/netsim.tables --loads 0.2 --clocks 300 %s torus:2x1x1", reports);
    const int status = program_run("netsim", arguments, said, sizeof said);
    tap_why("status %d: %s", status, said);
    tap_ok(status == 0 && said[0] == '\0', "netsim runs with the tables that it has written");
    tap_ok(program_run("netsim", "--help", said, sizeof said) == 0, "netsim --help: status 0");
}

static cJSON *read_json(const char *path)
{
    static char text[200000];
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return cJSON_Parse(text);
}

/* A run with its report; NULL unless it ends with status 0. */
static cJSON *run(const char *arguments)
{
    char said[1000], all[300];
    snprintf(all, sizeof all,
             "--json build/test/netsim.json --svg build/test/netsim.svg --html "
             "build/test/netsim.html %s",
             arguments);
    remove("build/test/netsim.json");
    const int status = program_run("netsim", all, said, sizeof said);
    tap_why("status %d: %s", status, said);
    return status == 0 ? read_json("build/test/netsim.json") : NULL;
}

static double number(const cJSON *object, const char *name)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(object, name));
}

static const cJSON *load_of(const cJSON *report, int load)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(report, "loads"), load);
}

static void write_flows(const char *lines)
{
    FILE *f = fopen("build/test/netsim.flows", "w");
    if (!f || fputs(lines, f) < 0 || fclose(f) != 0)
        exit(EXIT_FAILURE);
}

#define FLOWS "--pattern file:build/test/netsim.flows "

/* Two pairs of neighbours: the processor ports of both nodes of a pair are all in use. */
static void pairs(void)
{
    write_flows("0 1\n1 0\n2 3\n3 2\n");
    cJSON *report = run(FLOWS "--clocks 12000 --loads 1 dragonfly:1x1x1");
    const double accepted = number(load_of(report, 0), "accepted");
    tap_ok(accepted >= 0.94, "dragonfly:1x1x1, two pairs: accepts %.3f, wanted 0.94", accepted);
    cJSON_Delete(report);
}

/* At saturation, with short packets, so that what is drawn differs by far less than the 10 %. */
static void even(const char *network, const char *arguments)
{
    char all[200];
    snprintf(all, sizeof all, "--pattern anywhere %s %s", arguments, network);
    cJSON *report = run(all);
    const cJSON *load = load_of(report, 0), *port = cJSON_GetObjectItem(load, "port");
    const cJSON *node = cJSON_GetObjectItem(load, "node");
    const double accepted = number(load, "accepted"), mean = number(port, "mean");
    const double share = number(port, "least") / mean, nodes = number(node, "least");
    tap_ok(share >= 0.9 && number(port, "most") <= 1.1 * mean &&
               nodes >= 0.9 * number(node, "mean") && mean > 0.99 * accepted &&
               mean < 1.01 * accepted,
           "%s at saturation: of the mean the port with the least gets %.3f, with the most %.3f, "
           "the node "
           "with the least %.3f",
           network, share, number(port, "most") / mean, nodes / number(node, "mean"));
    cJSON_Delete(report);
}

/* Rates are those of the file: of nodes, and of the flows of a node; a weight may be a count of bytes, and zero. */
static void rates(void)
{
    write_flows(
        "# bytes\n0 1 32000000000\n0 2 0\n2 3 8000000000\n2 1 4000000000\n2 3 4000000000\n");
    cJSON *report = run(FLOWS "--clocks 40000 --loads 0.4 dragonfly:2x1x2x2");
    const cJSON *flows = cJSON_GetObjectItem(load_of(report, 0), "flows");
    static const double wanted[][3] = {{0, 1, 0.8}, {2, 1, 0.1}, {2, 3, 0.3}};
    bool good = cJSON_GetArraySize(flows) == 3;
    for (int i = 0; good && i < 3; i++) {
        const cJSON *flow = cJSON_GetArrayItem(flows, i);
        /* six standard deviations of packets of 8.0 flits in the mean, 72 in the square */
        const double offered = number(flow, "offered"),
                     spread = 6 * sqrt(wanted[i][2] * 9.75 / 40000);
        good = number(flow, "from") == wanted[i][0] && number(flow, "to") == wanted[i][1] &&
               fabs(offered - wanted[i][2]) < spread &&
               fabs(number(flow, "accepted") - offered) < 0.01;
        tap_why("flow %d: %g", i, offered);
    }
    tap_ok(good && number(report, "nodes") == 16 && number(report, "ports") == 32,
           "a file of bytes: rates between nodes, the busiest at the load, each flow told");
    double least = INFINITY, most = 0, sum = 0;
    for (int i = 0; i < cJSON_GetArraySize(flows); i++) {
        const double accepted = number(cJSON_GetArrayItem(flows, i), "accepted");
        least = fmin(least, accepted);
        most = fmax(most, accepted);
        sum += accepted;
    }
    const cJSON *flow = cJSON_GetObjectItem(load_of(report, 0), "flow");
    tap_ok(number(flow, "least") == least && number(flow, "most") == most &&
               fabs(number(flow, "mean") - sum / 3) < 1e-5,
           "the least, the mean and the most that is accepted of a flow");
    cJSON_Delete(report);
}

/* One flow of 1.8 flits per clock to a router of the group, whose link takes 1.0: what it does not take goes another way, whatever the bias. */
static void hot(const char *bias)
{
    char all[200];
    write_flows("0 5\n");
    snprintf(all, sizeof all, FLOWS "--clocks 4000 --loads 0.9 --bias %s dragonfly:3x1x3", bias);
    cJSON *report = run(all);
    const cJSON *flows = cJSON_GetObjectItem(load_of(report, 0), "flows");
    const double accepted = number(cJSON_GetArrayItem(flows, 0), "accepted");
    tap_ok(accepted >= 1.5, "one flow over two ways, bias %s: %.3f flits per clock, wanted 1.5",
           bias, accepted);
    cJSON_Delete(report);
}

/* Past saturation no packet that is made arrives while measuring: a point of report, plot and page. */
static void saturated(void)
{
    write_flows("4 0\n5 0\n6 0\n7 0\n");
    cJSON *report = run(FLOWS "--clocks 4000 --loads 1 dragonfly:1x1x2");
    const cJSON *load = load_of(report, 0);
    tap_ok(cJSON_IsTrue(cJSON_GetObjectItem(load, "saturated")) &&
               cJSON_IsNull(cJSON_GetObjectItem(load, "latency")) &&
               number(load, "accepted") > 0.06,
           "a run of one saturated point is a result");
    cJSON_Delete(report);
    report = run(FLOWS "--clocks 3000 --loads 0.1,1 dragonfly:1x1x2");
    tap_ok(cJSON_IsFalse(cJSON_GetObjectItem(load_of(report, 0), "saturated")) &&
               cJSON_IsTrue(cJSON_GetObjectItem(load_of(report, 1), "saturated")) &&
               system("grep -q saturated build/test/netsim.svg && grep -q ', saturated<' "
                      "build/test/netsim.html") == 0,
           "and one of a sweep is a point of its plot and page");
    cJSON_Delete(report);
}

/* Goes on with other options. */
static void resumed(void)
{
    static const char wrote[] =
        "--clocks 1500 --loads 0.3 --seed 7 --checkpoint build/test/netsim.point "
        "--every 500 clos:1x4";
    cJSON_Delete(run(wrote));
    program_refuses("netsim",
                    "--clocks 1600 --loads 0.3 --seed 9 --resume build/test/netsim.point clos:1x4",
                    "another run: --clocks 1500, not 1600; --seed 7, not 9\n");
    program_refuses("netsim",
                    "--clocks 1500 --loads 0.3 --seed 7 --resume build/test/netsim.point clos:1x5",
                    "another run: topology clos:1x4, not clos:1x5\n");
}

/* What the page and the report of a run have: as many packets in the histogram as there were, percentiles within it. */
static void reports(void)
{
    static char text[60000];
    char said[1000];
    const int status = program_run("netsim",
                                   "--loads 0.1,0.4 --clocks 800 --seeds 2 --lengths 1 --json "
                                   "build/test/netsim.json --svg build/test/netsim.svg --html "
                                   "build/test/netsim.html --map build/test/netsim-map.svg "
                                   "dragonfly16:3x1x2x2",
                                   said, sizeof said);
    FILE *f = fopen("build/test/netsim.json", "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    cJSON *report = cJSON_Parse(text);
    unsigned loads = 0, wrong = 0;
    const cJSON *load, *bar;
    cJSON_ArrayForEach(load, cJSON_GetObjectItem(report, "loads"))
    {
        const double p99 = cJSON_GetNumberValue(cJSON_GetObjectItem(load, "p99"));
        double packets = 0, below = 0, to = 0;
        cJSON_ArrayForEach(bar, cJSON_GetObjectItem(load, "histogram"))
        {
            const double from = cJSON_GetNumberValue(cJSON_GetArrayItem(bar, 0));
            const double count = cJSON_GetNumberValue(cJSON_GetArrayItem(bar, 2));
            wrong += packets > 0 && from != to;
            to = cJSON_GetNumberValue(cJSON_GetArrayItem(bar, 1));
            packets += count;
            below += to <= p99 ? count : 0;
        }
        const double all = cJSON_GetNumberValue(cJSON_GetObjectItem(load, "packets"));
        wrong += packets != all || below >= 0.99 * all;
        const double p999 = cJSON_GetNumberValue(cJSON_GetObjectItem(load, "p999"));
        wrong += p999 < p99 || p999 > cJSON_GetNumberValue(cJSON_GetObjectItem(load, "worst"));
        wrong += to <= p999;
        loads++;
    }
    cJSON_Delete(report);
    tap_why("status %d, %u loads, %u wrong: %s %s", status, loads, wrong, said, text);
    tap_ok(status == 0 && loads == 2 && wrong == 0,
           "packets of one flit, two seeds: the histogram of latencies holds all packets");
    tap_ok(system("test $(grep -c '</svg>' build/test/netsim.html) = 3 && "
                  "grep -q '</svg>' build/test/netsim-map.svg") == 0,
           "a page with loads, latencies and cables, the map of cables on its own");
}

/* What processors take in from so many networks at half load. */
static void slices(unsigned count)
{
    char said[1000], arguments[200];
    snprintf(arguments, sizeof arguments,
             "--slices %u --loads 0.5 --clocks 2000 --json build/test/netsim.json --svg "
             "build/test/netsim.svg --html build/test/netsim.html clos:1x32",
             count);
    const int status = program_run("netsim", arguments, said, sizeof said);
    cJSON *report = read_json("build/test/netsim.json");
    const cJSON *point = cJSON_GetArrayItem(cJSON_GetObjectItem(report, "loads"), 0);
    const double accepted = cJSON_GetNumberValue(cJSON_GetObjectItem(point, "accepted"));
    const double counted = cJSON_GetNumberValue(cJSON_GetObjectItem(report, "slices"));
    cJSON_Delete(report);
    tap_why("status %d: %s", status, said);
    tap_ok(status == 0 && counted == count && fabs(accepted - 0.5 * count) < 0.05 * count,
           "%u slices, each port offered 0.5 in the mean: %.3f accepted", count, accepted);
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
    (void)mkdir("build/test", 0777);
    program();
    reports();
    pairs();
    even("dragonfly:1x1x1", "--clocks 8000 --lengths 1 --loads 1");
    even("dragonfly:9x1x4x2", "--clocks 8000 --lengths 1 --loads 0.5");
    even("torus:4x4x2", "--clocks 1500 --lengths 2 --loads 1");
    even("clos:2x4x8", "--clocks 8000 --lengths 2 --loads 1");
    rates();
    hot("16");
    hot("63");
    saturated();
    slices(1);
    slices(3);
    slices(4);
    resumed();
    return tap_done();
}
