// SPDX-License-Identifier: Apache-2.0
/*
 * smt.h - a question to z3 in SMT-LIB: can two terms differ while others hold?
 */
#ifndef PROVE_SMT_H
#define PROVE_SMT_H

#include "term.h"

enum answer { ANSWER_EQUAL, ANSWER_DIFFER, ANSWER_TIMEOUT, ANSWER_ERROR };

struct question {
    term a, b;
    const term *assumed;
    unsigned n_assumed;
};

/*
 * file: where the SMT-LIB goes; z3's answer goes to <file>.out. With ANSWER_DIFFER *example is a line of the
 * values of both and of the symbols they depend on.
 */
enum answer smt_ask(const char *file, const struct question *q, unsigned seconds,
                    const char **example);

#endif
