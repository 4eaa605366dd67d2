// SPDX-License-Identifier: Apache-2.0
/*
 * amo_back.h - the bench of amo where changes may be kept back: a word for memory has what some operations made of a variable, one after the
 * other in the order in which they came. What waits in an ordered mode must not be told that operations are in memory before they are.
 */
#ifndef TB_NIC_AMO_BACK_H
#define TB_NIC_AMO_BACK_H

#include "tb/blocks/nic/amo/amo_bench.h"

/* Since the reset: words, the most operations in one of them (of eight bytes: two), the clock of the last. */
struct amo_back {
    uint64_t words, clock;
    unsigned most;
};

extern struct amo_back amo_back;

void amo_back_begin(void);

/* It need not be in memory when it is answered. */
bool amo_back_may(const struct amo_test_op *op);

/* A word leaves: which operations it has. Then it is in memory. */
struct amo_out_word amo_back_word(const struct mem_word *out);
void amo_back_done(const struct amo_out_word *out);

/* Whose turn it is to be read for at this address, 0: nobody's; all that came before has left. */
unsigned amo_back_turn(uint64_t addr, bool wide);

/* Whether something in an ordered mode comes in this clock; it does; nobody is told too early. */
bool amo_back_asks(void);
void amo_back_ask(void);
void amo_back_check(void);

/* Those that wait for being told. */
unsigned amo_back_waiting(void);

#endif
