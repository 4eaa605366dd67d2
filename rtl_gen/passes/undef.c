// SPDX-License-Identifier: Apache-2.0
/*
 * undef.c - whether anything depends on a value that was never set.
 *
 * What is set under a condition and used under the same one is a choice within a choice; the side that was not set is there
 * in the graph, but nothing sees it. So values are followed from what the hardware needs, with the bits that are looked at
 * and what the choices on the way say.
 */
#include "passes/passes.h"
#include "graph/graph.h"
#include "graph/walk.h"

/* What holds where a value is looked at. */
struct given {
    const struct node *bit;
    bool value;
    const struct given *up;
};

struct search {
    bool *reaches; /* by node: something unset is among what it is made of */
    unsigned steps, depth;
};

/* Where there is more to follow, what is in the graph counts as seen. */
enum { MOST_STEPS = 1000000, MOST_DEEP = 5000 };

static bool same_subject(const struct node *a, const struct node *b)
{
    return a->op == OP_EQ && b->op == OP_EQ && a->args[0] == b->args[0] && a != b &&
           is_const(a->args[1]) && is_const(b->args[1]);
}

/* 1, 0 or -1 for unknown; also by the terms of a conjunction that is true, of a disjunction that is false. */
static int implied(const struct node *fact, bool value, const struct node *bit)
{
    if (fact == bit)
        return value;
    if (fact->op == OP_NOT)
        return implied(fact->args[0], !value, bit);
    if (value && same_subject(fact, bit))
        return 0;
    if (fact->op != (value ? OP_AND : OP_OR))
        return -1;
    int first = implied(fact->args[0], value, bit);
    return first >= 0 ? first : implied(fact->args[1], value, bit);
}

static int known(const struct given *g, const struct node *bit, unsigned deep);

/* One of two is true, and the other is not: it is this one. The same of a conjunction that is false. */
static bool the_other(const struct given *g, const struct given *fact, const struct node *bit,
                      unsigned deep)
{
    if (fact->bit->op != (fact->value ? OP_OR : OP_AND))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (fact->bit->args[i] == bit && known(g, fact->bit->args[1 - i], deep - 1) == !fact->value)
            return true;
    return false;
}

static int known(const struct given *g, const struct node *bit, unsigned deep)
{
    if (is_const(bit))
        return !is_zero(bit);
    for (const struct given *up = g; up; up = up->up) {
        int value = implied(up->bit, up->value, bit);
        if (value >= 0)
            return value;
        if (deep && the_other(g, up, bit, deep))
            return up->value;
    }
    if (deep == 0 || (bit->op != OP_NOT && bit->op != OP_AND && bit->op != OP_OR) || bit->width > 1)
        return -1;
    int a = known(g, bit->args[0], deep - 1);
    if (bit->op == OP_NOT)
        return a < 0 ? a : !a;
    int b = known(g, bit->args[1], deep - 1), decides = bit->op == OP_OR;
    if (a == decides || b == decides)
        return decides;
    return a < 0 || b < 0 ? -1 : !decides;
}

/* One that is never set among what n is made of. */
static struct node *any(const struct search *s, struct node *n)
{
    while (n->op != OP_UNDEF) {
        unsigned i = 0;
        while (!s->reaches[n->args[i]->id])
            i++;
        n = n->args[i];
    }
    return n;
}

static struct node *seen(struct search *s, struct node *n, unsigned low, unsigned width,
                         const struct given *g);

static struct node *seen_choice(struct search *s, struct node *n, unsigned low, unsigned width,
                                const struct given *g)
{
    int taken = known(g, n->args[0], 3);
    struct given yes = {n->args[0], true, g}, no = {n->args[0], false, g};
    struct node *found = taken < 0 ? seen(s, n->args[0], 0, 1, g) : NULL;
    if (!found && taken != 0)
        found = seen(s, n->args[1], low, width, &yes);
    if (!found && taken != 1)
        found = seen(s, n->args[2], low, width, &no);
    return found;
}

/* c && x: x only where c is true, or the other way round. */
static struct node *seen_both(struct search *s, struct node *n, const struct given *g)
{
    struct node *found = NULL;
    for (unsigned i = 0; i < 2; i++) {
        struct given first = {n->args[i], n->op == OP_AND, g};
        found = seen(s, n->args[i], 0, 1, g);
        if (!found)
            found = seen(s, n->args[1 - i], 0, 1, &first);
        if (!found)
            break;
    }
    return found;
}

