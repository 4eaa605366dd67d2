// SPDX-License-Identifier: Apache-2.0
/*
 * npt_inside.h - what the parts of npt_bench.h share: npt_bench.c has contexts, memory and what leaves, npt_amo.c answers of amo,
 * npt_rmt.c what rmt says.
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

/* rmt is asked of the operation that stands; it has said how it is answered. */
bool npt_amo_counts(const struct rmt_op *op);
void npt_amo_tell(bool note);

/* The head of an answer; bytes of a read's data, or 0. */
beat_word npt_head(const struct npt_context *c, unsigned status, unsigned bytes, bool note);

/* The status with which a write that memory has answered must be. */
unsigned npt_put_status(const struct npt_test_asked *a);

/* The oldest of either FIFO, if it is of that transaction and rmt may be asked; else NULL. */
struct npt_test_asked *npt_oldest_counted(unsigned src, unsigned ssid);

void npt_rmt_begin(void);

/* It is answered when rmt has said how. */
bool npt_rmt_counts(const struct npt_test_asked *a);

/* What rmt drives in a clock. */
struct rmt_result npt_rmt_result(void);
struct amo_answer npt_rmt_settled(void);

/* Behind a clock: what rmt is asked; the answer to a parked END; nothing is left. */
void npt_rmt_check_op(void);
void npt_rmt_check_head(const struct beat *r);
bool npt_rmt_idle(void);

#endif
