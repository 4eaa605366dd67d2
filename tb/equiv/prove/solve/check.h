// SPDX-License-Identifier: Apache-2.0
/*
 * check.h - what a proof rests on besides z3, against the meaning of the operations.
 */
#ifndef PROVE_CHECK_H
#define PROVE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Random terms, each as it stands, through the constructors, in bits and as a sum of bits: all four have the same value
 * for many values of the symbols. False after a message when two differ.
 */
bool check_terms(uint64_t seed);

#endif
