// SPDX-License-Identifier: Apache-2.0
/*
 * linear.h - one form for all sums of bits: CRCs, parities, scramblers, codes.
 */
#ifndef PROVE_LINEAR_H
#define PROVE_LINEAR_H

#include "terms/term.h"

/*
 * An equal term in which each bit that is a sum (exclusive or) of bits is written as the sorted sum of those that
 * remain when equal ones have cancelled: its row of the matrix over GF(2). Two words with the same matrix over the
 * same bits become the same term. What is not linear stays as it is, with operands in this form.
 */
term linear_form(term t);

/*
 * The two were proved equal: the second stands for the first, and for what is rebuilt with it from now on. After
 * linear_restart terms are rebuilt anew; operands should come before what uses them then.
 */
void linear_join(term t, term instead);
void linear_restart(void);

#endif
