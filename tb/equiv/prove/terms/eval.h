// SPDX-License-Identifier: Apache-2.0
/*
 * eval.h - values of terms for many assignments of all symbols.
 */
#ifndef PROVE_EVAL_H
#define PROVE_EVAL_H

#include "terms/term.h"

/* What a solver found: the value of a symbol, of a word of memory or of its address. */
struct value_of {
    term t;
    const uint64_t *bits;
};

/* The signatures of all terms that are marked, each a digest of its values in all assignments so far. */
struct eval {
    uint32_t count; /* terms */
    const bool *used;
    uint64_t **value; /* in the last assignment */
    uint64_t *signature;
    bool *phase; /* of a bit: its value in the first assignment */
    uint64_t assignments;
    const struct value_of *given;
    unsigned n_given;
};

/* Marks the terms that those marked are made of. */
void eval_mark(bool *used);
/* Room for signatures of the marked terms. */
void eval_start(struct eval *e, const bool *used);
/*
 * One more assignment. Symbols are random but for those given; with `near`, of these some bits are turned. Bits that
 * are the same, or the opposite of each other, in all assignments have the same signature.
 */
void eval_more(struct eval *e, const struct value_of *given, unsigned n_given, bool near);

#endif
