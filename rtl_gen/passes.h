// SPDX-License-Identifier: Apache-2.0
/*
 * passes.h - walking and replacing in a module's graph.
 */
#ifndef PASSES_H
#define PASSES_H

#include "exec.h"

/* passes.c: set node->live for what the module's roots need. Returns how many are. */
unsigned pass_live(struct module *m);
/* What each node that exists now shall become: to[n->id], at first the node itself. */
struct map {
    unsigned n;
    struct node **to;
};

struct map pass_map(struct module *m);
/* Put the new nodes into everything the module holds, simplifying what changes. */
void pass_replace(struct module *m, struct map map);

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

/* ports.c: collected accesses of memories become ports */
void memory_ports(struct exec *x);

#endif
