// SPDX-License-Identifier: Apache-2.0
/*
 * regs_timer.h - checks of nic_regs in front of the HPET: which of its registers are reached, whole and by halves, and interrupts of timers.
 */
#ifndef TB_REGS_TIMER_H
#define TB_REGS_TIMER_H

#include "tb/blocks/nic/regs/nic_regs_bench.h"

/* Reads and writes of each register of the HPET, and of what is none. */
void test_timer(struct door *b);

/* Interrupts of timers, of pulses and of the global clock. */
void test_timer_interrupts(struct door *b);

#endif
