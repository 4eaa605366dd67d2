// SPDX-License-Identifier: Apache-2.0
/*
 * rows.c - rows of nodes of one shape: what a loop of the C looks like once it is unrolled.
 *
 * A row is one node per pass of the loop. It can be written in a loop again if its operations are
 * the same in every lane and the operands are rows again: the same node in all lanes, constants,
 * equally spaced bits of one net (also in equally spaced groups, as of the rows of a matrix), or
 * lanes of a vector. row_kind() is the one place that says how a row is taken apart: walk_row(), on which counting (need.c)
 * stands, and printing (emit_expr.c) ask it, so what is printed by name has been counted.
 */
#include "plan/plan.h"
#include "graph/graph.h"

#include <string.h>

bool row_same(struct node *const *lane, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        if (lane[i] != lane[0])
            return false;
    return true;
}

bool row_counts(struct node *const *lane, unsigned n, bool down)
{
    for (unsigned i = 0; i < n; i++)
        if (!is_value(lane[i], down ? n - 1 - i : i))
            return false;
    return lane[0]->width < 32; /* bits of an integer, without its sign */
}

enum { FEWEST_IN_GROUPS = 8 }; /* lanes */

/* ---- bits of something that has, or will have, a name ---------------------------------------- */

struct base {
    const void *of; /* node or vector */
    unsigned low;
};

static struct base base_of(const struct module *m, const struct node *n)
{
    const struct info *info = info_of(m, n);
    if (info->vec)
        return (struct base){info->vec, info->slot * info->vec->width};
    if (n->op == OP_SLICE) {
        struct base b = base_of(m, n->args[0]);
        b.low += n->index;
        return b;
    }
    return (struct base){n, 0};
}

bool find_spacing(const unsigned *low, unsigned n, struct spacing *s)
{
    int near = (int)low[1] - (int)low[0];
    unsigned group = 2;
    while (group < n && low[group] == low[0] + (unsigned)near * group)
        group++;
    *s = (struct spacing){.low = low[0], .group = group, .near = near};
    if (group == n)
        return near != 0;
    s->far = (int)low[group] - (int)low[0];
    for (unsigned i = 0; i < n; i++)
        if (low[i] != low[0] + (unsigned)near * (i % group) + (unsigned)s->far * (i / group))
            return false;
    return n >= FEWEST_IN_GROUPS && n % group == 0;
}

bool row_spaced(const struct module *m, struct node *const *lane, unsigned n)
{
    struct base first = base_of(m, lane[0]);
    unsigned *low = arena(n * sizeof *low);
    struct spacing spacing;
    for (unsigned i = 0; i < n; i++) {
        struct base b = base_of(m, lane[i]);
        if (b.of != first.of || lane[i]->width != lane[0]->width)
            return false;
        low[i] = b.low;
    }
    return n > 1 && find_spacing(low, n, &spacing);
}

/* ---- operands in the same order in every lane ------------------------------------------------ */

/* How alike two operands look that should stand at the same place of two lanes. */
static unsigned likeness(const struct module *m, const struct node *a, const struct node *b)
{
    if (a == b)
        return 8;
    if (a->width != b->width)
        return 0;
    if (is_const(a) && is_const(b))
        return 4;
    if (a->op == OP_SLICE || info_of(m, a)->vec)
        return base_of(m, a).of == base_of(m, b).of ? 6 : a->op == b->op;
    if (a->op != b->op || a->n_args != b->n_args)
        return 0;
    unsigned alike = 2;
    for (unsigned i = 0; i < a->n_args; i++)
        alike +=
            a->args[i]->op == b->args[i]->op &&
            (a->args[i]->n_args == 0 || base_of(m, a->args[i]).of == base_of(m, b->args[i]).of);
    return alike;
}

