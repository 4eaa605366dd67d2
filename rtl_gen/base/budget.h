// SPDX-License-Identifier: Apache-2.0
/*
 * budget.h - an end to designs that are too large.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include "base/diag.h"

#include <stddef.h>
#include <stdint.h>

/* budget.c: more bytes than before, and fewer; steps so far of a module. An error and exit beyond the budget. */
void budget_bytes(size_t more, size_t less);
void budget_steps(uint64_t n);

/*
 * budget.c: the end of a run that takes too much. While a module of that name is worked on (NULL: all of
 * them), name_users(data) adds notes about what eats it to the message (NULL: none).
 */
void budget_set(unsigned megabytes, uint64_t steps);
void budget_of(const char *module, struct loc loc, void (*name_users)(void *), void *data);

#endif
