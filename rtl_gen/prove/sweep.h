// SPDX-License-Identifier: Apache-2.0
/*
 * sweep.h - parts of both sides that are equal but written differently: found by random values, proved from the
 * inputs on, each with the help of those before.
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
 * c[i] and verilog[i] are not proved equal yet. True when parts were: then linear_form gives new terms for them.
 */
bool sweep(const term *c, const term *verilog, unsigned n, const struct sweep_options *o);

#endif
