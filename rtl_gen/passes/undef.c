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
    const struct module *m;
    const struct early_read **read; /* by node: the first read of it; or NULL */
    const struct early_read *at;    /* the innermost read on the way to what was found */
    unsigned element;               /* there, if its number is variable */
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
static struct node *any(struct node *n)
{
    while (n->op != OP_UNDEF) {
        unsigned i = 0;
        while (!n->args[i]->unset)
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

/* ---- elements ---------------------------------------------------------------------------------- */

/* Numbers that an index may be. */
struct range {
    uint64_t first, end;
};

static uint64_t small(const struct node *n)
{
    return significant(n) > 32 ? UINT64_C(1) << 32 : const_value(n);
}

/* Top bits of the index: the lowest of them, or -1. */
static int top_of(const struct node *n, const struct node *index)
{
    if (n == index)
        return 0;
    return n->op == OP_SLICE && n->args[0] == index && n->index + n->width == index->width
               ? (int)n->index
               : -1;
}

/* The top bits from `low` on are `value`. */
static void set_top(struct range *r, int low, uint64_t value)
{
    r->first = value << low > r->first ? value << low : r->first;
    r->end = (value + 1) << low < r->end ? (value + 1) << low : r->end;
}

/* A fact about the index. */
static void limit(struct range *r, const struct node *fact, bool value, const struct node *index)
{
    if (fact->op == OP_NOT) {
        limit(r, fact->args[0], !value, index);
        return;
    }
    if (fact->op == (value ? OP_AND : OP_OR) && fact->width == 1) {
        limit(r, fact->args[0], value, index);
        limit(r, fact->args[1], value, index);
        return;
    }
    if (fact->width == 1 && index->width <= 32 && top_of(fact, index) >= 0)
        set_top(r, top_of(fact, index), value);
    if (fact->op == OP_EQ && value && index->width <= 32 && top_of(fact->args[0], index) >= 0 &&
        is_const(fact->args[1]))
        set_top(r, top_of(fact->args[0], index), const_value(fact->args[1]));
    if (fact->op == OP_EQ && !value && fact->args[0] == index && is_const(fact->args[1])) {
        r->end -= r->end > 0 && small(fact->args[1]) == r->end - 1;
        r->first += small(fact->args[1]) == r->first;
    }
    if (fact->op != OP_ULT)
        return;
    const bool below = fact->args[0] == index && is_const(fact->args[1]);
    const bool above = fact->args[1] == index && is_const(fact->args[0]);
    const uint64_t bound = below ? small(fact->args[1]) : above ? small(fact->args[0]) + 1 : 0;
    if ((below && value) || (above && !value))
        r->end = bound < r->end ? bound : r->end;
    else if (below || above)
        r->first = bound > r->first ? bound : r->first;
}

static struct range range_of(const struct node *index, unsigned count, const struct given *g)
{
    while (index->op == OP_CONCAT && index->n_args == 2 && is_zero(index->args[0]))
        index = index->args[1];
    struct range r = {.end = significant(index) < 32 ? UINT64_C(1) << significant(index) : count};
    for (const struct given *up = g; up; up = up->up)
        limit(&r, up->bit, up->value, index);
    r.end = r.end < count ? r.end : count;
    return r;
}

enum { MOST_ELEMENTS = 1024 }; /* that are looked at one by one, to name one */

/* Of an array those elements alone that its index may name. */
static struct node *seen_element(struct search *s, struct node *n, const struct given *g)
{
    struct node *vec = n->args[0], *index = n->args[1];
    const unsigned stride = get_stride(n);
    struct node *found = seen(s, index, 0, index->width, g);
    const struct range r = range_of(index, vec->width / stride, g);
    if (found || r.first >= r.end)
        return found;
    const struct early_read *at = s->at;
    const unsigned first = (unsigned)r.first, end = (unsigned)r.end;
    found = seen(s, vec, first * stride, (end - first) * stride, g);
    for (unsigned e = first; found && e < end && end - first <= MOST_ELEMENTS; e++) {
        s->at = at;
        s->element = e;
        if (seen(s, vec, e * stride, stride, g))
            break;
    }
    return found;
}

/* What is never set and has a say in bits low .. low + width - 1 of n; NULL: nothing. */
static struct node *seen(struct search *s, struct node *n, unsigned low, unsigned width,
                         const struct given *g)
{
    if (!n->unset || (n->width == 1 && known(g, n, 3) >= 0))
        return NULL;
    const struct early_read *at = s->at;
    if (s->read[n->id])
        s->at = s->read[n->id];
    if (s->steps == MOST_STEPS || s->depth == MOST_DEEP)
        return any(n);
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
    else if (n->op == OP_GET)
        found = seen_element(s, n, g);
    else
        found = seen_all(s, n, low, width, g);
    s->depth--;
    if (!found)
        s->at = at;
    return found;
}

static struct node *seen_from_roots(struct search *s, struct module *m)
{
    unsigned n_roots;
    struct node ***root = module_roots(m, &n_roots);
    struct node *found = NULL;
    for (unsigned i = 0; i < n_roots && !found; i++)
        found = seen(s, *root[i], 0, (*root[i])->width, NULL);
    return found;
}

/* Of several reads of one value the first that may see what is not set. */
static const struct early_read *first_bad(struct search *s, const struct early_read *of)
{
    for (unsigned i = 0; i < s->m->n_early; i++) {
        const struct early_read *read = &s->m->early[i];
        struct given when = {read->path, true, NULL};
        struct node *value = s->m->graph.node[read->value->id];
        s->steps = 0;
        if (value == of->value && seen(s, value, 0, value->width, &when))
            return read;
    }
    return of;
}

static const char *element_of(const struct early_read *read, unsigned element)
{
    const char *name = "";
    for (unsigned d = read->n_dims; d-- > 0; element /= read->dim[d].count)
        name = format("[%u]%s", element % read->dim[d].count, name);
    return format("%s%s", read->name, name);
}

bool undef_seen(struct module *m, const char **name, struct loc *loc, const struct wait **wait)
{
    struct search s = {.m = m, .read = scratch((m->graph.n + 1) * sizeof *s.read)};
    for (unsigned i = m->n_early; i-- > 0;)
        s.read[m->early[i].value->id] = &m->early[i];
    const struct node *n = seen_from_roots(&s, m);
    if (!n)
        return false;
    *name = n->name;
    *loc = n->loc;
    if (s.at) {
        const struct early_read *read = first_bad(&s, s.at);
        *name = element_of(read, read->element == VARIABLE ? s.element : read->element);
        *loc = read->loc;
        if (read->outlives) {
            *name = read->name;
            *wait = read->outlives;
        }
    }
    return true;
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
