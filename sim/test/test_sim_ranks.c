// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_ranks.c - netsim as several ranks: reports are the same, byte by byte, for any number of them and for none; a
 * rank that dies ends the run with one line.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tb/base/harness.h"

#define AT "build/test/sim_ranks/"

enum { MOST_RANKS = 4, REPORT = 200000, PLACE = 600 };

/* Exit status of a shell command, and what it said on standard error. */
static int run(const char *command, char said[2000])
{
    char line[PLACE + 100];
    snprintf(line, sizeof line, "exec 2>" AT "said; %s", command);
    const int status = system(line);
    FILE *f = fopen(AT "said", "r");
    const size_t length = f ? fread(said, 1, 1999, f) : 0;
    said[length] = '\0';
    if (f)
        fclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What a run reports: its JSON and the page with the load of each cable. */
static size_t report(const char *name, char *text)
{
    size_t length = 0;
    static const char *const ends[] = {"json", "html"};
    for (unsigned i = 0; i < 2; i++) {
        char path[100];
        snprintf(path, sizeof path, AT "%s.%s", name, ends[i]);
        FILE *f = fopen(path, "r");
        length += f ? fread(text + length, 1, REPORT - length, f) : 0;
        if (f)
            fclose(f);
        remove(path);
    }
    return length;
}

static int netsim(const char *name, const char *arguments, char said[2000])
{
    char command[PLACE];
    snprintf(command, sizeof command,
             "timeout 120 build/bin/netsim --json " AT "%s.json --svg " AT "plot.svg --html " AT
             "%s.html %s >" AT "out",
             name, name, arguments);
    return run(command, said);
}

static void same(const char *arguments)
{
    static char alone[REPORT], text[REPORT];
    char said[2000], more[PLACE];
    int status = netsim("alone", arguments, said);
    const size_t length = report("alone", alone);
    unsigned differ = status != 0 || length < 1000;
    for (unsigned ranks = 1; ranks <= MOST_RANKS && !differ; ranks++) {
        snprintf(more, sizeof more, "--ranks %u %s", ranks, arguments);
        status = netsim("ranks", more, said);
        const size_t other = report("ranks", text);
        differ = status == 0 && other == length && memcmp(alone, text, length) == 0 ? 0 : ranks;
    }
    tap_why("with %u ranks, status %d: %s", differ, status, said);
    tap_ok(differ == 0, "netsim %s: the same with 1, 2, 3 and 4 ranks", arguments);
}

static void refused(const char *arguments, const char *because)
{
    char said[2000];
    const int status = netsim("refused", arguments, said);
    const char *line = strchr(said, '\n');
    tap_why("status %d: %s", status, said);
    tap_ok(status == 1 && strstr(said, because) && line && line[1] == '\0',
           "netsim %s: one line, status 1: %s", arguments, because);
}

/* The process of one rank, found among the children of mpirun; 0 if there is none yet. */
static pid_t rank_of(pid_t netsim)
{
    char command[200];
    long pid = 0;
    snprintf(command, sizeof command,
             "for m in $(pgrep -P %ld -x mpirun); do pgrep -P $m -x netsim-mpi; done | tail -n 1",
             (long)netsim);
    FILE *f = popen(command, "r");
    if (f && fscanf(f, "%ld", &pid) != 1)
        pid = 0;
    if (f)
        pclose(f);
    return (pid_t)pid;
}

static void dies(void)
{
    char said[2000] = "";
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen(AT "died", "w", stderr) || !freopen(AT "out", "w", stdout))
            _exit(2);
        execl("build/bin/netsim", "netsim", "--ranks", "3", "--clocks", "1000000", "--loads", "0.3",
              "dragonfly16:5x1x4x2", (char *)NULL);
        _exit(2);
    }
    pid_t rank = 0;
    for (unsigned i = 0; i < 200 && rank == 0; i++) {
        usleep(50000);
        rank = rank_of(child);
    }
    usleep(500000);
    if (rank > 0)
        kill(rank, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    FILE *f = fopen(AT "died", "r");
    said[f ? fread(said, 1, sizeof said - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    const char *line = strchr(said, '\n');
    tap_why("status %d: %s", status, said);
    tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 1 && line && line[1] == '\0' &&
               strstr(said, "one of 3 ranks has died (signal 9)"),
           "a rank that is killed ends the run: status 1, one line");
}

int main(void)
{
    (void)mkdir("build/test", 0777);
    (void)mkdir("build/test/sim_ranks", 0777);
    if (access("build/bin/netsim-mpi", X_OK) != 0) {
        refused("--ranks 2 torus:2x2x2", "install libopenmpi-dev");
        return tap_done();
    }
    refused("--ranks 4 dragonfly16:3x1x2x2", "do not divide");
    refused("--ranks none dragonfly16:3x1x2x2", "a number from");
    same("--loads 0.3 --clocks 500 dragonfly16:5x1x4x2");
    same("--loads 0.2,0.5 --clocks 200 --responses --delay 4,global=9 dragonfly:4x2x2x2");
    same("--loads 0.5 --clocks 300 --lcb --ber 1e-4 dragonfly16:4x1x2x4");
    same("--loads 0.3 --clocks 200 --lengths 1-1 --seeds 2 dragonfly16:4x1x4x2");
    same("--loads 0.7 --clocks 300 torus:3x2x2");
    same("--loads 0.5 --clocks 300 --delay 1 clos:2x4x4x4");
    dies();
    return tap_done();
}
