// SPDX-License-Identifier: Apache-2.0
/*
 * sweep.h - SAT sweeping: bits of both sides that are equal but written differently are found by their values in many
 * assignments and proved equal from the inputs on, each with the help of those before.
 */
#ifndef PROVE_SWEEP_H
#define PROVE_SWEEP_H

#include "terms/term.h"

struct sweep_options {
    const char *file;  /* for the questions to z3 */
    unsigned seconds;  /* of processor time, for each */
    unsigned deadline; /* for all, as seconds_used() counts */
};

struct sweep_tally {
    unsigned by_table, by_solver; /* proved equal */
    unsigned refuted, open;
};

/* Of what the terms are made of; then linear_form gives new terms for them. They are made of bits (blast). */
struct sweep_tally sweep(const term *root, unsigned n, const struct sweep_options *o);

#endif
