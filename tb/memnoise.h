// SPDX-License-Identifier: Apache-2.0
/*
 * memnoise.h - block RAMs that start with random words instead of zeros, in a native model.
 *
 * An ECC has nothing to correct in lockstep, as nothing spoils a memory of the RTL. scripts/mutate-rtl.sh writes the
 * same words into the Verilog; nearly all of them are wrong as code words.
 */
#ifndef MEMNOISE_H
#define MEMNOISE_H

#include "cosim.h"

/* The module's own block RAMs, not those of its children. self: zeroed before; info: name of M.json. Exits if it cannot
 * be read. */
void memnoise_fill(const struct cosim_module *module, const char *info, void *self);

#endif
