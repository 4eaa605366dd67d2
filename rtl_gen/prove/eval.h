// SPDX-License-Identifier: Apache-2.0
/*
 * eval.h - values of terms for random values of all symbols.
 */
#ifndef PROVE_EVAL_H
#define PROVE_EVAL_H

#include "term.h"

/* Marks the terms that those marked are made of. */
void eval_mark(bool *used);
/*
 * A signature for each used term, out of many random assignments: different ones say that two terms of one width
 * differ, and that with certainty. signature has room for term_count().
 */
void eval_signatures(const bool *used, uint64_t *signature);
/* Whether it is that of a term that was zero, or all ones in one bit, in all of the assignments. */
bool eval_is_constant(uint64_t signature, uint32_t width);

#endif
