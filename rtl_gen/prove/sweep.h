// SPDX-License-Identifier: Apache-2.0
/*
 * sweep.h - bits that both sides add up but write differently: found by random values, proved one by one, then one.
 */
#ifndef PROVE_SWEEP_H
#define PROVE_SWEEP_H

#include "term.h"

struct sweep_options {
    const char *file; /* for the questions to z3 */
    unsigned seconds; /* for each */
    unsigned limit;   /* for all */
};

/*
 * Pairs of c[i] and verilog[i] that are not equal yet. True when bits were found equal: then linear_form of the
 * pairs gives new terms.
 */
bool sweep(const term *c, const term *verilog, unsigned n, const struct sweep_options *o);

#endif
