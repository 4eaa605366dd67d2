// SPDX-License-Identifier: Apache-2.0
/*
 * conform.h - checks, runs, report: what conform does whatever the block is.
 *
 * A run plays one kind of traffic or trouble from power-up on and calls conform_clock once a clock. What does not hold
 * it tells conform_fails; the first time counts for each check. A run ends shortly after something failed, so what
 * follows from that is not held against other checks. When all runs are over, the one that failed first is played again
 * with a waveform of the clocks around the failure.
 */
#ifndef TB_CONFORM_CONFORM_H
#define TB_CONFORM_CONFORM_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

struct conform_check {
    const char *name;
    const char *what; /* that holds, for the report */
};

struct conform_run {
    const char *name;
    uint32_t checks; /* bit c: check c has been put to the test when this run is through */
    void (*play)(uint64_t seed, unsigned variant);
    unsigned variant;
};

struct conform_block {
    const char *name; /* of the block */
    const struct conform_check *checks;
    unsigned n_checks; /* at most 32; the last one is that of --exact */
    const struct conform_run *runs;
    unsigned n_runs;
};

/* Reads the command line (--help says what there is), plays all runs and reports. Exit status. */
int conform_main(int argc, char **argv, const struct conform_block *block);

/*
 * Plays these runs (a bit each) without a report, for tests of the runs themselves: the checks that did not hold, a bit each, and the first
 * thing that failed in words.
 */
uint32_t conform_broken(const struct conform_block *block, uint64_t seed, uint32_t runs,
                        const char **first);

/* Lockstep with our own native model is asked for. */
bool conform_exact(void);

/*
 * Between two clocks of a run: the number of the one that comes. False: the run is to end now. Ends the program when
 * the design ended the simulation.
 */
bool conform_clock(uint64_t clock);

/* In this clock (of the present run, at most the one now) the check did not hold; why as in printf. */
void conform_fails(unsigned check, uint64_t clock, const char *why, ...)
    __attribute__((format(printf, 3, 4)));

/* Something of this run did not hold. */
bool conform_failed(void);

/* A figure for the report, judged by nobody: flits per clock and the like. */
void conform_figure(const char *name, double value);

#endif
