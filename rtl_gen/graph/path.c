// SPDX-License-Identifier: Apache-2.0
/*
 * path.c - see path.h.
 */
#include "graph/path.h"

/* Decisions of a condition, one after another and in all, before it becomes a scope. */
#define DEEPEST 64
#define LARGEST 256
/* Decisions of a condition that comes out of a scope before it is a bit like any other. */
#define LARGEST_OUTSIDE 16384
/* Decisions of a condition that several states of a group lead to, before it is a bit like any other. */
#define LARGEST_MET 8

struct scope {
    struct scope *up;
    bdd in; /* of `up` */
    unsigned level;
    bool opened;       /* path_open: closed once all of it is together again */
    struct node *node; /* memo of path_node */
};

bool path_is_always(struct path p)
{
    return p.scope == NULL && p.in == 1;
}

bool path_is_never(struct path p)
{
    return p.in == 0;
}

struct path path_and(struct bdds *b, struct path p, bdd condition)
{
    return (struct path){p.scope, bdd_and(b, p.in, condition)};
}

static unsigned level(const struct scope *s)
{
    return s ? s->level : 0;
}

/* The path as it is seen from the scope around its own; one that gets too large for that is a bit like any other. */
static struct path lifted(struct bdds *b, struct path p)
{
    bdd in = bdd_and(b, p.scope->in, p.in);
    if (p.in != 1 && !bdd_is_small(b, in, LARGEST_OUTSIDE, LARGEST_OUTSIDE))
        in = bdd_opaque(b, bdd_node(b, in));
    return (struct path){p.scope->up, in};
}

/* Both as they are seen from the innermost scope that holds them. */
static void meet_scopes(struct bdds *b, struct path *p, struct path *q)
{
    while (p->scope != q->scope) {
        struct path *deeper = level(p->scope) > level(q->scope) ? p : q;
        *deeper = lifted(b, *deeper);
    }
}

struct path path_or(struct bdds *b, struct path p, struct path q)
{
    if (p.in == 0 || q.in == 0)
        return p.in == 0 ? q : p;
    meet_scopes(b, &p, &q);
    return (struct path){p.scope, bdd_or(b, p.in, q.in)};
}

bool path_meet(struct bdds *b, struct path p, struct path q)
{
    if (p.in == 0 || q.in == 0)
        return false;
    meet_scopes(b, &p, &q);
    return bdd_and(b, p.in, q.in) != 0;
}

bool path_excludes(struct bdds *b, struct path p, bdd condition)
{
    while (bdd_and(b, p.in, condition) != 0) {
        if (p.scope == NULL)
            return false;
        p = (struct path){p.scope->up, p.scope->in};
    }
    return true;
}

struct node *path_select(struct bdds *b, struct path p, struct path care)
{
    while (p.scope != care.scope)
        p = lifted(b, p);
    return bdd_node(b, bdd_within(b, p.in, care.in));
}

struct path path_or_bit(struct bdds *b, struct path p, struct path q)
{
    if (p.in == 0 || q.in == 0)
        return p.in == 0 ? q : p;
    meet_scopes(b, &p, &q);
    const bdd in = bdd_or(b, p.in, q.in);
    if (bdd_is_small(b, in, LARGEST_MET, LARGEST_MET))
        return (struct path){p.scope, in};
    struct node *one = bdd_node(b, p.in), *other = bdd_node(b, q.in);
    return (struct path){p.scope, bdd_opaque(b, mk_or(bdd_graph(b), one, other))};
}

struct node *path_select_bit(struct bdds *b, struct path p, struct path care)
{
    while (p.scope != care.scope)
        p = lifted(b, p);
    const bdd in = bdd_within(b, p.in, care.in);
    return bdd_node(b, bdd_is_small(b, in, LARGEST_MET, LARGEST_MET) ? in : p.in);
}

/* Outer scopes first: each is one more condition than what is around it. */
static struct node *scope_node(struct bdds *b, struct scope *s)
{
    struct scope **open = NULL;
    unsigned n = 0;
    for (; s && !s->node; s = s->up)
        PUSH_SCRATCH(open, n, s);
    struct node *node = s ? s->node : NULL;
    while (n-- > 0) {
        struct node *own = bdd_node(b, open[n]->in);
        open[n]->node = node = node ? mk_and(bdd_graph(b), node, own) : own;
    }
    return node;
}

struct node *path_node(struct bdds *b, struct path p)
{
    struct node *own = bdd_node(b, p.in);
    return p.scope ? mk_and(bdd_graph(b), scope_node(b, p.scope), own) : own;
}

static struct path inside(struct path p, bool opened)
{
    struct scope *s = scratch(sizeof *s);
    *s = (struct scope){.up = p.scope, .in = p.in, .level = level(p.scope) + 1, .opened = opened};
    return (struct path){s, 1};
}

struct path path_open(struct path p)
{
    return inside(p, true);
}

struct path path_settle(struct bdds *b, struct path p)
{
    while (p.in == 1 && p.scope && p.scope->opened)
        p = (struct path){p.scope->up, p.scope->in};
    return bdd_is_small(b, p.in, DEEPEST, LARGEST) ? p : inside(p, false);
}
