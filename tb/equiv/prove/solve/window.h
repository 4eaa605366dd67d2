// SPDX-License-Identifier: Apache-2.0
/*
 * window.h - two bits compared on the few bits that they are made of nearby.
 */
#ifndef PROVE_WINDOW_H
#define PROVE_WINDOW_H

#include "terms/term.h"

/*
 * True: equal whatever those few bits are, so equal; by the whole truth table. False says nothing. Both are bits.
 */
bool window_equal(term a, term b);

#endif
