// SPDX-License-Identifier: Apache-2.0
/*
 * amo_model.h - what atomic operations of the interface do to a word, from the meaning of their names.
 */
#ifndef SIM_HOST_TEST_AMO_MODEL_H
#define SIM_HOST_TEST_AMO_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* One of the 118. */
bool amo_is_command(unsigned command);
/* It compares before it swaps. */
bool amo_is_swap(unsigned command);
/* The word behind the operation; operands of 32 bits are the low half. */
uint64_t amo_model(unsigned command, uint64_t word, uint64_t first, uint64_t second);

#endif
