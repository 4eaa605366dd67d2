// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_bgl.c - bglsim as a program: a link's and a hop's clocks are exact, small runs of the published experiments, one result for any number
 * of threads and ranks, errors in one line each.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/test/program.h"

/* A quarter of all pairs of a midplane. */
#define QUARTER "--share 4 8x8x8"

static uint64_t seed;

/* The report of a run, as text; the caller frees it. NULL, and a failed check, if there is none. */
static char *run_text(const char *arguments)
{
    char all[500], said[1000];
    snprintf(all, sizeof all, "--seed %llu --json build/test/bglsim.json %s",
             (unsigned long long)seed, arguments);
    const int status = program_run("bglsim", all, said, sizeof said);
    char *text = NULL;
    size_t size = 0;
    FILE *f = status == 0 ? fopen("build/test/bglsim.json", "r") : NULL;
    if (f && getdelim(&text, &size, '\0', f) <= 0) {
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    if (!text) {
        tap_why("status %d: %s", status, said);
        tap_ok(false, "bglsim %s", arguments);
    }
    return text;
}

/* A number of its report; NAN if there is none. */
static double run(const char *arguments, const char *name)
{
    char *text = run_text(arguments);
    cJSON *report = text ? cJSON_Parse(text) : NULL;
    const cJSON *value = cJSON_GetObjectItem(report, name);
    const double number = cJSON_IsNumber(value) ? value->valuedouble : NAN;
    cJSON_Delete(report);
    free(text);
    return number;
}

static void write_flows(const char *lines)
{
    FILE *f = fopen("build/test/bgl.flows", "w");
    if (f) {
        fputs(lines, f);
        fclose(f);
    }
}

/* Packets of each length over one link and, for their acks, back: each takes 32 n + 14 clocks both ways, 32 n + 6 where no ack is due. */
static void link_rate(void)
{
    for (unsigned n = 1; n <= 8; n++) {
        char lines[80], arguments[80];
        double clocks[2];
        for (unsigned ways = 0; ways < 2; ways++) {
            double end[2];
            for (unsigned more = 0; more < 2; more++) {
                snprintf(lines, sizeof lines, "0,0,0 1,0,0 %u\n%s1,0,0 0,0,0 %u\n",
                         1000 + 1000 * more, ways ? "" : "#", 1000 + 1000 * more);
                write_flows(lines);
                snprintf(arguments, sizeof arguments,
                         "--pattern file:build/test/bgl.flows --chunks %u 4x1x1", n);
                end[more] = run(arguments, "clocks");
            }
            clocks[ways] = (end[1] - end[0]) / 1000;
        }
        tap_ok(clocks[0] == 32 * n + 6 && clocks[1] == 32 * n + 14,
               "%u chunks: %.3f clocks of the link, with an ack each %.3f", n, clocks[0],
               clocks[1]);
    }
}

/* Calls with times between: the last of 50 packets leaves 50 times 1,000 clocks after the beginning, and comes as soon as the first would. */
static void times_between(void)
{
    write_flows("0,0,0 2,0,0 1 8\n");
    const double alone = run("--pattern file:build/test/bgl.flows 8x1x1", "clocks");
    write_flows("0,0,0 2,0,0 50 8 1000\n3,0,0 4,0,0 2 8 100\n");
    const double last = run("--pattern file:build/test/bgl.flows 8x1x1", "clocks");
    tap_ok(last - alone == 50000,
           "50 packets, one in 1,000 clocks: the last comes %.0f clocks after one alone",
           last - alone);
}

/* A hop more is 20 clocks by the bypass, 26 through a VC FIFO. */
static void hop(void)
{
    for (unsigned bypass = 0; bypass < 2; bypass++) {
        double clocks[2];
        for (unsigned i = 0; i < 2; i++) {
            char arguments[100];
            snprintf(arguments, sizeof arguments, "--pattern ping-pong --bypass %s --hops %u 8x1x1",
                     bypass ? "on" : "off", 2 + i);
            clocks[i] = run(arguments, "response");
        }
        tap_ok(clocks[1] - clocks[0] == (bypass ? 20 : 26), "a hop %s the bypass: %.2f clocks",
               bypass ? "by" : "without", clocks[1] - clocks[0]);
    }
}

/* Racks are cabled in the order 1 3 5 6 4 2 1: a cable passes two of them, or one in the middle and at the end. */
static void racks(void)
{
    static const unsigned char from[] = {2, 7, 15, 23, 31, 39, 47},
                               passes[] = {0, 2, 2, 1, 2, 2, 1};
    for (unsigned i = 0; i < sizeof from; i++) {
        char line[40];
        double clocks[2];
        for (unsigned back = 0; back < 2; back++) {
            const unsigned a = from[i], b = (a + 1) % 48;
            snprintf(line, sizeof line, "%u,0,0 %u,0,0 1\n", back ? b : a, back ? a : b);
            write_flows(line);
            clocks[back] =
                run("--racks 10 --delay 3 --pattern file:build/test/bgl.flows 48x1x1", "clocks") -
                run("--pattern file:build/test/bgl.flows 48x1x1", "clocks");
        }
        tap_ok(clocks[0] == 3 + 10 * passes[i] && clocks[1] == clocks[0],
               "behind coordinate %u a cable takes %.0f clocks more, %.0f back", from[i], clocks[0],
               clocks[1]);
    }
}

static void all_to_all(void)
{
    const double cube = run("4x4x4", "peak"), plane = run("--packets 4 8x8x1", "peak");
    tap_ok(cube >= 0.80 && cube < 1, "all-to-all, 4x4x4, a packet a pair: %.3f of peak", cube);
    tap_ok(plane >= 0.94 && plane < 1, "all-to-all, 8x8x1, four packets a pair: %.3f of peak",
           plane);
    const double xyz = run("--routing xyz --arbitration base " QUARTER, "peak");
    const double one = run("--vcs 1 --paths 1 --arbitration base " QUARTER, "peak");
    const double two = run("--vcs 1 --paths 2 --arbitration base " QUARTER, "peak");
    const double full = run("--arbitration base " QUARTER, "peak");
    tap_ok(xyz < one && one < two && two < full && xyz < 0.6 && full > 0.9,
           "8x8x8, deterministic %.3f, 1 VC 1 path %.3f, 1 VC 2 paths %.3f, 2 VCs 2 paths %.3f",
           xyz, one, two, full);
}

/* The model's defect as a knob: injection sees a link as early as receivers, and takes it from them. */
static void gap(void)
{
    static const char *const name[] = {"stolen", "injected", "fullness"};
    double shut[3], open[3];
    for (unsigned i = 0; i < 3; i++) {
        shut[i] = run(QUARTER, name[i]);
        open[i] = run("--gap " QUARTER, name[i]);
    }
    tap_ok(shut[0] <= 0.02 * shut[1] && open[0] / open[1] > 2 * shut[0] / shut[1],
           "8x8x8: injection's grants over a receiver that could: %.4f, with the gap %.4f",
           shut[0] / shut[1], open[0] / open[1]);
    tap_ok(open[2] > shut[2], "and with the gap VC FIFOs are %.3f times as full",
           open[2] / shut[2]);
}

/* All that the report says, byte for byte. */
static void same(const char *one, const char *several, const char *run)
{
    char arguments[300];
    snprintf(arguments, sizeof arguments, "%s %s", several, run);
    char *text = run_text(arguments);
    tap_ok(one && text && strcmp(one, text) == 0, "%s: the same report", arguments);
    free(text);
}

static void threads_and_ranks(void)
{
    static const char *const runs[] = {
        "--share 64 --packets 1 16x16x8",
        "--pattern hot --warmup 300 --clocks 2500 --interval 500 16x8x16",
        "--pattern random --load 0.7 --warmup 500 --clocks 2000 --escape pair --racks 7 16x16x8",
    };
    for (unsigned i = 0; i < 3; i++) {
        char *one = run_text(runs[i]);
        same(one, "--threads 2", runs[i]);
        same(one, "--threads 4", runs[i]);
        same(one, i == 2 ? "--ranks 4" : "--ranks 2", runs[i]);
        free(one);
    }
}

/* Nodes that other ranks have are dead, too, and packets by relays are counted by all. */
static void ranks_dead(void)
{
    write_flows("3,1,0\n12,5,0\n");
    const char *arguments = "--chunks 1 --dead build/test/bgl.flows 16x8x1";
    char *one = run_text(arguments);
    same(one, "--ranks 2", arguments);
    free(one);
}

static void refuses(const char *lines, const char *because)
{
    write_flows(lines);
    program_refuses("bglsim", "--pattern file:build/test/bgl.flows 4x4x4", because);
}

/* Rings of one, two, odd numbers of nodes, every pattern and design, with sanitizers: each run ends well, all packets where they belong. */
static void odd_tori(void)
{
    static const char *const runs[] = {
        "4x4x4",
        "--pattern random --clocks 3000 --warmup 500 2x1x1",
        "--pattern hot --chunks 1 --clocks 3000 --warmup 100 --interval 500 3x3x3",
        "--pattern random --load 1 --clocks 3000 --warmup 500 5x3x2",
        "--escape pair --order direction --pattern hot --clocks 4000 --warmup 0 5x4x3",
        "--routing xyz --chunks 3 5x2x3",
        "--pattern line --packets 50 4x1x1",
        "--pattern plane --packets 80 --processor 300 5x4x2",
        "--pattern ping-pong --hops 3 --processor 9 4x4x1",
        "--endless --packets 3 --chunks 2 4x2x2",
        "--threads 2 --share 200 --interval 300 16x8x8",
        "--pattern spot --cube 2 --packets 5 3x3x3",
        "--gap --fifo 512 --vcs 4 --paths 4 --bypass off 4x4x2",
        "--fifo 2048 --delay 150 4x4x1",
        "--within y --packets 9 --pace 100 4x8x2",
    };
    for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
        char all[300], said[1000];
        snprintf(all, sizeof all, "--seed %llu --json build/test/bglsim-san.json %s",
                 (unsigned long long)seed, runs[i]);
        const int status = program_run("bglsim-san", all, said, sizeof said);
        tap_why("status %d: %s", status, said);
        tap_ok(status == 0, "with sanitizers: %s", runs[i]);
    }
}

