// SPDX-License-Identifier: Apache-2.0
/*
 * path.h - conditions under which a block runs.
 *
 * A chain of a thousand ifs has a thousand conditions, the last of them a conjunction of all, and a decision
 * diagram for each would be quadratic. So a condition that got deep becomes a scope, and what lies in it is relative
 * to it: two paths are compared in the innermost scope that holds both, where their diagrams are small.
 */
#ifndef PATH_H
#define PATH_H

#include "graph/bdd.h"

struct scope; /* NULL: the whole function, always */

/* The scope's condition and one more. */
struct path {
    struct scope *scope;
    bdd in;
};

#define ALWAYS ((struct path){NULL, 1})
#define NEVER  ((struct path){NULL, 0})

bool path_is_always(struct path p);
bool path_is_never(struct path p);
struct path path_and(struct bdds *, struct path p, bdd condition);
struct path path_or(struct bdds *, struct path p, struct path q);
bool path_meet(struct bdds *, struct path p, struct path q);     /* both can hold at once */
bool path_excludes(struct bdds *, struct path p, bdd condition); /* they cannot hold at once */
/* p where it is known that `care`, in which p lies, holds */
struct node *path_select(struct bdds *, struct path p, struct path care);
/* The same for paths of which each begins in a state of its own: what is of many decisions is a bit that is not looked into. */
struct path path_or_bit(struct bdds *b, struct path p, struct path q);
struct node *path_select_bit(struct bdds *b, struct path p, struct path care);
struct node *path_node(struct bdds *, struct path p);
/* The same path, as a scope of its own: a choice that begins here is expressed without what is around it. */
struct path path_open(struct path p);
/*
 * The same path: outside what has been opened, if it is all of that again, and as a scope of its own if it
 * has got deep.
 */
struct path path_settle(struct bdds *, struct path p);

#endif
