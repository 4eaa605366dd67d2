// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_files.c - netsim and deadlock at the edges of the system: reports to devices, pipes and places that are
 * not there, table files without an end, options that are no numbers, too little memory, an interrupted run. One
 * clear line each, nothing replaced that is no file, nothing half-written; and the writer of the other reports.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tb/base/harness.h"
#include "sim/base/whole.h"

#define AT     "build/test/sim_files/"
#define NETSIM "build/bin/netsim --loads 0.3 --clocks 200 "
#define SMALL  " clos:1x4"

/* Exit status of a shell command and what it said on standard error; 124 if it did not end. */
static int run(const char *command, char said[2000])
{
    char line[1200];
    snprintf(line, sizeof line, "exec 2>" AT "said; ulimit -c 0; %s", command);
    const int status = system(line);
    FILE *f = fopen(AT "said", "r");
    const size_t length = f ? fread(said, 1, 1999, f) : 0;
    said[length] = '\0';
    if (f)
        fclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Status 1 and one line that says why, soon. */
static void refused(const char *program, const char *arguments, const char *because)
{
    char command[1000], said[2000];
    snprintf(command, sizeof command, "timeout 60 build/bin/%s %s >" AT "out", program, arguments);
    const int status = run(command, said);
    const char *line = strchr(said, '\n');
    tap_why("status %d: %s", status, said);
    tap_ok(status == 1 && strstr(said, because) && line && line[1] == '\0',
           "%s %s: one line, status 1: %s", program, arguments, because);
}

static void runs(const char *command)
{
    char said[2000];
    const int status = run(command, said);
    tap_why("status %d: %s", status, said);
    tap_ok(status == 0 && !said[0], "%s", command);
}

static bool is_link(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && S_ISLNK(s.st_mode);
}

static bool is_pipe(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && S_ISFIFO(s.st_mode);
}

static bool holds(const char *path, const char *what)
{
    char text[4000];
    FILE *f = fopen(path, "r");
    const size_t length = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[length] = '\0';
    if (f)
        fclose(f);
    return strstr(text, what) != NULL;
}

static bool holds_nothing(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && s.st_size == 0;
}

/* ---- where reports go ------------------------------------------------------------------------- */

/* Links stand for the devices, so that a program that replaces them does no harm. */
static void devices(void)
{
    runs(NETSIM "--json " AT "null --svg " AT "null" SMALL " >" AT "out");
    runs("build/bin/deadlock --json " AT "null" SMALL " >" AT "out");
    runs("build/bin/netsim --write-tables " AT "null" SMALL " >" AT "out");
    tap_ok(is_link(AT "null"), "/dev/null is still there");
    refused("netsim", "--loads 0.3 --clocks 200 --svg " AT "null --json " AT "full" SMALL,
            "No space left");
    refused("netsim", "--loads 0.3 --clocks 200 --json " AT "null --svg " AT "full" SMALL, "plot");
    refused("netsim", "--write-tables " AT "full" SMALL, "No space left");
    refused("deadlock", "--json " AT "full" SMALL, "No space left");
    tap_ok(is_link(AT "full"), "/dev/full is still there");
    runs(NETSIM "--json " AT "stdout --svg " AT "null" SMALL " >" AT "out");
    tap_ok(is_link(AT "stdout") && holds(AT "out", "offered  accepted") &&
               holds(AT "out", "\"loads\": ["),
           "table and report on standard output");
    runs("build/bin/deadlock --json " AT "stdout" SMALL " | cat >" AT "out");
    tap_ok(holds(AT "out", "dependencies") && holds(AT "out", "\"cycles\": 0"),
           "table and report through a pipe");
}

static void pipes(void)
{
    refused("netsim", "--loads 0.3 --clocks 200 --json " AT "pipe" SMALL, "No such device");
    runs("timeout 20 cat " AT "pipe >" AT "piped & build/bin/deadlock --json " AT "pipe" SMALL
         " >" AT "out; status=$?; wait; exit $status");
    tap_ok(is_pipe(AT "pipe") && holds(AT "piped", "\"cycles\": 0"), "a report into a pipe");
}

/* Reported before the first of many clocks. */
static void places(void)
{
    const char *const none = "--clocks 1000000000 --json " AT "none/deep/x.json" SMALL;
    struct stat s;
    refused("netsim", none, "No such file");
    refused("netsim", "--clocks 1000000000 --svg " AT "none/x.svg" SMALL, "No such file");
    refused("netsim", "--clocks 1000000000 --json " AT "said/x.json" SMALL, "Not a directory");
    refused("netsim", "--clocks 1000000000 --json build/test" SMALL, "Is a directory");
    refused("netsim", "--write-tables " AT "none/x" SMALL, "No such file");
    refused("deadlock", "--json " AT "none/x.json dragonfly:241x6x16", "No such file");
    tap_ok(stat(AT "none", &s) != 0, "no folder was made");
    runs(NETSIM "--json " AT "link.json --svg \"" AT "it's.svg\"" SMALL " >" AT "out");
    tap_ok(is_link(AT "link.json") && holds(AT "target.json", "\"loads\": [") &&
               holds(AT "it's.svg", "<svg "),
           "a link leads to the file that is written; a plot with a quote in its name");
    runs("! " NETSIM "--json " AT "a.json --svg " AT "a.svg" SMALL " >/dev/full 2>/dev/null");
    runs("! build/bin/deadlock --json " AT "a.json" SMALL " >/dev/full 2>/dev/null");
}

/* Where it is run from nothing is made: the table is printed, reports go where they are asked for. */
static void elsewhere(void)
{
    struct stat s;
    runs("rm -rf " AT "empty && mkdir " AT "empty && cd " AT
         "empty && ../../../bin/netsim --loads 0.3 --clocks 200" SMALL " >../out");
    tap_ok(rmdir(AT "empty") == 0 && holds(AT "out", "no report: there is no folder"),
           "netsim makes no folder where it is run from");
    runs("mkdir " AT "empty && cd " AT "empty && ../../../bin/netsim --json x.json --loads 0.3 "
         "--clocks 200" SMALL " >../out");
    tap_ok(holds(AT "empty/x.json", "\"saturated\": false") && remove(AT "empty/x.json") == 0 &&
               rmdir(AT "empty") == 0 && stat(AT "empty", &s) != 0,
           "a report that is asked for is all that there is then");
}

static void nothing(void)
{
    struct stat s;
    runs("rm -f " AT "nothing.json");
    refused("netsim",
            "--loads 1e-9 --clocks 100 --json " AT "nothing.json --svg " AT "nothing.svg" SMALL,
            "no packet of the measured clocks arrived");
    tap_ok(stat(AT "nothing.json", &s) != 0 && stat(AT "nothing.svg", &s) != 0,
           "where nothing arrived there is no report");
}

/* A report that was there stays when the next run is interrupted. */
static void interrupted(void)
{
    char said[2000];
    run("echo old >" AT
        "kept.json; timeout -s INT 1 build/bin/netsim --clocks 1000000000 --json " AT
        "kept.json --svg " AT "kept.svg" SMALL " >" AT "out",
        said);
    run("timeout -s INT 1 build/bin/netsim --write-tables " AT "kept.tables dragonfly:241x6x16 >" AT
        "out",
        said);
    struct stat s;
    tap_ok(holds(AT "kept.json", "old\n") && stat(AT "kept.svg", &s) != 0 &&
               stat(AT "kept.tables", &s) != 0,
           "an interrupted run leaves its reports and tables as they were");
}

/* ---- tables ------------------------------------------------------------------------------------- */

static void tables(void)
{
    refused("netsim", "--tables /dev/zero" SMALL, "no regular file");
    refused("netsim", "--tables " AT "pipe" SMALL, "no regular file");
    refused("netsim", "--tables build/test" SMALL, "no regular file");
    refused("deadlock", "--tables /dev/zero" SMALL, "no regular file");

    runs("build/bin/netsim --write-tables " AT "good clos:1x4 >" AT "out");
    runs(NETSIM "--json " AT "a.json --svg " AT "a.svg --tables " AT "good" SMALL " >" AT "out");
    runs("truncate -s 20G " AT "sparse");
    refused("netsim", "--tables " AT "sparse" SMALL, "no table file");
    runs("head -1 " AT "good >" AT "long && truncate -s 2G " AT "long");
    refused("netsim", "--tables " AT "long" SMALL, "too long");
    runs("{ head -1 " AT "good; yes \"$(sed -n 2p " AT "good)\" | head -2000000; } >" AT "many");
    refused("netsim", "--tables " AT "many" SMALL, "more lines");
    runs("head -c -2 " AT "good >" AT "cut");
    refused("netsim", "--tables " AT "cut" SMALL, "has no end");
    runs("sed '2s/$/ 7/' " AT "good >" AT "more");
    refused("netsim", "--tables " AT "more" SMALL, ":2: no such");
    runs("sed '2s/^[0-9]* /4294967296 /' " AT "good >" AT "wrapped");
    refused("netsim", "--tables " AT "wrapped" SMALL, ":2: no such");
    runs("sed '0,/ map /{/ map /d}' " AT "good >" AT "mapless");
    refused("deadlock", "--tables " AT "mapless" SMALL, "no VC map");
    runs("rm -f " AT "sparse " AT "long " AT "many");
}

/* ---- options ------------------------------------------------------------------------------------ */

static void options(void)
{
    static const char *const wrong[][3] = {
        {"deadlock", "--groups 3x clos:1x4", "a number from 1"},
        {"deadlock", "--groups 0 clos:1x4", "a number from 1"},
        {"deadlock", "--groups -1 clos:1x4", "a number from 1"},
        {"deadlock", "--groups 4294967297 clos:1x4", "a number from 1"},
        {"deadlock", "--groups 99999999999999999999 clos:1x4", "a number from 1"},
        {"netsim", "--seed 18446744073709551616 clos:1x4", "a number from 0"},
        {"netsim", "--seed ' -5' clos:1x4", "a number from 0"},
        {"netsim", "--seed '' clos:1x4", "a number from 0"},
        {"netsim", "--clocks 0 clos:1x4", "a number from 100"},
        {"netsim", "--clocks 1e10 clos:1x4", "a number from 100"},
        {"netsim", "--delay 2001 clos:1x4", "a number from 1 to 2000"},
        {"netsim", "--lengths 4294967298-14 clos:1x4", "from 1 to 32"},
        {"netsim", "--lengths ' 2-14' clos:1x4", "from 1 to 32"},
        {"netsim", "--lengths 2--4 clos:1x4", "from 1 to 32"},
        {"netsim", "--lengths 1-14 clos:1x4", "heads of yarc are full"},
        {"netsim", "--bias 128 clos:1x4", "a number from 0 to 127"},
        {"netsim", "--bias processor=3 clos:1x4", "then KIND=NUMBER"},
        {"netsim", "--bias 3,green=4 clos:1x4", "no ports of kind green"},
        {"netsim", "--bias 3,processor= clos:1x4", "a number from 0 to 127"},
        {"netsim", "--delay 10,up clos:1x4", "then KIND=NUMBER"},
        {"netsim", "--delay up=10 clos:1x4", "then KIND=NUMBER"},
        {"netsim", "--delay 10,up= clos:1x4", "then KIND=NUMBER"},
        {"netsim", "--delay 10,green=5 clos:1x4", "no cables of kind green"},
        {"netsim", "--delay '10;up=3' clos:1x4", "a number from 1"},
        {"netsim", "--pattern file:/proc/none clos:1x4", "No such file"},
        {"netsim", "--pattern file: clos:1x4", "No such file"},
        {"netsim", "--pattern file:/dev/null clos:1x4", "nobody sends anything"},
        {"netsim", "--pattern halo clos:1x1", "has one node"},
        {"netsim", "--pattern neighbour dragonfly:1x1x2", "has one group"},
        {"netsim", "--seeds 0 clos:1x4", "a number from 1"},
        {"netsim", "--loads nan clos:1x4", "at most 1"},
        {"netsim", "--loads 0 clos:1x4", "at most 1"},
        {"netsim", "--loads -0.1 clos:1x4", "at most 1"},
        {"netsim", "--loads 1e9 clos:1x4", "at most 1"},
        {"netsim", "--loads inf clos:1x4", "at most 1"},
        {"netsim", "--loads 0.1, clos:1x4", "at most 1"},
        {"netsim", "--lcb --ber nan dragonfly:2x1x1", "below 0.01"},
        {"netsim", "--lcb --ber -1e-9 dragonfly:2x1x1", "below 0.01"},
        {"netsim", "''", "no topology"},
        {"netsim", "clos:0x1x4", "rank"},
        {"netsim", "'clos: 1x4'", "rank"},
        {"netsim", "\"$(printf 'clos:\\n1x4')\"", "rank"},
        {"netsim", "clos:1e0x4", "rank"},
        {"netsim", "clos:nanx4", "rank"},
        {"netsim", "dragonfly:99999999999999999999x1x1", "numbers"},
        {"netsim", "dragonfly:-1x1x1", "numbers"},
        {"netsim", "dragonfly:2x1x2x2x2", "numbers"},
        {"netsim", "clos:1x0000000000000000000000000000000000000000000000000000000004",
         "more than 63 characters"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(wrong[i][0], wrong[i][1], wrong[i][2]);
}

/* Files of patterns with lines that cannot be, by line. */
static void patterns(void)
{
    static const char *const wrong[][2] = {
        {"0 4", ":2: there is no node 4"},        {"4 0", ":2: there is no node 4"},
        {"0", ":2: a line is FROM TO"},           {"0 1 2 3", ":2: a line is FROM TO"},
        {"0 x", ":2: a line is FROM TO"},         {"0 1 0", "nobody sends anything"},
        {"0 1 -1", ":2: a line is FROM TO"},      {"0 1 nan", ":2: a line is FROM TO"},
        {"0 1 0x10", ":2: a line is FROM TO"},    {"0 1 1e999", ":2: a line is FROM TO"},
        {"-1 2", ":2: a line is FROM TO"},        {"0 1 x", ":2: a line is FROM TO"},
        {"0 4294967297", ":2: there is no node"}, {"%0300d", ":2: a line is FROM TO"},
    };
    char command[200];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(command, sizeof command, "printf '# who sends\\n%s\\n' >" AT "pattern",
                 wrong[i][0]);
        runs(command);
        refused("netsim", "--pattern file:" AT "pattern clos:1x4", wrong[i][1]);
    }
    refused("netsim", "--pattern file:build/test clos:1x4", "Is a directory");
    runs("printf '#%05000d\\n0 1 2\\r\\n \\t\\r\\n1 0 0\\n2 3\\t34359738368.5\\n2 3 1e9' >" AT
         "pattern; " NETSIM "--json " AT "null --svg " AT "null --pattern file:" AT
         "pattern clos:1x4 >" AT "out");
}

/* What does not fit is refused before it is begun. */
static void memory(void)
{
    char said[2000];
    const int net = run("ulimit -v 200000; build/bin/netsim torus:8x8x5 >" AT "out", said);
    tap_why("status %d: %s", net, said);
    tap_ok(net == 1 && strstr(said, "torus:8x8x5 needs") && holds_nothing(AT "out"),
           "netsim torus:8x8x5 in 200 MB, before it begins: %s", said);
    const int ranks = run("build/bin/netsim --ranks 2 xc:241 >" AT "out", said);
    tap_ok(ranks == 1 && (strstr(said, "dragonfly:241x6x16 needs") || strstr(said, "libopenmpi")) &&
               holds_nothing(AT "out"),
           "netsim --ranks 2 xc:241, before it begins: %s", said);
    const int graph =
        run("ulimit -v 200000; build/bin/deadlock dragonfly:241x6x16 >" AT "out", said);
    tap_why("status %d: %s", graph, said);
    tap_ok(graph == 1 && strstr(said, "dragonfly:241x6x16 needs"),
           "deadlock dragonfly:241x6x16 in 200 MB: %s", said);
}

/* ---- reports of tb/ ----------------------------------------------------------------------------- */

static void reports(void)
{
    struct stat s;
    tap_ok(report_write(AT "null", cJSON_CreateObject()) && is_link(AT "null"),
           "report_write writes to /dev/null and leaves it there");
    tap_ok(!report_write(AT "full", cJSON_CreateObject()) && is_link(AT "full"),
           "report_write to /dev/full fails");
    tap_ok(!report_write(AT "none/x.json", cJSON_CreateObject()) && stat(AT "none", &s) != 0,
           "report_write makes no folders");
    tap_ok(report_write(AT "r.json", cJSON_CreateObject()) && holds(AT "r.json", "{\n}\n"),
           "report_write writes a file");
}

static void prepare(void)
{
    char said[2000];
    const int status = system("rm -rf " AT " && mkdir -p " AT " && cd " AT
                              " && ln -s /dev/null null && ln -s /dev/full full && "
                              "ln -s /proc/self/fd/1 stdout && ln -s target.json link.json && "
                              "touch target.json && mkfifo pipe");
    tap_ok(status == 0 && run("true", said) == 0, "links to devices, a pipe");
}

int main(int argc, char **argv)
{
    test_seed(argc, argv);
    prepare();
    devices();
    pipes();
    places();
    elsewhere();
    nothing();
    interrupted();
    tables();
    options();
    patterns();
    memory();
    reports();
    return tap_done();
}
