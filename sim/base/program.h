// SPDX-License-Identifier: Apache-2.0
/*
 * program.h - errors, memory, options, progress: what the programs of sim/ share.
 */
#ifndef SIM_PROGRAM_H
#define SIM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Set in a program that is one of several with the same arguments: another tells of errors and progress. */
extern bool sim_follows;

/* Exit status of sim_fail: 1, unless 1 is an answer of this program. */
extern int sim_fail_status;

/* calloc() that ends the program when there is no memory. */
void *sim_alloc(size_t count, size_t size);

/* The same of one large piece, in large pages where the system has some; free() as usual. */
void *sim_alloc_large(size_t size);

/* "program: message" on standard error, exit status sim_fail_status. */
void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* A progress line on standard error, at most one per second (ten, if that is no terminal). */
struct sim_progress {
    double started, shown;
};

void sim_progress(struct sim_progress *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The number that text is, as number.h reads it; ends the program if it is none from least to most. */
uint64_t sim_number(const char *option, const char *text, uint64_t least, uint64_t most);

/* The number that text is; ends the program if it is none above 0 and at most 1. */
double sim_load(const char *option, const char *text);

/* The number that text is; ends the program if it is none from 0 to 1. */
double sim_rate(const char *option, const char *text);

/* Ends the program if so many bytes are not there, before work on `what` begins. */
void sim_room(const char *what, double bytes);

#endif
