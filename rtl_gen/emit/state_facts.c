// SPDX-License-Identifier: Apache-2.0
/*
 * state_facts.c - what a process does in each of its states: the module's graph with its register at the state's value, as far as
 * that decides conditions.
 */
#include "emit/emit.h"
#include "graph/graph.h"
#include "graph/walk.h"

enum truth { NO, YES, OPEN };

/* The graph in one state. */
struct seen {
    const struct module *m;
    const struct process_info *p;
    const struct enumeration *e;
    unsigned width;
    uint64_t value;
    enum truth *truth; /* by id, of single bits */
    unsigned *levels;  /* by id */
};

/* The bits of the process's register, or of a part of them: where the part begins. */
static bool is_at(const struct seen *s, const struct node *n, unsigned *low)
{
    const struct node *of = n->op == OP_SLICE ? n->args[0] : n;
    const unsigned from = n->op == OP_SLICE ? n->index : 0, first = s->p->element * s->width;
    if (of->op != OP_REG || of->index != s->p->leaf || from < first ||
        from + n->width > first + s->width)
        return false;
    *low = from - first;
    return true;
}

static bool number_of(const struct seen *s, const struct node *n, uint64_t *value)
{
    unsigned low;
    if (is_const(n) && n->width <= 64) {
        *value = const_value(n);
        return true;
    }
    if (!is_at(s, n, &low))
        return false;
    *value = (s->value >> low) & (n->width < 64 ? (UINT64_C(1) << n->width) - 1 : UINT64_MAX);
    return true;
}

static enum truth both(enum truth a, enum truth b, enum truth strong)
{
    return a == strong || b == strong ? strong : a == OPEN || b == OPEN ? OPEN : a;
}

static enum truth truth_of(const struct seen *s, const struct node *n)
{
    uint64_t a, b;
    if (n->width != 1)
        return OPEN;
    if (number_of(s, n, &a))
        return a ? YES : NO;
    switch (n->op) {
    case OP_NOT:
        a = s->truth[n->args[0]->id];
        return a == OPEN ? OPEN : a == YES ? NO : YES;
    case OP_AND:
        return both(s->truth[n->args[0]->id], s->truth[n->args[1]->id], NO);
    case OP_OR:
        return both(s->truth[n->args[0]->id], s->truth[n->args[1]->id], YES);
    case OP_EQ:
    case OP_ULT:
        if (!number_of(s, n->args[0], &a) || !number_of(s, n->args[1], &b))
            return OPEN;
        return (n->op == OP_EQ ? a == b : a < b) ? YES : NO;
    case OP_MUX:
        a = s->truth[n->args[0]->id];
        return a == OPEN ? OPEN : s->truth[n->args[a == YES ? 1 : 2]->id];
    default:
        return OPEN;
    }
}

static unsigned levels_of(const struct seen *s, const struct node *n)
{
    if (s->truth[n->id] != OPEN)
        return 0;
    const bool chosen = n->op == OP_MUX && s->truth[n->args[0]->id] != OPEN;
    unsigned deepest = 0, open = 0;
    for (unsigned k = 0; k < n->n_args; k++) {
        if (chosen && k != (s->truth[n->args[0]->id] == YES ? 1u : 2u))
            continue;
        const unsigned l = s->levels[n->args[k]->id];
        open += s->truth[n->args[k]->id] == OPEN;
        deepest = l > deepest ? l : deepest;
    }
    return deepest + (chosen || open < 2 ? 0 : report_levels(n));
}

/* The register may become these: by the bits of `n` from `low` on, which are its next value. */
static void lead(const struct seen *s, const struct node *n, unsigned low, bool *to)
{
    uint64_t value = 0;
    unsigned at, place = n->width;
    const enum truth c = n->op == OP_MUX ? s->truth[n->args[0]->id] : OPEN;
    if (n->op == OP_MUX) {
        if (c != NO)
            lead(s, n->args[1], low, to);
        if (c != YES)
            lead(s, n->args[2], low, to);
        return;
    }
    if (n->op == OP_SLICE && !is_at(s, n, &at)) {
        lead(s, n->args[0], low + n->index, to);
        return;
    }
    for (unsigned k = 0; n->op == OP_CONCAT && k < n->n_args; k++) {
        place -= n->args[k]->width;
        if (low >= place && low + s->width <= place + n->args[k]->width) {
            lead(s, n->args[k], low - place, to);
            return;
        }
    }
    bool known = is_const(n);
    for (unsigned b = 0; known && b < s->width; b++)
        value |= (uint64_t)const_bit(n, low + b) << b;
    if (n->op == OP_REG && n->index == s->p->leaf && low == s->p->element * s->width)
        known = true, value = s->value;
    else if (is_at(s, n, &at) && n->width == s->width)
        known = true, value = s->value;
    else if (s->width == 1 && n->width == 1 && s->truth[n->id] != OPEN)
        known = true, value = s->truth[n->id] == YES;
    for (unsigned i = 0; i < s->e->n; i++)
        to[i] |= !known || s->e->value[i] == value;
}

/* The text says where it goes, but for who stays, and for states that another process gives. */
static bool may_lead(const struct seen *s, unsigned from, unsigned to)
{
    bool any = false;
    for (unsigned i = 0; i < s->e->n; i++)
        any |= s->p->leads[i] && s->p->leads[i][to];
    return from == to || !any || (s->p->leads[from] && s->p->leads[from][to]);
}

static unsigned deepest_root(const struct seen *s)
{
    unsigned n, deepest = 0;
    struct module *m = (struct module *)s->m;
    const unsigned checks = m->n_check;
    m->n_check = 0;
    struct node ***root = module_roots(m, &n);
    m->n_check = checks;
    for (unsigned i = 0; i < n; i++)
        deepest = s->levels[(*root[i])->id] > deepest ? s->levels[(*root[i])->id] : deepest;
    return deepest;
}

struct state_facts *state_facts(const struct module *m, const struct process_info *p)
{
    const struct leaf *leaf = &m->self.leaf[p->leaf];
    struct state_facts *facts = arena(leaf->enumeration->n * sizeof *facts);
    struct seen s = {.m = m, .p = p, .e = leaf->enumeration, .width = leaf->width};
    s.truth = arena((m->graph.n + 1) * sizeof *s.truth);
    s.levels = arena((m->graph.n + 1) * sizeof *s.levels);
    for (unsigned i = 0; i < s.e->n; i++) {
        s.value = s.e->value[i];
        for (unsigned k = 0; k < m->graph.n; k++) {
            s.truth[k] = truth_of(&s, m->graph.node[k]);
            s.levels[k] = levels_of(&s, m->graph.node[k]);
        }
        facts[i].levels = deepest_root(&s);
        facts[i].to = arena(s.e->n * sizeof *facts[i].to);
        lead(&s, m->reg[p->leaf].next, p->element * s.width, facts[i].to);
        for (unsigned to = 0; to < s.e->n; to++)
            facts[i].to[to] &= may_lead(&s, i, to);
    }
    return facts;
}
