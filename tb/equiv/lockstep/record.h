// SPDX-License-Identifier: Apache-2.0
/*
 * record.h - writes down what a module gets as input inside a larger one that carries traffic, for lockstep --inputs.
 *
 * record.c is compiled with the module's name as RECORDED; the linker hands the module's calls to its wrappers
 * (--wrap=M --wrap=M_reset). Of many instances the first RECORD_INSTANCES that are reset or called are recorded.
 *
 * The file is words of 32 bits: per clock of an instance its packed inputs, before them 1 if it was reset just before and
 * else 0; all clocks of the first instance, then those of the next, and so on.
 */
#ifndef TB_RECORD_H
#define TB_RECORD_H

#include <stdio.h>

enum { RECORD_INSTANCES = 8 };

/* The file that becomes the record; ends the program, with one line, if there is none (path NULL) or it cannot be written. */
FILE *record_open(const char *path);

/* Adds what was recorded since the last call, one instance behind the other; other instances may come then. */
void record_add_to(FILE *all);

#endif
