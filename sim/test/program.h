// SPDX-License-Identifier: Apache-2.0
/*
 * program.h - for tests of programs: runs one, and holds that it refuses something with one line and status 1.
 */
#ifndef SIM_TEST_PROGRAM_H
#define SIM_TEST_PROGRAM_H

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "tb/base/harness.h"

/* Runs build/bin/<program>; what it says on standard error, and its exit status. */
static inline int program_run(const char *program, const char *arguments, char *said, size_t size)
{
    char command[400];
    snprintf(command, sizeof command, "build/bin/%s %s 2>&1 >/dev/null", program, arguments);
    FILE *f = popen(command, "r");
    const size_t length = f ? fread(said, 1, size - 1, f) : 0;
    said[length] = '\0';
    const int status = f ? pclose(f) : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void program_refuses(const char *program, const char *arguments, const char *because)
{
    char said[1000];
    const int status = program_run(program, arguments, said, sizeof said);
    const char *line = strchr(said, '\n');
    tap_why("status %d: %s", status, said);
    tap_ok(status == 1 && strstr(said, because) && line && line[1] == '\0',
           "%s %s: one line, status 1: %s", program, arguments, because);
}

#endif