/* The program holds that every living pair is heard of; the model, that no packet goes to a dead node. */
static void dead_nodes(void)
{
    write_flows("1,1,1\n3,2,0 # no line has two\n0,3,3\n");
    const double relayed = run("--dead build/test/bgl.flows 4x4x4", "relayed");
    tap_ok(relayed > 0 && run("--dead build/test/bgl.flows 4x4x4", "peak") > 0.3,
           "4x4x4, three dead nodes: all pairs heard of, %.0f packets by relays", relayed);
}

static void bad_input(void)
{
    write_flows("1,1,1\n");
    program_refuses("bglsim", "--dead build/test/bgl.flows --pattern random 4x4x4",
                    "goes with all-to-all");
    program_refuses("bglsim", "--dead build/test/bgl.flows 2x1x1", "a node of this torus");
    program_refuses("bglsim", "--dead build/test/none 4x4x4", "No such file");
    write_flows("1,1,1\n1,1,1\n");
    program_refuses("bglsim", "--dead build/test/bgl.flows 4x4x4", ":2: this node is dead already");
    write_flows("0,0,0\n1,0,0\n");
    program_refuses("bglsim", "--dead build/test/bgl.flows 3x1x1", "of 3 nodes 2 are dead");
    program_refuses("bglsim", "", "no XxYxZ");
    program_refuses("bglsim", "0x4x4", "1 to 256 nodes");
    program_refuses("bglsim", "257x1x1", "1 to 256 nodes");
    program_refuses("bglsim", "8x8", "a torus is XxYxZ");
    program_refuses("bglsim", "8x8x8x8", "a torus is XxYxZ");
    program_refuses("bglsim", "1x1x1", "two nodes");
    program_refuses("bglsim", "256x256x256", "16777215");
    program_refuses("bglsim", "255x256x256", "MB of memory");
    program_refuses("bglsim", "--threads 3 16x8x8", "do not divide the 2 midplanes");
    program_refuses("bglsim", "--threads 2 8x8x8", "do not divide the 1 midplanes");
    program_refuses("bglsim", "--ranks 3 16x8x8", "do not divide the 2 midplanes");
    program_refuses("bglsim", "--ranks 2 --threads 2 16x8x8", "each of several ranks has one");
    program_refuses("bglsim", "--racks 70 --delay 11 16x8x8", "more than 150 clocks");
    program_refuses("bglsim", "--fifo 1000 4x4x4", "512, 1024 or 2048");
    program_refuses("bglsim", "--pattern tornado 4x4x4", "one of all-to-all, random");
    program_refuses("bglsim", "--pattern spot --cube 4 4x4x4", "does not fit");
    program_refuses("bglsim", "--within xw 4x4x4", "dimensions");
    program_refuses("bglsim", "--within z 4x4x1", "one node");
    program_refuses("bglsim", "--pattern ping-pong --hops 7 4x4x4", "further than 6");
    program_refuses("bglsim", "--escape pair --routing xyz 4x4x4", "dynamic");
    program_refuses("bglsim", "--pattern file:build/test/none 4x4x4", "No such file");
    program_refuses("bglsim", "--pattern file:build/test 4x4x4", "directory");
    program_refuses("bglsim", "--json /proc/none/x 4x4x4", "cannot write");
    refuses("# nothing\n\n", "no flow");
    refuses("0,0,0 0,0,1\n", ":1: a line is");
    refuses("0,0,0 0,0,1 1\n0,0,0 0,0,4 1\n", ":2: a node is X,Y,Z");
    refuses("0,0 0,0,1 1\n", "a node is X,Y,Z");
    refuses("0,0,0 0,0,1,0 1\n", "a node is X,Y,Z");
    refuses("0,0,0 0,0,1 0\n", "packets");
    refuses("0,0,0 0,0,1 1 9\n", "1 to 8 chunks");
    refuses("0,0,0 0,0,1 1 8 soon\n", "at most 16777216 clocks");
    refuses("0,0,0 0,0,1 1 8 9 10\n", ":1: a line is");
    refuses("0,0,0 0,0,0 1\n", "to itself");
}

int main(int argc, char **argv)
{
    seed = test_seed(argc, argv);
    (void)mkdir("build/test", 0777);
    bad_input();
    link_rate();
    times_between();
    hop();
    all_to_all();
    gap();
    odd_tori();
    dead_nodes();
    racks();
    threads_and_ranks();
    ranks_dead();
    return tap_done();
}
