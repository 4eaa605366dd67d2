// SPDX-License-Identifier: Apache-2.0
/*
 * amo_ops.h - variables and the operations on them, in the order in which they came: whose turn it is, and what it makes of a value.
 */
#ifndef TB_NIC_AMO_OPS_H
#define TB_NIC_AMO_OPS_H

#include "tb/blocks/nic/amo/amo_bench.h"

/* There are no variables. */
void amo_ops_begin(void);

/* An operation, for the text of a miss. */
const char *amo_op_text(const struct amo_test_op *op);

/* The variable at an address; one that is none of the bench's if there is none. */
struct amo_var *amo_var_at(uint64_t addr);

/* The half in which an address lies; the value of both halves, or of that one. */
unsigned amo_half_of(uint64_t addr);
uint64_t amo_joined(uint32_t low, uint32_t high, uint64_t addr, bool wide);

/* What an operation makes of a value, and which part of that is in a half. */
uint64_t amo_changed(const struct amo_test_op *op, uint64_t old);
uint32_t amo_part(const struct amo_test_op *op, unsigned half, uint64_t value);

/* What the answer says if memory says this (enum mem_status). */
unsigned amo_status_of(unsigned memory);

/* Whose turn it is at this address, 0: nobody's; it had its turn. */
unsigned amo_turn(uint64_t addr, bool wide);
void amo_end_turn(unsigned index);

#endif
