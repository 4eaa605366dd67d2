// SPDX-License-Identifier: Apache-2.0
/*
 * passes.h - what is done to a module's graph between its execution and its names.
 */
#ifndef PASSES_H
#define PASSES_H

#include "design/module.h"

/* check.c: rules of the dialect; false after a diagnostic */
bool check_leaks(struct module *m); /* of children and BRAMs: what is read where it cannot be */
bool check_undef(struct module *m); /* nothing is used before it is set */
bool check_reset(struct module *m); /* every register is reset */
void check_enums(struct module *m); /* assertions that enums hold enumerators */

/* undef.c: whether the hardware depends on something never set; what, where it is read, what wait it does not outlive */
bool undef_seen(struct module *m, const char **name, struct loc *loc, const struct wait **wait);
/* Choices between a value and nothing become the value; nothing never set is left in the graph. */
void undef_drop(struct module *m);

/* narrow.c: no operation wider than what is used of it */
void narrow(struct module *m);

/* context.c: in each arm of a choice, the condition is known */
void context(struct module *m);

/* unread.c: fields of bundled inputs that an instance does not read are no ports of its module */
void unread(struct design *design);

/* linear.c: terms that sums of bits have in common */
void linear(struct module *m);

/* inverse.c: a concatenation of inverses is one inverse */
void inverse(struct module *m);

/* pad.c: elements read by a variable index stand at multiples of a power of two */
void pad(struct module *m);

/* cases.c: choices by a register that is an enum, state by state */
void cases(struct module *m);

/* states.c: of a process of two states, whose register is a bit, the names */
void states(struct module *m);

#endif