/* The arguments of n in the order that resembles `like` most. */
static void arrange(const struct module *m, const struct node *n, const struct node *like,
                    struct node **out)
{
    bool *taken = arena(n->n_args);
    for (unsigned k = 0; k < n->n_args; k++) {
        unsigned best = 0, most = 0;
        bool found = false;
        for (unsigned i = 0; i < n->n_args; i++) {
            unsigned alike = taken[i] ? 0 : likeness(m, n->args[i], like->args[k]);
            if (!taken[i] && (!found || alike > most)) {
                best = i;
                most = alike;
                found = true;
            }
        }
        taken[best] = true;
        out[k] = n->args[best];
    }
}

/* Two operands: the better of the two ways round, counting both places. */
static bool swapped(const struct module *m, const struct node *n, const struct node *like)
{
    unsigned straight =
        likeness(m, n->args[0], like->args[0]) + likeness(m, n->args[1], like->args[1]);
    unsigned crossed =
        likeness(m, n->args[1], like->args[0]) + likeness(m, n->args[0], like->args[1]);
    return crossed > straight;
}

static struct node ***arranged_now(const struct module *m, struct node *const *lane, unsigned n)
{
    unsigned n_args = lane[0]->n_args;
    const struct node *like = lane[n / 2];
    struct node ***a = arena((n_args + 1) * sizeof *a);
    struct node **one = arena((n_args + 1) * sizeof *one);
    for (unsigned k = 0; k < n_args; k++)
        a[k] = arena(n * sizeof **a);
    for (unsigned i = 0; i < n; i++) {
        if (n_args) /* constants have no list */
            memcpy(one, lane[i]->args, n_args * sizeof *one);
        if (n > 1 && op_info[lane[i]->op].swaps && lane[i] != like) {
            if (n_args > 2) {
                arrange(m, lane[i], like, one);
            } else if (swapped(m, lane[i], like)) {
                one[0] = lane[i]->args[1];
                one[1] = lane[i]->args[0];
            }
        }
        for (unsigned k = 0; k < n_args; k++)
            a[k][i] = one[k];
    }
    return a;
}

static struct arrangement *arrangement_of(const struct module *m, struct node *const *lane,
                                          unsigned n)
{
    for (unsigned i = info_of(m, lane[0])->arranged; i > 0;) {
        struct arrangement *a = &m->plan->arranged[i - 1];
        if (a->n == n && memcmp(a->lane, lane, n * sizeof *lane) == 0)
            return a;
        i = a->older;
    }
    return NULL;
}

struct node ***lane_args(const struct module *m, struct node *const *lane, unsigned n)
{
    const struct arrangement *a = n > 1 ? arrangement_of(m, lane, n) : NULL;
    return a ? a->args : arranged_now(m, lane, n);
}

struct node ***arrange_row(struct module *m, struct node **lane, unsigned n)
{
    struct plan *p = m->plan;
    struct info *first = info_of(m, lane[0]);
    struct node ***args = arranged_now(m, lane, n);
    struct arrangement *a = arrangement_of(m, lane, n);
    if (a) {
        a->args = args;
    } else {
        PUSH(p->arranged, p->n_arranged, (struct arrangement){lane, n, args, first->arranged});
        first->arranged = p->n_arranged;
    }
    return args;
}

/* ---- views: rows that are lanes of a vector -------------------------------------------------- */

const struct view *view_find(const struct module *m, struct node *const *lane, unsigned n)
{
    const struct view *found = NULL;
    for (unsigned i = info_of(m, lane[0])->view; i > 0;) {
        const struct view *v = &m->plan->view[i - 1];
        if (v->n == n && memcmp(v->lane, lane, n * sizeof *lane) == 0)
            found = v; /* the oldest */
        i = v->older;
    }
    return found;
}

void skip_node(void *context, struct node *n)
{
    (void)context;
    (void)n;
}

void skip_view(void *context, const struct view *view)
{
    (void)context;
    (void)view;
}

static void walk_args(struct module *m, struct node *const *lane, unsigned n,
                      const struct row_visit *v)
{
    struct node ***args = lane_args(m, lane, n);
    if (v->operation)
        v->operation(v->context, lane, n);
    for (unsigned k = 0; k < lane[0]->n_args; k++)
        walk_row(m, args[k], n, v);
}

