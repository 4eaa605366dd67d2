// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_speed.c - netspeed, and net-speed.sh with its report; how fast that was decides nothing.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tb/base/harness.h"

#define REPORT "build/reports/net-speed.json"

/* Exit status of netspeed and what it said on standard error. */
static int netspeed(const char *arguments, char *said, size_t size)
{
    char command[300];
    snprintf(command, sizeof command, "build/bin/netspeed %s 2>&1 >/dev/null", arguments);
    FILE *f = popen(command, "r");
    const size_t length = f ? fread(said, 1, size - 1, f) : 0;
    said[length] = '\0';
    const int status = f ? pclose(f) : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void refused(const char *arguments, const char *because)
{
    char said[1000];
    const int status = netspeed(arguments, said, sizeof said);
    const char *line = strchr(said, '\n');
    tap_why("status %d: %s", status, said);
    tap_ok(status == 1 && strstr(said, because) && line && line[1] == '\0',
           "netspeed %s: one line, status 1: %s", arguments, because);
}

static double number(const cJSON *report, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(report, key);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static void measures(void)
{
    char text[2000];
    remove(REPORT);
    const int status =
        system("scripts/bench/net-speed.sh 1 dragonfly16:5x1x8x4 >build/test/net-speed.log");
    FILE *f = fopen(REPORT, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    cJSON *report = cJSON_Parse(text);
    const double routers = number(report, "router_cycles_per_second"),
                 ports = number(report, "port_cycles_per_second");
    tap_why("status %d: %s", status, text);
    tap_ok(status == 0 && routers > 0 && ports > routers &&
               number(report, "flit_hops_per_second") > 0 &&
               cJSON_HasObjectItem(report, "instructions_per_flit_hop") &&
               cJSON_HasObjectItem(report, "two_ranks_over_one"),
           "net-speed.sh: %.0f router-cycles/s, %.0f port-cycles/s, two ranks over one %.2f",
           routers, ports, number(report, "two_ranks_over_one"));
    cJSON_Delete(report);
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
    (void)mkdir("build/test", 0777);
    refused("", "no TOPOLOGY");
    refused("ring:4", "no topology");
    refused("--load 2 torus:2x2x2", "at most 1");
    refused("--seconds none torus:2x2x2", "a number from");
    refused("--speed 3 torus:2x2x2", "no option \"--speed\"");
    refused("--json /proc/none/x torus:2x2x2", "cannot write");
    refused("--ranks 5 dragonfly16:3x1x2x2", "do not divide");
    measures();
    return tap_done();
}
