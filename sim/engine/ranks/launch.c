// SPDX-License-Identifier: Apache-2.0
/*
 * launch.c - mpirun, and what it says.
 */
#include "sim/engine/ranks/launch.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/program.h"

enum { DIED = 128 /* exit status of what a signal has ended, and above */ };

static void find_program(char path[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 5);
    if (length < 0)
        sim_fail("/proc/self/exe: %s", strerror(errno));
    memcpy(path + length, "-mpi", sizeof "-mpi");
    if (access(path, X_OK) != 0)
        sim_fail("--ranks: there is no %s; where MPI was missing it is not built: install "
                 "libopenmpi-dev and openmpi-bin, then make",
                 path);
}

/* The words of the call: root has to say that it means it, and there may be fewer cores than ranks. */
static char **words(const char *program, unsigned ranks, char **arguments)
{
    static char count[16];
    unsigned argc = 0, n = 0;
    while (arguments[argc])
        argc++;
    char **word = sim_alloc(argc + 8, sizeof *word);
    snprintf(count, sizeof count, "%u", ranks);
    word[n++] = (char *)"mpirun";
    word[n++] = (char *)"--oversubscribe";
    if (geteuid() == 0)
        word[n++] = (char *)"--allow-run-as-root";
    word[n++] = (char *)"-n";
    word[n++] = count;
    word[n++] = (char *)program;
    for (unsigned i = 1; i < argc; i++)
        if (strcmp(arguments[i], "--ranks") == 0)
            i++;
        else
            word[n++] = arguments[i];
    return word;
}

/* Passes on the lines of our ranks; true if one of them says why it ends. */
static bool pass_on(FILE *said)
{
    char *line = NULL;
    size_t size = 0;
    bool reported = false;
    while (getline(&line, &size, said) > 0) {
        const bool ours = strncmp(line, program_invocation_short_name,
                                  strlen(program_invocation_short_name)) == 0;
        if (ours || strncmp(line, "offered", 7) == 0 || strncmp(line, "hls/", 4) == 0)
            fputs(line, stderr);
        reported |= ours;
    }
    free(line);
    return reported;
}

int launch(unsigned ranks, char **arguments, const char *advice)
{
    char program[PATH_MAX];
    int said[2], status = 0;
    find_program(program);
    char **word = words(program, ranks, arguments);
    if (pipe(said) != 0)
        sim_fail("no pipe: %s", strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        sim_fail("no process: %s", strerror(errno));
    if (child == 0) {
        dup2(said[1], STDERR_FILENO);
        close(said[0]);
        close(said[1]);
        execvp(word[0], word);
        fprintf(stderr, "%s: --ranks: mpirun: %s; install openmpi-bin\n",
                program_invocation_short_name, strerror(errno));
        _exit(EXIT_FAILURE);
    }
    close(said[1]);
    FILE *lines = fdopen(said[0], "r");
    const bool reported = lines && pass_on(lines);
    if (lines)
        fclose(lines);
    free(word);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : DIED + WTERMSIG(status);
    if (code != 0 && !reported)
        fprintf(stderr, "%s: one of %u ranks has died (%s %d), the others were ended; %s\n",
                program_invocation_short_name, ranks, code > DIED ? "signal" : "exit status",
                code > DIED ? code - DIED : code, advice);
    return code == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
