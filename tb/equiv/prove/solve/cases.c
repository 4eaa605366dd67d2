// SPDX-License-Identifier: Apache-2.0
/*
 * cases.c - the symbol that a term compares most with constants, and the term for each of its values.
 *
 * A choice by that symbol becomes one of its branches at once, so what a state does not reach is not visited for it: all states together
 * take about the time of the whole term.
 */
#include "solve/cases.h"

#include "terms/arena.h"

#include <stdlib.h>

enum {
    FEWEST = 3,    /* comparisons with constants */
    WIDEST = 10,   /* bits of the symbol */
    ENOUGH = 256,  /* bits of a question */
    MOST = 1 << 23 /* values of the symbol, times terms that it is in */
};

/* A table by term, which grows with them. */
struct by_term {
    uint32_t *mark, *value;
    uint32_t n, round;
};

static void enlarge(struct by_term *of)
{
    if (of->mark && of->n >= term_count())
        return;
    const uint32_t n = term_room(of->n);
    of->mark = widened(of->mark, of->n, n, sizeof *of->mark);
    of->value = widened(of->value, of->n, n, sizeof *of->value);
    of->n = n;
}

/* ---- the symbol ----------------------------------------------------------------------------------------- */

/* How often each symbol is compared with a constant, in `value`, by what is below t and not marked. */
static void count(struct by_term *of, term t)
{
    static term *open;
    unsigned n = 0;
    PUSH(open, n, t);
    while (n > 0) {
        t = open[--n];
        if (t == NO_TERM || of->mark[t] == of->round)
            continue;
        of->mark[t] = of->round;
        const struct node *x = node_of(t);
        if (x->op == OP_EQ && node_of(x->a)->op == OP_VAR && is_const(x->b))
            of->value[x->a]++;
        const term operand[] = {x->a, x->b, x->c};
        for (unsigned i = 0; i < 3; i++)
            PUSH(open, n, operand[i]);
    }
}

static term most_compared(term a, term b, bool **used)
{
    struct by_term of = {0};
    enlarge(&of);
    of.round = 1;
    count(&of, a);
    count(&of, b);
    term most = NO_TERM;
    for (term t = 1; t < term_count(); t++)
        if (node_of(t)->op == OP_VAR && width_of(t) <= WIDEST && of.value[t] >= FEWEST &&
            (most == NO_TERM || of.value[t] > of.value[most]))
            most = t;
    *used = widened(NULL, 0, of.n, sizeof **used);
    for (term t = 1; t < of.n; t++)
        (*used)[t] = of.mark[t] == of.round;
    free(of.mark);
    free(of.value);
    return most;
}

/* ---- a term for one of its values ------------------------------------------------------------------------ */

struct with {
    term symbol, value;
    bool *has;      /* by term: the symbol is in it */
    uint32_t n_has; /* terms that there were */
    struct by_term done;
};

/* False if it is too much. Operands are older than what is made of them. */
static bool find_symbol(struct with *w, const bool *used)
{
    uint64_t n = 0;
    w->n_has = term_count();
    w->has = widened(NULL, 0, w->n_has, sizeof *w->has);
    for (term t = 1; t < w->n_has; t++) {
        const struct node *x = node_of(t);
        w->has[t] = t == w->symbol || w->has[x->a] || w->has[x->b] || w->has[x->c];
        n += w->has[t] && used[t];
    }
    return n << width_of(w->symbol) <= MOST;
}

/* Of a choice whose condition is constant only the branch that counts. */
static term with(struct with *w, term t)
{
    if (t == NO_TERM || t == w->symbol)
        return t == NO_TERM ? NO_TERM : w->value;
    if (t < w->n_has && !w->has[t])
        return t;
    enlarge(&w->done);
    if (w->done.mark[t] == w->done.round)
        return w->done.value[t];
    const struct node n = *node_of(t);
    const term a = with(w, n.a);
    term made = t;
    if (n.op == OP_ITE && is_const(a)) {
        made = with(w, is_zero(a) ? n.c : n.b);
    } else {
        const term b = with(w, n.b), c = with(w, n.c);
        if (a != n.a || b != n.b || c != n.c)
            made = term_rebuild(&n, a, b, c);
    }
    enlarge(&w->done);
    w->done.mark[t] = w->done.round;
    w->done.value[t] = made;
    return made;
}

static bool excluded(struct with *w, const term *assumed, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (is_zero(with(w, assumed[i])))
            return true;
    return false;
}

/* Side by side with what the last question has, if that is narrow. */
static void append(struct cases *c, term a, term b)
{
    if (c->n > 0 && width_of(c->a[c->n - 1]) < ENOUGH) {
        c->a[c->n - 1] = term_concat(c->a[c->n - 1], a);
        c->b[c->n - 1] = term_concat(c->b[c->n - 1], b);
        return;
    }
    unsigned n = c->n;
    PUSH(c->a, n, a);
    PUSH(c->b, c->n, b);
}

bool by_cases(term a, term b, const term *assumed, unsigned n, struct cases *c)
{
    bool *used;
    struct with w = {.symbol = most_compared(a, b, &used)};
    const bool good = w.symbol != NO_TERM && find_symbol(&w, used);
    *c = (struct cases){0};
    for (uint64_t k = 0; good && k >> width_of(w.symbol) == 0; k++) {
        w.value = term_const(width_of(w.symbol), k);
        w.done.round++;
        const term x = with(&w, a), y = with(&w, b);
        if (x != y && excluded(&w, assumed, n))
            c->assuming = true;
        else if (x != y)
            append(c, x, y);
    }
    free(w.done.mark);
    free(w.done.value);
    free(w.has);
    free(used);
    return good;
}
