// SPDX-License-Identifier: Apache-2.0
/*
 * run.h - one run of a module natively and as RTL, clock by clock, to its end or to the first difference.
 */
#ifndef LOCKSTEP_RUN_H
#define LOCKSTEP_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tb/base/info.h"
#include "tb/cosim.h"
#include "tb/equiv/lockstep/compared.h"
#include "tb/equiv/lockstep/options.h"
#include "tb/equiv/lockstep/states.h"
#include "tb/equiv/lockstep/stimulus.h"

extern const struct cosim_module cosim_module; /* -Wl,--defsym=cosim_module=M_cosim */

struct run {
    const struct options *options;
    const cJSON *info;
    struct stimulus *stimulus;
    struct random random;
    uint32_t *inputs; /* recorded ones, or NULL */
    void *in, *self, *saved, *rtl;
    uint32_t *in_words, *last_in, *whole, *parts, *state, *rtl_state;
    FILE *vectors; /* what --record writes, or NULL */
    uint64_t clock, next_reset, resets;
    uint64_t half; /* the clock from which on the inputs are recorded ones */
    struct compared compared;
    struct states *states;
    unsigned played, trapped; /* broken assertions and undefined behaviour that the RTL confirmed */
    const char *wrong;        /* NULL, or what went wrong apart from a register */
};

/* How a run ended; the exit status of the program. */
enum verdict { AGREED, DIFFERENT, TOO_LITTLE };

struct run *run_new(const struct options *options, const cJSON *info);
void run_free(struct run *r);

/*
 * From a reset to `cycles` clocks, the end of a record that is replayed, or the first difference: true without one. The
 * waveform goes to fst, unless that is NULL, from clock trace_from on.
 */
bool run_to(struct run *r, uint64_t cycles, uint64_t trace_from, const char *fst);

/* report.c: clock, register, both values, the line of the register in C, the inputs. */
void report_difference(const struct run *r);
void report_json(const struct run *r, enum verdict verdict, double seconds);

double now(void); /* seconds */

#endif
