// SPDX-License-Identifier: Apache-2.0
/*
 * npt_inside.h - what the halves of npt_bench.h share: npt_bench.c has contexts, memory and what leaves, npt_amo.c answers of amo.
 */
#ifndef TB_NIC_NPT_INSIDE_H
#define TB_NIC_NPT_INSIDE_H

#include "tb/blocks/nic/target/npt_bench.h"

enum { NODE = 0x2ABCD };

/* The answer that stands before npt, or the last one that did; whether the next beat is its old value. */
const struct amo_answer *npt_amo_stands(void);
bool npt_amo_old_due(void);

void npt_amo_begin(void);

/* Behind a clock: an answer goes when it was seen to be taken in the one before; the next one may follow at once. */
void npt_amo_drive(bool taken);

/* Checks a beat that leaves: the head of the answer, its old value. */
void npt_amo_check_head(const struct beat *r);
void npt_amo_check_old(const struct beat *r);

/* Checks when npt takes one, and that it is not idle then; reply: one of memory comes in this clock. */
void npt_amo_check_taken(bool before, bool reply);

#endif
