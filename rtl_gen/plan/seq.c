// SPDX-License-Identifier: Apache-2.0
/*
 * seq.c - registers as a human assigns them: if/else trees instead of one expression each.
 *
 * The next value of a register is mostly a tree of choices. Registers whose outermost choice has
 * the same condition go under one `if`, and so on inside; a branch that keeps the old value
 * disappears. Array registers are taken element by element where their next value is built so.
 */
#include "plan/plan.h"
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

struct items {
    struct target *item;
    unsigned n;
};

static struct node *own_bits(struct module *m, const struct target *t, unsigned lane)
{
    struct node *reg = mk_reg(&m->graph, t->leaf, leaf_bits(&m->self.leaf[t->leaf]));
    return mk_slice(&m->graph, reg, t->low + lane * t->width, t->width);
}

static bool holds(struct module *m, const struct target *t, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (t->value[i] != own_bits(m, t, i))
            return false;
    return true;
}

/* A row of choices that nothing else uses can become an if. */
static bool opens(struct module *m, const struct target *t, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct info *info = info_of(m, t->value[i]);
        if (t->value[i]->op != OP_MUX || info->uses > 1 || info->vec)
            return false;
    }
    return true;
}

/* The whole register with some elements replaced, by nothing else used: assigned by element. */
static bool sets_elements(struct module *m, const struct target *t)
{
    struct node *v = t->value[0];
    if (v->op != OP_SET)
        return false;
    for (; v->op == OP_SET; v = v->args[0])
        if (info_of(m, v)->uses > 1)
            return false;
    return v == own_bits(m, t, 0);
}

/* The register after a loop of conditional assignments that nothing else reads. */
static bool updates(struct module *m, const struct target *t)
{
    const struct info *info = info_of(m, t->value[0]);
    struct update u;
    return info->vec && info->uses == 1 && info->vec->init == own_bits(m, t, 0) &&
           vector_update(m, info->vec, &u);
}

static struct target with_arg(struct module *m, struct target t, unsigned n, unsigned k)
{
    t.value = lane_args(m, t.value, n)[k];
    return t;
}

/* Ifs within ifs, apart from else-ifs, before what is left stays an expression. */
#define DEEPEST_IF 64

/* One register alone, a short choice between two new values: that stays an expression. */
static bool stays_choice(struct module *m, const struct target *t, unsigned n)
{
    struct target yes = with_arg(m, *t, n, 1), no = with_arg(m, *t, n, 2);
    return !holds(m, &yes, n) && !holds(m, &no, n) && !opens(m, &yes, n) && !opens(m, &no, n) &&
           yes.value[0]->op != OP_SET && no.value[0]->op != OP_SET;
}

/* Of two rows of choices. */
static bool same_condition(const struct target *a, const struct target *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (a->value[i]->args[0] != b->value[i]->args[0])
            return false;
    return true;
}

/* An item that can become an if. */
struct opener {
    unsigned cond; /* id of the condition in lane 0 */
    unsigned item;
};

static int by_condition(const void *a, const void *b)
{
    const struct opener *x = a, *y = b;
    return x->cond != y->cond ? (x->cond > y->cond) - (x->cond < y->cond)
                              : (x->item > y->item) - (x->item < y->item);
}

/* By item: the next one that opens with the same condition in lane 0, all.n for none; 0: opens not. */
static unsigned *next_alike(struct module *m, struct items all, unsigned n)
{
    unsigned *next = arena((all.n + 1) * sizeof *next), n_openers = 0;
    struct opener *opener = NULL;
    for (unsigned i = 0; i < all.n; i++)
        if (opens(m, &all.item[i], n))
            PUSH(opener, n_openers, (struct opener){all.item[i].value[0]->args[0]->id, i});
    if (n_openers > 1)
        qsort(opener, n_openers, sizeof *opener, by_condition);
    for (unsigned i = 0; i < n_openers; i++) {
        bool more = i + 1 < n_openers && opener[i + 1].cond == opener[i].cond;
        next[opener[i].item] = more ? opener[i + 1].item : all.n;
    }
    return next;
}

/* A list of statements that is being made: of all items those before `i` are in it. */
struct making {
    struct items all;
    bool *done;
    unsigned *next; /* see next_alike */
    unsigned i, depth;
    struct seq **end;
};

/* Lists under way, the innermost last. */
struct makings {
    struct module *m;
    unsigned n; /* lanes */
    struct making *making;
    unsigned n_making, room;
};

static void make_list(struct makings *x, struct items all, unsigned depth, struct seq **end)
{
    if (all.n == 0)
        return;
    struct making list = {.all = all, .depth = depth, .end = end};
    list.done = arena(all.n + 1);
    list.next = next_alike(x->m, all, x->n);
    PUSH_WORK(x->making, x->n_making, x->room, list);
}