enum row_kind row_kind(const struct module *m, struct node *const *lane, unsigned n,
                       const struct view **view)
{
    *view = NULL;
    if (n == 1 || row_same(lane, n))
        return ROW_SAME;
    *view = view_find(m, lane, n);
    if (*view)
        return ROW_VIEW;
    if (row_spaced(m, lane, n))
        return ROW_SPACED;
    return is_const(lane[0]) ? ROW_TABLE : ROW_OPERATION;
}

/*
 * Calls v->node for every node that the printed row refers to by name or writes once for all
 * lanes, and v->view for every row of lanes of another vector that it reads.
 */
void walk_row(struct module *m, struct node *const *lane, unsigned n, const struct row_visit *v)
{
    const struct view *view;
    switch (row_kind(m, lane, n, &view)) {
    case ROW_SAME:
        v->node(v->context, lane[0]);
        break;
    case ROW_VIEW:
        if (view->vector != v->self)
            v->view(v->context, view);
        break;
    case ROW_SPACED:
        for (unsigned i = 0; i < n; i++)
            v->node(v->context, lane[i]);
        break;
    case ROW_TABLE:
        if (v->table)
            v->table(v->context, lane, n);
        break;
    case ROW_OPERATION:
        walk_args(m, lane, n, v);
        break;
    }
}

/* Whether more operands step down than up from lane to lane: > 0 down, < 0 up. */
static int direction(struct module *m, struct node *const *lane, unsigned n)
{
    const struct view *view = view_find(m, lane, n);
    if (row_same(lane, n) || (view && view->vector->chain))
        return 0;
    if (view)
        return -2;
    if (is_const(lane[0]) && is_const(lane[n - 1]))
        return lane[0]->width > 16 ? 0 : const_value(lane[0]) > const_value(lane[n - 1]) ? 1 : -1;
    if (row_spaced(m, lane, n))
        return base_of(m, lane[0]).low > base_of(m, lane[n - 1]).low ? 2 : -2;
    struct node ***args = lane_args(m, lane, n);
    int sum = 0;
    for (unsigned k = 0; k < lane[0]->n_args; k++)
        sum += direction(m, args[k], n);
    return sum;
}

bool vector_runs_down(struct module *m, const struct vector *v)
{
    struct node ***args = lane_args(m, v->lane, v->n);
    int sum = 0;
    for (unsigned k = 0; k < v->lane[0]->n_args; k++)
        sum += direction(m, args[k], v->n);
    return sum > 0;
}

bool vector_update(struct module *m, const struct vector *v, struct update *u)
{
    if (!v->chain || v->lane[0]->op != OP_MUX)
        return false;
    struct node ***args = lane_args(m, v->lane, v->n);
    for (unsigned k = 1; k < 3; k++) {
        const struct view *view = view_find(m, args[k], v->n);
        if (view == NULL || view->vector != v)
            continue;
        *u = (struct update){.cond = args[0], .value = args[3 - k], .negated = k == 1};
        return true;
    }
    return false;
}

/* Lanes that have nets of their own, and the operands of the others. */
static void walk_gathered(struct module *m, const struct vector *vec, const struct row_visit *v)
{
    for (unsigned i = 0; i < vec->n; i++) {
        if (info_of(m, vec->lane[i])->vec == vec)
            walk_args(m, &vec->lane[i], 1, v);
        else
            v->node(v->context, vec->lane[i]);
    }
}

/* The operands of a vector's loop; a chain's own lanes are none. */
void walk_vector(struct module *m, const struct vector *vec, struct row_visit v)
{
    v.self = vec;
    if (vec->gathered) {
        walk_gathered(m, vec, &v);
        return;
    }
    walk_args(m, vec->lane, vec->n, &v);
    if (vec->chain)
        v.node(v.context, vec->init);
}
