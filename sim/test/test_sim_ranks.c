// SPDX-License-Identifier: Apache-2.0
/*
 * test_sim_ranks.c - netsim as several ranks: reports are the same, byte by byte, for any number of them and for none; a
 * rank that dies ends the run with one line, and it goes on from the last checkpoint.
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

enum { MOST_RANKS = 4, REPORT = 80000, PLACE = 600 };

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

/* The last child of a process; 0 if it has none. */
static pid_t child_of(pid_t parent)
{
    char path[100];
    long pid = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    FILE *f = parent > 0 ? fopen(path, "r") : NULL;
    while (f && fscanf(f, "%ld", &pid) == 1)
        ;
    if (f)
        fclose(f);
    return (pid_t)pid;
}

static bool there(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0;
}

#define LONG "--loads 0.3 --clocks 8000 dragonfly16:5x1x4x2"

/* Three ranks; one is killed as soon as there is a checkpoint. What the program says then. */
static int killed(char said[2000])
{
    remove(AT "checkpoint");
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen(AT "died", "w", stderr) || !freopen(AT "out", "w", stdout))
            _exit(2);
        execl("build/bin/netsim", "netsim", "--ranks", "3", "--clocks", "8000", "--loads", "0.3",
              "--checkpoint", AT "checkpoint", "--every", "640", "--json", AT "no.json", "--svg",
              AT "no.svg", "--html", AT "no.html", "dragonfly16:5x1x4x2", (char *)NULL);
        _exit(2);
    }
    for (unsigned i = 0; i < 3000 && !there(AT "checkpoint"); i++)
        usleep(8000);
    const pid_t rank = child_of(child_of(child)); /* of mpirun */
    if (rank > 0)
        kill(rank, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    FILE *f = fopen(AT "died", "r");
    said[f ? fread(said, 1, 1999, f) : 0] = '\0';
    if (f)
        fclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The run goes on from there, alone and as two ranks, and ends as one that was never interrupted. */
static void dies(void)
{
    static char whole[REPORT], text[REPORT];
    static const char *const on[] = {LONG " --resume " AT "checkpoint",
                                     LONG " --ranks 2 --resume " AT "checkpoint"};
    char said[2000], more[2000];
    const int status = killed(said);
    const char *line = strchr(said, '\n');
    tap_why("status %d: %s", status, said);
    tap_ok(status == 1 && line && line[1] == '\0' && !there(AT "no.json") &&
               strstr(said, "one of 3 ranks has died (signal 9)") &&
               strstr(said, "--resume " AT "checkpoint"),
           "a rank that is killed ends the run: status 1, one line");
    netsim("whole", LONG, more);
    const size_t length = report("whole", whole);
    for (unsigned i = 0; i < 2; i++) {
        const int end = netsim("on", on[i], more);
        const size_t other = report("on", text);
        tap_why("status %d: %s", end, more);
        tap_ok(end == 0 && length > 1000 && other == length && memcmp(whole, text, length) == 0,
               "netsim %s: as if nothing had been", on[i]);
    }
}

/* One process that leaves checkpoints behind; from the last one on it ends in the same way. */
static void resumes(const char *arguments)
{
    static char whole[REPORT], text[REPORT];
    char said[2000], more[PLACE];
    snprintf(more, sizeof more, "--checkpoint " AT "resumes --every 1 %s", arguments);
    int status = netsim("whole", more, said);
    const size_t length = report("whole", whole);
    if (status == 0) {
        snprintf(more, sizeof more, "--resume " AT "resumes %s", arguments);
        status = netsim("on", more, said);
    }
    const size_t other = report("on", text);
    tap_why("status %d: %s", status, said);
    tap_ok(status == 0 && length > 1000 && other == length && memcmp(whole, text, length) == 0,
           "netsim %s: goes on from its last checkpoint and ends the same", arguments);
}

/* A copy of the checkpoint that is wrong somewhere: one byte, or all from there on are missing. */
static void corrupt(const char *path, long at, bool cut)
{
    FILE *in = fopen(AT "checkpoint", "r"), *out = fopen(path, "w");
    int c;
    for (long i = 0; in && out && (c = fgetc(in)) != EOF && !(cut && i == at); i++)
        fputc(i == at ? c ^ 1 : c, out);
    if (in)
        fclose(in);
    if (out)
        fclose(out);
}

static void bad_checkpoints(void)
{
    corrupt(AT "version", 20, false);
    corrupt(AT "cut", 300000, true);
    corrupt(AT "byte", 300000, false);
    refused("--resume " AT "none " LONG, "No such file");
    refused("--resume build/bin/netsim " LONG, "no checkpoint");
    refused("--resume " AT "version " LONG, "another version");
    refused("--resume " AT "checkpoint --seed 2 " LONG, "of another run: --seed 1, not 2\n");
    refused("--resume " AT "checkpoint --loads 0.3 --clocks 8000 --ranks 2 dragonfly16:5x1x4x4",
            "of another run");
    refused("--resume " AT "cut " LONG, "damaged or cut off");
    refused("--resume " AT "byte " LONG, "damaged or cut off");
    refused("--checkpoint " AT "x --loads 0.1,0.2 dragonfly16:5x1x4x2",
            "one load, one seed and one slice");
    refused("--checkpoint " AT "none/x --loads 0.1 dragonfly16:5x1x4x2", "cannot write");
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
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
    bad_checkpoints();
    resumes("--loads 0.5 --clocks 400 --lcb --ber 1e-4 --responses dragonfly16:3x1x2x2");
    resumes("--loads 0.5 --clocks 700 torus:2x2x1");
    return tap_done();
}