/* The items from `i` on that open with its condition, which become one if. */
static struct items alike(struct makings *x, struct making *list, unsigned i)
{
    struct items group = {0};
    PUSH(group.item, group.n, list->all.item[i]);
    for (unsigned k = list->next[i]; k < list->all.n; k = list->next[k]) {
        if (list->done[k] || !same_condition(&list->all.item[i], &list->all.item[k], x->n))
            continue;
        PUSH(group.item, group.n, list->all.item[k]);
        list->done[k] = true;
    }
    return group;
}

/* Alone in its list an if is an else-if of the one around it: then it is not deeper. */
static void branch(struct makings *x, struct seq *s, struct items group, unsigned depth)
{
    struct module *m = x->m;
    struct items yes = {0}, no = {0};
    s->cond = lane_args(m, group.item[0].value, x->n)[0];
    for (unsigned i = 0; i < group.n; i++) {
        struct target a = with_arg(m, group.item[i], x->n, 1);
        struct target b = with_arg(m, group.item[i], x->n, 2);
        if (!holds(m, &a, x->n))
            PUSH(yes.item, yes.n, a);
        if (!holds(m, &b, x->n))
            PUSH(no.item, no.n, b);
    }
    make_list(x, no, depth, &s->no);
    make_list(x, yes, depth + 1, &s->yes); /* on top: comes first */
}

static struct seq *assignment(struct makings *x, const struct target *t)
{
    struct seq *s = arena(sizeof *s);
    s->assign = *t;
    s->assign.sets = x->n == 1 && sets_elements(x->m, t);
    if (x->n == 1 && updates(x->m, t))
        s->assign.updates = info_of(x->m, t->value[0])->vec;
    return s;
}

/* The next statement of the innermost list, or the end of that list. */
static void make_statement(struct makings *x)
{
    struct making *list = &x->making[x->n_making - 1];
    while (list->i < list->all.n && list->done[list->i])
        list->i++;
    if (list->i == list->all.n) {
        x->n_making--;
        return;
    }
    unsigned i = list->i++;
    struct target *t = &list->all.item[i];
    struct seq **end = list->end, *s;
    if (list->next[i] && list->depth < DEEPEST_IF) {
        bool only = i == 0;
        struct items group = alike(x, list, i);
        if (group.n > 1 || !stays_choice(x->m, t, x->n)) {
            unsigned depth = list->depth + !(only && group.n == list->all.n);
            s = *end = arena(sizeof *s);
            list->end = &s->next;
            branch(x, s, group, depth);
            return;
        }
    }
    s = assignment(x, t);
    *end = s;
    list->end = &s->next;
}

static struct seq *build(struct module *m, struct items all, unsigned n)
{
    struct makings x = {.m = m, .n = n};
    struct seq *first = NULL;
    for (make_list(&x, all, 0, &first); x.n_making > 0;)
        make_statement(&x);
    freed(x.making);
    return first;
}

/* ---- chains of comparisons with constants ---------------------------------------------------- */

/* The comparisons that an OR of them consists of, in its order; NULL if it is anything else. */
static struct node **comparisons(struct node *cond, unsigned *n)
{
    static struct node **open;
    static unsigned room;
    struct node **list = NULL;
    unsigned n_open = 0;
    *n = 0;
    PUSH_WORK(open, n_open, room, cond);
    while (n_open > 0) {
        struct node *x = open[--n_open];
        if (x->op == OP_OR) {
            PUSH_WORK(open, n_open, room, x->args[1]);
            PUSH_WORK(open, n_open, room, x->args[0]);
        } else if (x->op == OP_EQ && is_const(x->args[1]) && x->args[0]->width <= 16) {
            PUSH_SCRATCH(list, *n, x);
        } else {
            return NULL;
        }
    }
    return list;
}

/* The values that arms have so far. */
struct taken {
    bool value[1 << 16];
};

static void forget(struct taken *taken, const struct arm *arm, unsigned arms)
{
    for (unsigned i = 0; i < arms; i++)
        for (unsigned k = 0; k < arm[i].n; k++)
            taken->value[const_value(arm[i].value[k])] = false;
}

/*
 * x == constant, or several of them joined by or: the same x everywhere, found first if NULL. The constants that
 * no arm before has are those of this arm.
 */
static bool add_values(struct node *cond, struct taken *taken, struct node **x, struct arm *arm)
{
    unsigned n;
    struct node **list = comparisons(cond, &n);
    if (list == NULL)
        return false;
    for (unsigned i = 0; i < n; i++) {
        *x = *x ? *x : list[i]->args[0];
        if (list[i]->args[0] != *x)
            return false;
    }
    for (unsigned i = 0; i < n; i++) {
        bool *known = &taken->value[const_value(list[i]->args[1])];
        if (!*known)
            PUSH(arm->value, arm->n, list[i]->args[1]);
        *known = true;
    }
    return true;
}

