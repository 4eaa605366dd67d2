// SPDX-License-Identifier: Apache-2.0
/*
 * options.h - what a run of lockstep was asked for, and how it ends when that cannot be done.
 */
#ifndef LOCKSTEP_OPTIONS_H
#define LOCKSTEP_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

struct options {
    uint64_t cycles, seed, window, traps;
    const char *info, *machine, *inputs, *half, *replay, *words, *noise;
    const char *json, *fst, *record; /* NULL: none */
};

/* Of the command line; ends the program where it makes no sense. */
struct options read_options(int argc, char **argv);

/* "lockstep: ..." on standard error, exit status 1. */
[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char *format, ...);

/* Zeroed; at least one byte. */
void *allocate(size_t bytes);

#endif
