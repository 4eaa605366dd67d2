// SPDX-License-Identifier: Apache-2.0
/*
 * cases.c - what a state machine does, state by state.
 *
 * A choice by a register that is an enum becomes a chain with one link for each value that matters, each link the
 * choice's cofactor: what it comes to with the register at this value. From
 *
 *     next = state == RUN && stop ? IDLE : state == IDLE && go || state == WAIT && go ? RUN : state
 *
 * with IDLE, RUN and WAIT comes
 *
 *     next = state == RUN ? (stop ? IDLE : RUN) : state == IDLE ? (go ? RUN : IDLE) : state == WAIT ? (go ? RUN : WAIT) : state
 *
 * which plan/case.c writes as a case. Enumerators of one cofactor are one link, those that do what all other numbers do
 * are none. What other nodes use too stays as it is, apart from conditions.
 */
#include "passes/passes.h"
#include "graph/graph.h"
#include "graph/walk.h"

#include <string.h>

enum {
    FEWEST = 2,    /* different values for which a chain is clearer than what was there */
    MOST = 64,     /* enumerators */
    DEEPEST = 200, /* operations that a value is followed through */
    CONDITION = 5, /* operations of a condition that are looked at */
    LARGEST_GROUP =
        4, /* states of a process that are one group, and are read one by one all the same */
    ROUNDS = 8
};

/* ---- comparisons with enumerators ---------------------------------------------------------------------------- */

/* None of a large group: its text would be there once for each state again. */
static const struct enumeration *enumeration_of(const struct module *m, const struct node *n)
{
    const struct leaf *leaf = leaf_of(m, n);
    const struct enumeration *e =
        leaf && leaf->count == 1 && leaf->width <= 16 ? leaf->enumeration : NULL;
    return e && e->n > LARGEST_GROUP && n->op == OP_REG && m->reg[n->index].group ? NULL : e;
}

/* What a condition compares with enumerators; NULL: nothing. */
static struct node *subject(const struct module *m, const struct node *c, unsigned depth)
{
    if (c->op == OP_EQ && is_const(c->args[1]) && enumeration_of(m, c->args[0]))
        return c->args[0];
    if (depth == 0 || (c->op != OP_AND && c->op != OP_OR && c->op != OP_NOT))
        return NULL;
    struct node *found = NULL;
    for (unsigned i = 0; i < c->n_args && !found; i++)
        found = subject(m, c->args[i], depth - 1);
    return found;
}

/* ---- cofactors: a node with the subject at one value ------------------------------------------------------------ */

struct given {
    struct graph *g;
    const struct node *subject, *value; /* value NULL: no enumerator */
    const struct enumeration *labels;   /* of the subject */
    unsigned n;                         /* nodes that there were before: others are not looked at */
    uint64_t *depends;                  /* by id: on comparisons of which subjects, see bit_of */
    struct node **known;                /* by id, if it is of this round */
    unsigned *round, rounds;
};

static uint64_t bit_of(const struct node *subject)
{
    return UINT64_C(1) << (subject->id % 64);
}

/* Followed through what chooses and what costs nothing. */
static bool is_followed(const struct node *n)
{
    return op_info[n->op].kind == KIND_BITWISE || n->op == OP_CONCAT || n->op == OP_SLICE;
}

static struct given find_dependents(struct module *m)
{
    struct graph *g = &m->graph;
    struct given x = {.g = g, .n = g->n};
    x.depends = scratch((x.n + 1) * sizeof *x.depends);
    x.known = scratch((x.n + 1) * sizeof *x.known);
    x.round = scratch((x.n + 1) * sizeof *x.round);
    for (unsigned i = 0; i < x.n; i++) {
        const struct node *n = g->node[i];
        if (n->op == OP_EQ && is_const(n->args[1]) && enumeration_of(m, n->args[0]))
            x.depends[i] = bit_of(n->args[0]);
        for (unsigned k = 0; is_followed(n) && k < n->n_args; k++)
            x.depends[i] |= x.depends[n->args[k]->id];
    }
    return x;
}

static bool is_condition(const struct node *n)
{
    return n->width == 1 && (n->op == OP_AND || n->op == OP_OR || n->op == OP_NOT);
}

static bool is_comparison(const struct given *x, const struct node *n)
{
    return n->op == OP_EQ && n->args[0] == x->subject && is_const(n->args[1]);
}

/* Whether it is known what the comparison comes to: of no enumerator it is not, if it is with another number. */
static bool is_decided(const struct given *x, const struct node *comparison,
                       const struct node *value)
{
    bool known = value != NULL;
    for (unsigned i = 0; i < x->labels->n && !known; i++)
        known = is_value(comparison->args[1], x->labels->value[i]);
    return known;
}

static struct node *cofactor(struct given *x, struct node *n, unsigned depth)
{
    if (n->id >= x->n || depth == 0 || !(x->depends[n->id] & bit_of(x->subject)))
        return n;
    if (is_comparison(x, n))
        return is_decided(x, n, x->value) ? mk_const(x->g, 1, n->args[1] == x->value) : n;
    if (x->round[n->id] == x->rounds || !is_followed(n))
        return x->round[n->id] == x->rounds ? x->known[n->id] : n;
    struct node **arg = scratch(n->n_args * sizeof *arg);
    bool changed = false;
    for (unsigned i = 0; i < n->n_args; i++) {
        bool unseen =
            n->op == OP_MUX && i > 0 && is_const(arg[0]) && const_bit(arg[0], 0) != (i == 1);
        arg[i] = unseen ? n->args[i] : cofactor(x, n->args[i], depth - 1);
        changed |= arg[i] != n->args[i];
    }
    x->g->here = n->loc;
    struct node *r = changed ? mk_like(x->g, n, arg) : n;
    if (n->uses > 1 && r->id >= x->n && !is_condition(n) && depth < DEEPEST)
        r = n; /* it is there anyway */
    if (r != n && r->n_args)
        take_name(r, n);
    x->round[n->id] = x->rounds;
    return x->known[n->id] = r;
}

