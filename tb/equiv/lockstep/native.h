// SPDX-License-Identifier: Apache-2.0
/*
 * native.h - calls of a native model that may break its own rules: an hls_assert or hls_assume of its own, or the rules of C
 * where it is compiled with -fsanitize-trap.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include <stdbool.h>

enum outcome { STEP_FINE, STEP_CHECKED, STEP_TRAPPED };

/* The first check that was broken since the last call began. */
extern struct broken_check {
    bool broken;
    const char *text, *file;
    int line;
} native_check;

/* Once, before the first call. */
void native_catch_traps(void);

/*
 * A call that takes seconds of processor time goes round in one clock for ever: `say` prints where the model is, and the program
 * ends with status 3.
 */
void native_endless(void (*say)(const void *data), const void *data);

/* What a call came to; after a trap nothing is known of self, else all of the call was done. */
enum outcome native_step(void (*step)(void *self, const void *in), void *self, const void *in);
enum outcome native_reset(void (*reset)(void *self), void *self);

#endif
