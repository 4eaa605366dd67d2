// SPDX-License-Identifier: Apache-2.0
/*
 * progress.h - when a line of progress is due.
 */
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include <stdbool.h>
#include <time.h>
#include <unistd.h>

/* Since some moment in the past, never back. */
static inline double progress_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Standard error is a terminal: a line replaces the one before. */
static inline bool progress_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

/* A line is due: at most one a second on a terminal, else one in ten; *shown is when the last one was. */
static inline bool progress_due(double *shown, double now)
{
    if (now - *shown < (progress_terminal() ? 1.0 : 10.0))
        return false;
    *shown = now;
    return true;
}

#endif
