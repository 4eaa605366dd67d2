// SPDX-License-Identifier: Apache-2.0
/*
 * table.h - choices by comparisons of one value with constants. A chain of them is a table, which Verilog has as a case: its
 * depth is that of a tree over the arms, and not that of the chain.
 */
#ifndef TABLE_H
#define TABLE_H

#include "design/node.h"

/* The comparisons by which a choice goes, all of one value; NULL if it goes by anything else. */
struct node **table_tests(struct node *cond, unsigned *n);

/* What a choice compares with constants; NULL: it is no choice, or goes by something else. */
struct node *table_subject(const struct node *choice);

/* Levels of four-input tables from the arms, of which there are one more than links, to the result. */
unsigned table_levels(unsigned links);

#endif
