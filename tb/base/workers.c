// SPDX-License-Identifier: Apache-2.0
/*
 * workers.c - forks the workers and collects what they write.
 */
#include "tb/base/workers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(const struct workers_task *t, unsigned worker, int out)
{
    _Alignas(max_align_t) char result[WORKERS_RESULT];
    for (uint64_t n = worker; n < t->runs; n += t->jobs) {
        memset(result, 0, t->size);
        t->run(t->context, n, result);
        if (write(out, result, t->size) != (ssize_t)t->size)
            _exit(EXIT_FAILURE);
    }
    _exit(EXIT_SUCCESS);
}

/* The end of the pipe to read from; below 0 if nothing was started. */
static int start(const struct workers_task *t)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    fflush(NULL);
    for (unsigned w = 0; w < t->jobs; w++) {
        const pid_t pid = fork();
        if (pid == 0) {
            close(ends[0]);
            work(t, w, ends[1]);
        }
        if (pid < 0)
            fprintf(stderr, "fork: %s\n", strerror(errno));
    }
    close(ends[1]);
    return ends[0];
}

static bool wait_for_all(unsigned jobs)
{
    bool good = true;
    while (jobs-- > 0) {
        int status;
        if (wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
            good = false;
    }
    return good;
}

bool workers_run(const struct workers_task *t)
{
    _Alignas(max_align_t) char result[WORKERS_RESULT];
    uint64_t came = 0;
    const int in = start(t);
    while (in >= 0 && read(in, result, t->size) == (ssize_t)t->size) {
        t->take(t->context, result);
        came++;
    }
    if (in >= 0)
        close(in);
    if (in >= 0 && wait_for_all(t->jobs) && came == t->runs)
        return true;
    fprintf(stderr, "only %" PRIu64 " of %" PRIu64 " runs came back\n", came, t->runs);
    return false;
}
