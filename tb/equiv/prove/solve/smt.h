// SPDX-License-Identifier: Apache-2.0
/*
 * smt.h - a question to z3 in SMT-LIB: can two terms differ while others hold?
 */
#ifndef PROVE_SMT_H
#define PROVE_SMT_H

#include "terms/eval.h"

enum answer { ANSWER_EQUAL, ANSWER_DIFFER, ANSWER_TIMEOUT, ANSWER_ERROR };

struct question {
    term a, b;
    const term *assumed;
    unsigned n_assumed;
};

/* Values of both sides, of symbols, of words of memories and their addresses; addresses may come twice. */
struct model {
    struct value_of *value;
    unsigned n;
};

/*
 * file: where the SMT-LIB goes; z3's answer goes to <file>.out. seconds are of processor time. With ANSWER_DIFFER
 * model is what z3 found.
 */
enum answer smt_ask(const char *file, const struct question *q, unsigned seconds,
                    struct model *model);

/* A line of the values of both sides and of some symbols. */
const char *smt_describe(const struct question *q, const struct model *model);

/* Processor time used so far, z3's runs included. */
unsigned seconds_used(void);

#endif