static struct node *seen_parts(struct search *s, struct node *n, unsigned low, unsigned width,
                               const struct given *g)
{
    struct node *found = NULL;
    unsigned at = n->width;
    for (unsigned i = 0; i < n->n_args && !found; i++) {
        struct node *part = n->args[i];
        at -= part->width;
        unsigned from = low > at ? low : at;
        unsigned end = low + width < at + part->width ? low + width : at + part->width;
        if (from < end)
            found = seen(s, part, from - at, end - from, g);
    }
    return found;
}

/* The same bits of all arguments, or all of them. */
static struct node *seen_all(struct search *s, struct node *n, unsigned low, unsigned width,
                             const struct given *g)
{
    bool bitwise = op_info[n->op].kind == KIND_BITWISE;
    struct node *found = NULL;
    for (unsigned i = 0; i < n->n_args && !found; i++)
        found = bitwise ? seen(s, n->args[i], low, width, g)
                        : seen(s, n->args[i], 0, n->args[i]->width, g);
    return found;
}

/* What is never set and has a say in bits low .. low + width - 1 of n; NULL: nothing. */
static struct node *seen(struct search *s, struct node *n, unsigned low, unsigned width,
                         const struct given *g)
{
    if (!s->reaches[n->id] || (n->width == 1 && known(g, n, 3) >= 0))
        return NULL;
    if (s->steps == MOST_STEPS || s->depth == MOST_DEEP)
        return any(s, n);
    struct node *found;
    s->steps++;
    s->depth++;
    if (n->op == OP_UNDEF)
        found = n;
    else if (n->op == OP_MUX)
        found = seen_choice(s, n, low, width, g);
    else if (n->width == 1 && (n->op == OP_AND || n->op == OP_OR))
        found = seen_both(s, n, g);
    else if (n->op == OP_SLICE)
        found = seen(s, n->args[0], low + n->index, width, g);
    else if (n->op == OP_CONCAT)
        found = seen_parts(s, n, low, width, g);
    else
        found = seen_all(s, n, low, width, g);
    s->depth--;
    return found;
}

struct node *undef_seen(struct module *m)
{
    struct graph *g = &m->graph;
    struct search s = {.reaches = scratch((g->n + 1) * sizeof *s.reaches)};
    for (unsigned i = 0; i < g->n; i++) {
        const struct node *n = g->node[i];
        s.reaches[i] = n->op == OP_UNDEF;
        for (unsigned k = 0; k < n->n_args; k++)
            s.reaches[i] |= s.reaches[n->args[k]->id];
    }
    unsigned n_roots;
    struct node ***root = module_roots(m, &n_roots);
    struct node *found = NULL;
    for (unsigned i = 0; i < n_roots && !found; i++)
        found = seen(&s, *root[i], 0, (*root[i])->width, NULL);
    return found;
}

static bool is_undef(const struct node *n)
{
    return n->op == OP_UNDEF || (n->op == OP_SLICE && n->args[0]->op == OP_UNDEF);
}

/* Choices between a value and nothing; false: there is none. */
static bool drop_choices(struct module *m)
{
    struct graph *g = &m->graph;
    struct map map = pass_map(m);
    bool any = false;
    pass_live(m);
    for (unsigned i = 0; i < map.n; i++) {
        const struct node *n = g->node[i];
        if (!n->live || n->op != OP_MUX || (!is_undef(n->args[1]) && !is_undef(n->args[2])))
            continue;
        map.to[i] = n->args[is_undef(n->args[1]) ? 2 : 1];
        any = true;
    }
    pass_replace(m, map);
    return any;
}

static bool has_undef(const struct module *m)
{
    for (unsigned i = 0; i < m->graph.n; i++)
        if (m->graph.node[i]->live && m->graph.node[i]->op == OP_UNDEF)
            return true;
    return false;
}

void undef_drop(struct module *m)
{
    struct graph *g = &m->graph;
    pass_live(m);
    if (!has_undef(m))
        return;
    for (unsigned round = 0; round < 100 && drop_choices(m); round++)
        ; /* those in choices that are left become ones of their own */
    struct map map = pass_map(m);
    for (unsigned i = 0; i < map.n; i++)
        if (g->node[i]->op == OP_UNDEF)
            map.to[i] = mk_const(g, g->node[i]->width, 0);
    pass_replace(m, map);
}
