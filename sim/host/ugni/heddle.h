// SPDX-License-Identifier: Apache-2.0
/*
 * heddle.h - what a program may ask a modelled machine that no other machine answers.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stdint.h>

/* Clocks that the machine has run, to 64 of them; it runs while something is under way. 0 before the process is attached. */
uint64_t heddle_clocks(void);

#endif
