// SPDX-License-Identifier: Apache-2.0
/*
 * memnoise.h - memories with errors, in a native model: random words to begin with, wrong bits in some that are written.
 *
 * An ECC has nothing to correct in lockstep, as nothing corrupts a memory of the RTL. tb/equiv/mutate/mutate-rtl.sh does the
 * same to the Verilog (tb/equiv/mutate/mutate-corrupt.awk). Of the words to begin with nearly all are wrong as code words; what is written
 * gets one wrong bit or two, as a hash of it says.
 */
#ifndef MEMNOISE_H
#define MEMNOISE_H

#include "tb/cosim.h"

/*
 * For those memories of the module and of all instances in it that stand in `names` as " M.memory ": a module and the memory's
 * name in its Verilog, blanks between and around them. self: zeroed before; info: name of M.json of the module, beside which
 * those of its children stand; in_writes: also in what is written from now on. Exits if a file cannot be read.
 */
void memnoise_open(const struct cosim_module *module, const char *names, const char *info,
                   bool in_writes, void *self);

/* Corrupts what those were given since memwatch_clock(). */
void memnoise_corrupt(void *self);

#endif
