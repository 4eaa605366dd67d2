// SPDX-License-Identifier: Apache-2.0
/*
 * workers.h - many independent runs in worker processes; their results come back through a pipe as they end.
 */
#ifndef TB_WORKERS_H
#define TB_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORKERS_MOST = 64, WORKERS_RESULT = 4096 };

struct workers_task {
    unsigned jobs; /* processes, at most WORKERS_MOST; worker w runs w, w + jobs, w + 2 jobs, ... */
    uint64_t runs; /* numbered from 0 */
    size_t size;   /* of a result, at most WORKERS_RESULT bytes: a pipe takes that in one piece */
    void *context; /* for both functions */
    void (*run)(void *context, uint64_t n, void *result);
    void (*take)(void *context, const void *result); /* in the process that called */
};

/* False with a line on standard error if a worker failed or a result is missing. */
bool workers_run(const struct workers_task *task);

#endif
