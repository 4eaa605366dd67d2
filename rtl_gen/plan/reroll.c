// SPDX-License-Identifier: Apache-2.0
/*
 * reroll.c - decides whether a row (rows.c) can be written in a loop, and makes the vectors that
 * this takes. The graph has the loops of the C unrolled:
 *
 *     hit[0] = tag[3:0] == key;  hit[1] = tag[7:4] == key;  hit[2] = tag[11:8] == key;
 *     any = ((hit[0] || early) || hit[1]) || hit[2];
 *
 * The three comparisons are a row: one operation, and operands that are the same in all lanes or step through a net.
 *
 *     wire [2:0] hit;
 *     for (i = 0; i < 3; i = i + 1) begin : g_hit
 *         assign hit[i] = tag[i * 4 +: 4] == key;
 *     end
 *
 * The three ORs are a row, too, in which each lane uses the one before: a chain, whose net is a variable.
 *
 *     any = early;
 *     for (k = 0; k < 3; k = k + 1) any = any || hit[k];
 *
 * What several rows need, or Verilog wants a name for, becomes a vector with a loop of its own. Lanes that have nothing
 * in common but that each is a net are gathered: {c, b, a} is a net for the loop over what follows. All vectors of one
 * attempt are kept or dropped together.
 */
#include "plan/plan.h"
#include "graph/graph.h"

#include <string.h>

struct match {
    struct module *m;
    unsigned ops;    /* operations in one lane */
    unsigned depth;  /* of the row that is looked at, in the first one */
    unsigned spaced; /* operands that step through a net, and counting constants */
    unsigned gathered;
    unsigned links; /* of chains */
    struct vector **made;
    unsigned n_made;
};

/* Operations within each other in one lane: a longer line than that is of no use. */
#define DEEPEST_ROW 100

/* Lanes that are gathered for a loop: so many times, of so many bits. */
enum { MOST_GATHERED = 4, WIDEST_GATHERED = 64 };

static bool match(struct match *x, struct node **lane, unsigned n, bool named);

/* ---- shapes ---------------------------------------------------------------------------------- */

static bool same_widths(const struct node *a, const struct node *b)
{
    bool crossed = a->n_args == 2 && a->args[0]->width == b->args[1]->width &&
                   a->args[1]->width == b->args[0]->width;
    for (unsigned k = 0; k < a->n_args; k++)
        if (a->args[k]->width != b->args[k]->width && !crossed)
            return false;
    return true;
}

/* The same operation on operands of the same widths. */
static bool same_operation(struct node *const *lane, unsigned n)
{
    const struct node *a = lane[0];
    for (unsigned i = 1; i < n; i++) {
        const struct node *b = lane[i];
        if (a->op != b->op || a->width != b->width || a->n_args != b->n_args ||
            a->index != b->index || a->sub != b->sub || (a->op == OP_CALL && a->keep != b->keep) ||
            !same_widths(a, b))
            return false;
    }
    return true;
}

static bool distinct(const struct module *m, struct node *const *lane, unsigned n)
{
    unsigned number = ++m->plan->n_rounds;
    for (unsigned i = 0; i < n; i++) {
        struct info *info = info_of(m, lane[i]);
        if (info->round == number)
            return false;
        info->round = number;
    }
    return true;
}

static bool can_roll(const struct node *n)
{
    return op_info[n->op].rolls || (n->op == OP_CALL && n->keep->function);
}

static bool thin(enum op op)
{
    return op == OP_NOT || op == OP_SLICE || op == OP_SEXT;
}

/* ---- matching -------------------------------------------------------------------------------- */

static bool has_lane(const struct module *m, struct node *const *lane, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (info_of(m, lane[i])->vec || info_of(m, lane[i])->in_row)
            return true;
    return false;
}