unsigned case_arms(const struct seq *s, unsigned n, struct node **selector, struct arm **arm)
{
    static struct taken taken;
    unsigned links = 0, arms = 0;
    *selector = NULL;
    *arm = NULL;
    if (n > 1)
        return 0;
    while (s && s->cond) {
        struct arm next = {.body = s->yes};
        if (!add_values(s->cond[0], &taken, selector, &next))
            break;
        if (next.n)
            PUSH(*arm, arms, next);
        links++;
        s = s->no;
        if (s == NULL || s->next)
            break;
    }
    forget(&taken, *arm, arms);
    PUSH(*arm, arms, (struct arm){.body = s});
    return links < 3 ? 0 : arms;
}

/* ---- which registers, and in which pieces ---------------------------------------------------- */

static void push_target(struct items *list, unsigned leaf, unsigned low, struct node *value)
{
    struct node **lane = arena(sizeof *lane);
    *lane = value;
    PUSH(list->item, list->n,
         (struct target){.leaf = leaf, .low = low, .width = value->width, .value = lane});
}

/* A concatenation some of whose parts are the old bits: only the other parts are assigned. */
static bool keeps_bits(struct module *m, unsigned leaf, struct node *next)
{
    struct target t = {.leaf = leaf};
    unsigned end = next->width;
    if (next->op != OP_CONCAT || info_of(m, next)->uses > 1)
        return false;
    for (unsigned i = 0; i < next->n_args; i++) {
        t.width = next->args[i]->width;
        end -= t.width;
        t.low = end;
        t.value = &next->args[i];
        if (holds(m, &t, 1) || opens(m, &t, 1))
            return true;
    }
    return false;
}

/* The parts of a concatenation between two bits, apart from those that keep the old value. */
static void push_parts(struct module *m, struct items *list, unsigned leaf, struct node *next,
                       unsigned from, unsigned to)
{
    unsigned low = 0;
    for (unsigned i = next->n_args; i-- > 0;) {
        unsigned end = low + next->args[i]->width;
        unsigned first = low > from ? low : from, last = end < to ? end : to;
        if (first < last) {
            struct node *value = mk_slice(&m->graph, next->args[i], first - low, last - first);
            struct target t = {.leaf = leaf, .low = first, .width = value->width, .value = &value};
            if (!holds(m, &t, 1))
                push_target(list, leaf, first, value);
        }
        low = end;
    }
}

/* Items of one number of lanes. */
struct group {
    unsigned n;
    struct items items;
};

struct groups {
    struct group *group;
    unsigned n;
};

static struct items *items_of(struct groups *all, unsigned n)
{
    for (unsigned i = 0; i < all->n; i++)
        if (all->group[i].n == n)
            return &all->group[i].items;
    PUSH(all->group, all->n, (struct group){.n = n});
    return &all->group[all->n - 1].items;
}

/* The rows are in the order of the registers. */
static unsigned first_row(const struct plan *p, unsigned leaf)
{
    unsigned low = 0, high = p->n_rows;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (p->row[middle].leaf >= leaf)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Rows of the register go into loops; true if there are any: then the other parts are scalars. */
static bool push_rows(struct module *m, struct groups *all, unsigned leaf, struct node *next)
{
    unsigned low = 0, rows = 0;
    for (unsigned i = first_row(m->plan, leaf); i < m->plan->n_rows; i++) {
        const struct reg_row *r = &m->plan->row[i];
        if (r->leaf != leaf)
            break;
        rows++;
        push_parts(m, items_of(all, 1), leaf, next, low, r->low);
        struct items *list = items_of(all, r->n);
        PUSH(list->item, list->n,
             (struct target){.leaf = leaf, .low = r->low, .width = r->width, .value = r->lane});
        low = r->low + r->n * r->width;
    }
    if (rows)
        push_parts(m, items_of(all, 1), leaf, next, low, next->width);
    return rows > 0;
}

static void push_register(struct module *m, struct groups *all, unsigned leaf)
{
    struct node *next = m->reg[leaf].next;
    if (push_rows(m, all, leaf, next))
        return;
    struct items *list = items_of(all, 1);
    if (!keeps_bits(m, leaf, next)) {
        push_target(list, leaf, 0, next);
        return;
    }
    push_parts(m, list, leaf, next, 0, next->width);
}

static void plan_group(struct module *m, bool reset)
{
    struct groups all = {0};
    struct block b = {.reset = reset};
    unsigned members = 0;
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct reg_info *r = &m->reg[i];
        if (r->next == NULL || r->forwarded || (r->reset != NULL) != reset)
            continue;
        members++;
        if (r->next->op != OP_REG || r->next->index != i)
            push_register(m, &all, i);
    }
    if (members == 0)
        return;
    for (unsigned i = 0; i < all.n; i++)
        PUSH(b.loop, b.n_loops,
             (struct loop){all.group[i].n, build(m, all.group[i].items, all.group[i].n)});
    PUSH(m->plan->block, m->plan->n_blocks, b);
}

void plan_blocks(struct module *m)
{
    plan_group(m, true);
    plan_group(m, false);
}
