// SPDX-License-Identifier: Apache-2.0
/*
 * passes.h - what is done to a module's graph between its execution and its names.
 */
#ifndef PASSES_H
#define PASSES_H

#include "design/module.h"

/* undef.c: something never set on which the hardware depends; NULL: there is none */
struct node *undef_seen(struct module *m);
/* Choices between a value and nothing become the value; nothing never set is left in the graph. */
void undef_drop(struct module *m);

/* context.c: in each arm of a choice, the condition is known */
void context(struct module *m);

/* linear.c: terms that sums of bits have in common */
void linear(struct module *m);

/* pad.c: elements read by a variable index stand at multiples of a power of two */
void pad(struct module *m);

/* narrow.c: no operation wider than what is used of it */
void narrow(struct module *m);

/* check.c: the rules of the dialect; false after a diagnostic */
bool check(struct design *design);

#endif