static bool equal_rows(struct node *const *a, struct node *const *b, unsigned n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* The row is one that is being made, or that one a lane later: a chain with a first value. */
static bool match_made(struct match *x, struct node *const *lane, unsigned n)
{
    for (unsigned i = 0; i < x->n_made; i++) {
        struct vector *v = x->made[i];
        if (v->n == n && equal_rows(v->lane, lane, n))
            return true;
        if (v->n == n && equal_rows(v->lane, lane + 1, n - 1) && lane[0]->width == v->width &&
            (v->init == NULL || v->init == lane[0])) {
            v->init = lane[0];
            v->chain = true;
            v->links++;
            x->links++;
            return true;
        }
    }
    return false;
}

static struct vector *make_vector(struct match *x, struct node **lane, unsigned n)
{
    struct vector *v = arena(sizeof *v);
    *v = (struct vector){.lane = lane, .n = n, .width = lane[0]->width, .loc = lane[n - 1]->loc};
    v->base = wanted_name(x->m, lane[n - 1]);
    PUSH(x->made, x->n_made, v);
    return v;
}

static bool used_elsewhere(const struct match *x, struct node *const *lane, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (info_of(x->m, lane[i])->uses > 1)
            return true;
    return false;
}

static bool match_args(struct match *x, struct node **lane, unsigned n)
{
    if (x->depth == DEEPEST_ROW)
        return false;
    struct node ***args = arrange_row(x->m, lane, n);
    if (lane[0]->op == OP_GET && !row_same(args[0], n))
        return false;
    x->depth++;
    for (unsigned k = 0; k < lane[0]->n_args; k++)
        if (!match(x, args[k], n, wants_name(lane[0], k)))
            return false;
    x->depth--;
    x->ops += !thin(lane[0]->op) && lane[0]->op != OP_CONCAT;
    return true;
}

static bool all_const(struct node *const *lane, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!is_const(lane[i]))
            return false;
    return true;
}

static bool match_row(struct match *x, struct node **lane, unsigned n, bool named)
{
    if (row_same(lane, n))
        return true;
    if (all_const(lane, n)) {
        x->spaced += row_counts(lane, n, false);
        return true;
    }
    if (match_made(x, lane, n))
        return true;
    if (view_find(x->m, lane, n) || row_spaced(x->m, lane, n)) {
        x->spaced++;
        return true;
    }
    bool apart =
        distinct(x->m, lane, n); /* only wires may repeat: all rows of a matrix get the same */
    if (!same_operation(lane, n) || (!apart && lane[0]->op != OP_CONCAT) ||
        has_lane(x->m, lane, n) || !can_roll(lane[0]))
        return false;
    if (named &&
        lane[0]->op == OP_SLICE) /* a part of something else: no net of its own in a loop */
        return false;
    if (named || lane[0]->op == OP_ASHR || (!thin(lane[0]->op) && used_elsewhere(x, lane, n))) {
        if (!apart)
            return false;
        make_vector(x, lane, n);
    }
    return match_args(x, lane, n);
}

/* Something that has a net of its own, or could have. */
static bool stands_alone(const struct match *x, const struct node *n)
{
    const struct info *info = info_of(x->m, n);
    return info->vec || info->uses > 1 || is_leaf(n) || n->op == OP_SLICE;
}

/* Lanes that nothing but their names has in common: a net that they are the parts of. */
static bool gather(struct match *x, struct node **lane, unsigned n)
{
    if (x->gathered == MOST_GATHERED || lane[0]->width > WIDEST_GATHERED || all_const(lane, n))
        return false;
    for (unsigned i = 0; i < n; i++)
        if (lane[i]->width != lane[0]->width || !stands_alone(x, lane[i]))
            return false;
    make_vector(x, lane, n)->gathered = true;
    x->gathered++;
    x->spaced++;
    return true;
}

static bool match(struct match *x, struct node **lane, unsigned n, bool named)
{
    struct match before = *x;
    if (match_row(x, lane, n, named))
        return true;
    if (x->links > before.links)
        return false;
    struct vector **made = x->made;
    *x = before;
    x->made = made;
    return gather(x, lane, n);
}

/* ---- keeping or dropping --------------------------------------------------------------------- */

