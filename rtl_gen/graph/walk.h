// SPDX-License-Identifier: Apache-2.0
/*
 * walk.h - walking and replacing in a module's graph: what every pass needs.
 */
#ifndef WALK_H
#define WALK_H

#include "design/module.h"

/*
 * All places of m that hold a node which the hardware needs, for passes that walk or replace:
 * next values, memory ports, instance inputs, checks, the result of a HLS_KEEP function.
 */
struct node ***module_roots(struct module *m, unsigned *n);

/* Set node->live for what the module's roots need. Returns how many are. */
unsigned pass_live(struct module *m);
/* The same without what checks alone need. */
unsigned hardware_live(struct module *m);
/* Set node->uses: arguments of live nodes, and roots, that it is. */
void pass_uses(struct module *m);
/* What each node that exists now shall become: to[n->id], at first the node itself. */
struct map {
    unsigned n;
    struct node **to;
};

struct map pass_map(struct module *m);
/* Put the new nodes into everything the module holds, simplifying what changes. */
void pass_replace(struct module *m, struct map map);

/* sound.c: aborts unless arguments stand before their users, with the widths that operations want, and nothing dangles. */
void graph_sound(struct module *m, const char *pass);

/* spent.c: m is worked on; when that takes too much, the C line that most of its operations come from is named. */
void graph_budget(struct module *m);

#endif
