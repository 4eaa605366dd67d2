// SPDX-License-Identifier: Apache-2.0
/*
 * cases.h - two terms that choose by the value of one symbol, as a process by its state: with the symbol constant both are small,
 * and often the same term.
 */
#ifndef PROVE_CASES_H
#define PROVE_CASES_H

#include "terms/term.h"

/* What is left to compare: values of the symbol for which both are different terms, some of them side by side in a[i] and b[i]. */
struct cases {
    term *a, *b;
    unsigned n;
    bool assuming; /* without values that an assumption excludes */
};

/* False if they choose by no such symbol. The assumptions are terms of width 1. */
bool by_cases(term a, term b, const term *assumed, unsigned n, struct cases *c);

#endif