static struct node *cofactor_for(struct given *x, struct node *n, const struct node *value)
{
    x->value = value;
    x->rounds++;
    return cofactor(x, n, DEEPEST);
}

/* ---- chains ----------------------------------------------------------------------------------------------------- */

/* Values for which the choice comes to the same. */
struct link {
    struct node *result, *cond;
};

enum truth { NO, YES, OPEN };

/* What a condition is for a value. */
static enum truth truth(const struct given *x, const struct node *c, const struct node *value,
                        unsigned depth)
{
    if (is_comparison(x, c))
        return !is_decided(x, c, value) ? OPEN : c->args[1] == value ? YES : NO;
    if (depth == 0 || (c->op != OP_AND && c->op != OP_OR && c->op != OP_NOT))
        return OPEN;
    enum truth a = truth(x, c->args[0], value, depth - 1);
    if (c->op == OP_NOT)
        return a == OPEN ? OPEN : a == YES ? NO : YES;
    enum truth b = truth(x, c->args[1], value, depth - 1), strong = c->op == OP_AND ? NO : YES;
    return a == strong || b == strong ? strong : a == OPEN || b == OPEN ? OPEN : a;
}

/* The condition says which value it is, but for one of them at most. */
static bool is_test(const struct given *x, const struct enumeration *e, const struct node *cond)
{
    unsigned open = 0;
    for (unsigned i = 0; i < e->n; i++) {
        const struct node *value = mk_const(x->g, x->subject->width, e->value[i]);
        open += truth(x, cond, value, CONDITION) == OPEN;
    }
    return open <= 1 && truth(x, cond, NULL, CONDITION) != OPEN;
}

static void add(struct graph *g, struct link *link, unsigned *n, struct node *result,
                struct node *cond)
{
    unsigned i = 0;
    while (i < *n && link[i].result != result)
        i++;
    if (i == *n)
        link[(*n)++] = (struct link){result, cond};
    else
        link[i].cond = mk_or(g, link[i].cond, cond);
}

/* The choice as a chain, or itself. */
static struct node *chain(struct given *x, struct node *top, const struct enumeration *e,
                          struct node *subject)
{
    struct link link[MOST];
    unsigned n = 0;
    bool all = subject->width < 7 && e->n == 1u << subject->width;
    struct node *rest = all ? NULL : cofactor_for(x, top, NULL);
    for (unsigned i = 0; i < e->n; i++) {
        struct node *value = mk_const(x->g, subject->width, e->value[i]);
        struct node *result = cofactor_for(x, top, value);
        x->g->here = top->loc;
        if (result != rest)
            add(x->g, link, &n, result, mk_eq(x->g, subject, value));
    }
    if (n + (rest != NULL) < FEWEST)
        return top;
    if (!rest)
        rest = link[--n].result;
    while (n-- > 0)
        rest = node_intern(
            x->g, (struct node){.op = OP_MUX,
                                .width = top->width,
                                .n_args = 3,
                                .args = (struct node *[]){link[n].cond, link[n].result, rest}});
    take_name(rest, top);
    return rest;
}

/* The subject of a choice that begins with a test of it, or NULL. */
static struct node *tested(struct given *x, const struct module *m, const struct node *top)
{
    struct node *s = top->op == OP_MUX ? subject(m, top->args[0], CONDITION) : NULL;
    x->subject = s;
    x->labels = s ? enumeration_of(m, s) : NULL;
    return s && enumeration_of(m, s)->n <= MOST && is_test(x, enumeration_of(m, s), top->args[0])
               ? s
               : NULL;
}

/* By id: a part of a choice that begins further out. */
static bool *inner_choices(struct given *x, const struct module *m)
{
    bool *inner = scratch(x->n + 1);
    for (unsigned i = x->n; i-- > 0;) {
        const struct node *n = x->g->node[i];
        if (!n->live || n->op != OP_MUX || !(inner[i] || tested(x, m, n)))
            continue;
        for (unsigned k = 1; k < 3; k++)
            inner[n->args[k]->id] |= n->args[k]->uses == 1;
    }
    return inner;
}

/* One round: choices that stand on others which become chains wait for the next. True if one is due. */
static bool cases_round(struct module *m)
{
    pass_live(m);
    pass_uses(m);
    struct given x = find_dependents(m);
    struct map map = pass_map(m);
    const bool *inner = inner_choices(&x, m);
    bool *waits = scratch(x.n + 1), again = false;
    for (unsigned i = 0; i < x.n; i++) {
        struct node *top = x.g->node[i];
        for (unsigned k = 0; k < top->n_args; k++)
            waits[i] |= waits[top->args[k]->id];
        struct node *s = top->live && !inner[i] ? tested(&x, m, top) : NULL;
        if (!s)
            continue;
        again |= waits[i];
        if (!waits[i])
            map.to[i] = chain(&x, top, enumeration_of(m, s), s);
        waits[i] |= map.to[i] != top;
    }
    pass_replace(m, map);
    return again;
}

void cases(struct module *m)
{
    for (unsigned rounds = 0; rounds < ROUNDS && cases_round(m); rounds++)
        ;
}
