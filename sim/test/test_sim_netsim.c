// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_netsim.c - netsim as a program: errors are one line each, what its reports and its page say of a run.
 */
#include <cjson/cJSON.h>
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
    program_refuses("netsim", "", "no topology");
    program_refuses("netsim", "dragonfly:9x1x4x1", "do not reach");
    program_refuses("netsim", "dragonfly:241x6x16", "MB of memory");
    program_refuses("netsim", "--pattern tornado torus:2x2x2", "one of uniform");
    program_refuses("netsim", "--mode fast torus:2x2x2", "one of adaptive");
    program_refuses("netsim", "--priority all torus:2x2x2", "one of transit, none");
    program_refuses("netsim", "--speed 3 torus:2x2x2", "no option \"--speed\"");
    program_refuses("netsim", "torus:2x2x2 --seed", "no value");
    program_refuses("netsim", "--loads 0.5,2 torus:2x2x2", "at most 1");
    program_refuses("netsim", "--clocks ten torus:2x2x2", "a number from");
    program_refuses("netsim", "--lengths 1-15 torus:2x2x2", "from 1 to 14");
    program_refuses("netsim", "--lengths 0 torus:2x2x2", "from 1 to 14");
    program_refuses("netsim", "--map build/test/x.svg clos:1x4", "no cables");
    program_refuses("netsim", "torus:2x2x2 torus:3x3x3", "two topologies");
    program_refuses("netsim", "--tables build/test/none torus:2x2x2", "No such file");
    program_refuses("netsim", "--lcb torus:2x2x2", "gemini has no link control block");
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

int main(void)
{
    (void)mkdir("build/test", 0777);
    program();
    reports();
    return tap_done();
}
