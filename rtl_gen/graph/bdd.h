// SPDX-License-Identifier: Apache-2.0
/*
 * bdd.h - path conditions. A condition is a reduced ordered binary decision diagram over branch
 * conditions, so that "if and else together" is exactly "always", whatever lies between.
 */
#ifndef BDD_H
#define BDD_H

#include "graph/graph.h"

typedef unsigned bdd; /* 0 never, 1 always */

struct bdds;

struct bdds *bdd_new(struct graph *g);
bdd bdd_of(struct bdds *, struct node *bit);     /* the condition "bit is 1" */
bdd bdd_ite(struct bdds *, bdd f, bdd g, bdd h); /* f ? g : h */
bdd bdd_and(struct bdds *, bdd f, bdd g);
bdd bdd_or(struct bdds *, bdd f, bdd g);
bdd bdd_not(struct bdds *, bdd f);
bdd bdd_within(struct bdds *, bdd f, bdd care);  /* a simpler f that agrees where care is 1 */
struct node *bdd_node(struct bdds *, bdd f);     /* back to a node of the graph */
bdd bdd_opaque(struct bdds *, struct node *bit); /* as bdd_of, but not looked into */
/* At most so many decisions one after another, and so many in all. */
bool bdd_is_small(struct bdds *, bdd f, unsigned depth, unsigned size);
/* From here on bdd_node writes `subject == 3` for `subject != 2 && subject == 3`; NULL: it does not. */
void bdd_exclusive(struct bdds *, const struct node *subject);
struct graph *bdd_graph(const struct bdds *);

#endif