/* Every lane of a chain but the last one is used by the next one alone. */
static bool is_variable(const struct match *x, const struct vector *v)
{
    for (unsigned i = 0; v->chain && i + 1 < v->n; i++)
        if (info_of(x->m, v->lane[i])->uses > v->links)
            return false;
    return true;
}

/* What stands beside a gathered net by itself: it has a place elsewhere, or is no expression of Verilog. */
static bool has_own_net(struct module *m, struct node *n)
{
    return info_of(m, n)->vec || is_leaf(n) || n->op == OP_SLICE || !is_expression(n);
}

/* The row by which operands find the vector: of a chain what each lane finds in the variable. */
static struct node **seen_as(const struct vector *v)
{
    if (!v->chain)
        return v->lane;
    struct node **before = arena(v->n * sizeof *before);
    before[0] = v->init;
    memcpy(before + 1, v->lane, (v->n - 1) * sizeof *before);
    return before;
}

static void keep_vector(struct module *m, struct vector *v)
{
    struct plan *p = m->plan;
    v->number = p->n_vectors;
    v->slots = v->chain ? 1 : v->n;
    v->read = arena(v->slots * sizeof *v->read);
    PUSH(p->vector, p->n_vectors, v);
    for (unsigned i = v->n - v->slots; i < v->n; i++) {
        struct info *info = info_of(m, v->lane[i]);
        if (v->gathered && has_own_net(m, v->lane[i]))
            continue;
        info->vec = v;
        info->slot = i - (v->n - v->slots);
    }
    struct node **lane = seen_as(v);
    struct info *first = info_of(m, lane[0]);
    PUSH(p->view, p->n_views, (struct view){lane, v->n, v, first->view});
    first->view = p->n_views;
}

static void drop_vector(struct module *m)
{
    struct vector *v = m->plan->vector[--m->plan->n_vectors];
    for (unsigned i = 0; i < v->n; i++)
        if (info_of(m, v->lane[i])->vec == v)
            info_of(m, v->lane[i])->vec = NULL;
    while (m->plan->n_views && m->plan->view[m->plan->n_views - 1].vector == v) {
        const struct view *view = &m->plan->view[--m->plan->n_views];
        info_of(m, view->lane[0])->view = view->older;
    }
}

static bool can_keep(const struct match *x)
{
    for (unsigned i = 0; i < x->n_made; i++) {
        const struct vector *v = x->made[i];
        if (!is_variable(x, v))
            return false;
        for (unsigned k = 0; k < v->n && !v->gathered; k++)
            if (info_of(x->m, v->lane[k])->vec)
                return false;
    }
    return true;
}

/* All that one attempt has made, or nothing. */
static bool keep_all(const struct match *x)
{
    struct module *m = x->m;
    for (unsigned i = 0; i < x->n_made; i++)
        keep_vector(m, x->made[i]);
    for (unsigned i = 0; i < x->n_made; i++)
        x->made[i]->down = x->made[i]->chain && vector_runs_down(m, x->made[i]);
    if (vectors_acyclic(m, m->plan->n_vectors - x->n_made))
        return true;
    for (unsigned i = 0; i < x->n_made; i++)
        drop_vector(m);
    return false;
}

bool row_try(struct module *m, struct node **lane, unsigned n, unsigned least_ops, bool named)
{
    struct match x = {.m = m};
    bool worth = match_row(&x, lane, n, named) && x.ops >= least_ops + 2 * x.gathered &&
                 (least_ops == 0 || x.spaced);
    return worth && can_keep(&x) && keep_all(&x);
}

void row_gather(struct module *m, struct node **lane, unsigned n)
{
    struct match x = {.m = m};
    for (unsigned i = 0; i < n; i++)
        if (info_of(m, lane[i])->vec || info_of(m, lane[i])->in_row ||
            (!can_roll(lane[i]) && lane[i]->op != OP_MEMREAD) || lane[i]->op == OP_ASHR ||
            lane[i]->width > WIDEST_GATHERED)
            return;
    make_vector(&x, lane, n)->gathered = true;
    keep_all(&x);
}
