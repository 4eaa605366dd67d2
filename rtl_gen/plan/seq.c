// SPDX-License-Identifier: Apache-2.0
/*
 * seq.c - registers as a human assigns them: if/else trees instead of one expression each.
 *
 * The next value of a register is mostly a tree of choices. Registers whose outermost choice has
 * the same condition go under one `if`, those that are chosen by one value under one `case`, and so on inside; a
 * branch that keeps the old value disappears. Array registers are taken element by element where their next value
 * is built so. Nets that are chosen by cases are built in the same way.
 */
#include "plan/plan.h"
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

struct items {
    struct target *item;
    unsigned n;
};

bool is_assignment(const struct seq *s)
{
    return s->cond == NULL && s->selector == NULL;
}

const struct target *first_target(const struct seq *s)
{
    while (!is_assignment(s)) {
        const struct seq *inner = s->yes;
        for (unsigned i = 0; s->selector && i < s->n_arms; i++)
            inner = s->arm[i].body ? s->arm[i].body : inner;
        s = inner;
    }
    return &s->assign;
}

const char *target_name(struct module *m, const struct target *t)
{
    return t->net ? identifier(t->net->name ? t->net->name : "net") : m->self.leaf[t->leaf].name;
}

/* What the target keeps when nothing is assigned to it. */
static struct node *own_bits(struct module *m, const struct target *t, unsigned lane)
{
    if (t->net)
        return t->hold;
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

bool opens(struct module *m, const struct target *t, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct info *info = info_of(m, t->value[i]);
        if (t->value[i]->op != OP_MUX || (info->uses > 1 && t->value[i] != t->net) || info->vec)
            return false;
    }
    return true;
}

/* The whole register with some elements replaced, by nothing else used: assigned by element. */
static bool sets_elements(struct module *m, const struct target *t)
{
    struct node *v = t->value[0];
    if (v->op != OP_SET || t->net)
        return false;
    for (; v->op == OP_SET; v = v->args[0])
        if (info_of(m, v)->uses > 1)
            return false;
    return v == own_bits(m, t, 0);
}

static struct target with_arg(struct module *m, struct target t, unsigned n, unsigned k)
{
    t.choice = t.value[0];
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
    unsigned *next;         /* see next_alike */
    struct node **selector; /* of each that can be part of a case */
    unsigned i, depth;
    struct seq **end;
};

/* Lists under way, the innermost last. */
struct makings {
    struct module *m;
    unsigned n; /* lanes */
    bool loops; /* a statement is a loop, also of one lane */
    struct making *making;
    unsigned n_making, room;
};

/* Bits of a register beside those of t, which with them are assigned one thing: bits of one node, a constant. NULL: they are not. */
static struct node *beside(struct module *m, const struct target *t, const struct target *next)
{
    if (t->net || next->net || t->leaf != next->leaf || t->low + t->width != next->low ||
        opens(m, t, 1) || opens(m, next, 1))
        return NULL;
    struct node *both = mk_concat2(&m->graph, next->value[0], t->value[0]);
    return both->op == OP_CONCAT || both->op == OP_MUX ? NULL : both;
}

static struct items joined(struct module *m, struct items all)
{
    struct items list = {0};
    for (unsigned i = 0; i < all.n; i++) {
        struct target *last = list.n ? &list.item[list.n - 1] : NULL;
        struct node *both = last ? beside(m, last, &all.item[i]) : NULL;
        if (both == NULL) {
            PUSH(list.item, list.n, all.item[i]);
            continue;
        }
        struct node **value = arena(sizeof *value);
        *value = both;
        *last = (struct target){
            .leaf = last->leaf, .low = last->low, .width = both->width, .value = value};
    }
    return list;
}

static void make_list(struct makings *x, struct items all, unsigned depth, struct seq **end)
{
    if (all.n == 0)
        return;
    if (x->n == 1)
        all = joined(x->m, all);
    struct making list = {.all = all, .depth = depth, .end = end};
    list.done = arena(all.n + 1);
    list.next = next_alike(x->m, all, x->n);
    list.selector = arena(all.n * sizeof *list.selector);
    for (unsigned i = 0; i < all.n && x->n == 1; i++)
        list.selector[i] = list.next[i] ? case_selector(x->m, &all.item[i]) : NULL;
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

static struct node **inverted(struct module *m, struct node **cond, unsigned n)
{
    struct node **not = arena(n * sizeof *not);
    for (unsigned i = 0; i < n; i++)
        not[i] = cond[i]->op == OP_NOT
                     ? cond[i]->args[0]
                     : node_intern(
                           &m->graph,
                           (struct node){.op = OP_NOT, .width = 1, .n_args = 1, .args = &cond[i]});
    return not;
}

/* Alone in its list an if is an else-if of the one around it: then it is not deeper. */
static void branch(struct makings *x, struct seq *s, struct items group, unsigned depth)
{
    struct module *m = x->m;
    struct items yes = {0}, no = {0};
    s->cond = lane_args(m, group.item[0].value, x->n)[0];
    s->loc = s->cond[0]->loc;
    for (unsigned i = 0; i < group.n; i++) {
        for (unsigned k = 0; k < x->n; k++)
            info_of(m, group.item[i].value[k])->opened = true;
        struct target a = with_arg(m, group.item[i], x->n, 1);
        struct target b = with_arg(m, group.item[i], x->n, 2);
        if (!holds(m, &a, x->n))
            PUSH(yes.item, yes.n, a);
        if (!holds(m, &b, x->n))
            PUSH(no.item, no.n, b);
    }
    if (yes.n == 0) {
        s->cond = inverted(m, s->cond, x->n);
        yes = no;
        no.n = 0;
    }
    make_list(x, no, depth, &s->no);
    make_list(x, yes, depth + 1, &s->yes); /* on top: comes first */
}

/* What a case is made of. */
struct case_items {
    struct items items;
    struct outcome *outcome;
    unsigned n;
};

/* Item i and all others by the same selector, if they are a case. */
static bool find_case(struct makings *x, struct making *list, unsigned i, struct case_items *c)
{
    const struct node *selector = list->selector[i];
    *c = (struct case_items){0};
    if (!selector || list->depth >= DEEPEST_IF || !case_begins(x->m, &list->all.item[i]))
        return false;
    for (unsigned k = i; k < list->all.n; k++)
        if (!list->done[k] && list->selector[k] == selector)
            PUSH(c->items.item, c->items.n, list->all.item[k]);
    c->n = case_outcomes(x->m, c->items.item, c->items.n, selector, &c->outcome);
    for (unsigned k = i; c->n && k < list->all.n; k++)
        list->done[k] |= list->selector[k] == selector;
    return c->n > 0;
}

static void make_arms(struct makings *x, struct seq *s, const struct case_items *c, unsigned depth)
{
    s->n_arms = c->n;
    s->arm = arena(c->n * sizeof *s->arm);
    for (unsigned a = c->n; a-- > 0;) { /* the first one on top: comes first */
        struct items body = {0};
        s->arm[a] = (struct arm){.test = c->outcome[a].test, .n = c->outcome[a].n};
        for (unsigned k = 0; k < c->items.n; k++) {
            struct target t = c->items.item[k];
            t.choice = t.value[0];
            t.value = &c->outcome[a].result[k];
            if (!holds(x->m, &t, 1))
                PUSH(body.item, body.n, t);
        }
        make_list(x, body, depth + 1, &s->arm[a].body);
    }
}

static struct seq *assignment(struct makings *x, const struct target *t)
{
    struct seq *s = arena(sizeof *s);
    s->assign = *t;
    s->assign.sets = x->n == 1 && sets_elements(x->m, t);
    x->loops |= s->assign.sets;
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
    struct case_items c;
    if (find_case(x, list, i, &c)) {
        s = *end = arena(sizeof *s);
        s->selector = list->selector[i];
        list->end = &s->next;
        make_arms(x, s, &c, list->depth);
        return;
    }
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

static struct seq *build(struct module *m, struct items all, unsigned n, bool *loops)
{
    struct makings x = {.m = m, .n = n, .loops = n > 1};
    struct seq *first = NULL;
    for (make_list(&x, all, 0, &first); x.n_making > 0;)
        make_statement(&x);
    freed(x.making);
    *loops |= x.loops;
    return first;
}

/* ---- what statements are made of --------------------------------------------------------------- */

static void walk_target(struct module *m, const struct target *t, unsigned n,
                        const struct row_visit *v)
{
    if (!t->sets) {
        walk_row(m, t->value, n, v);
        return;
    }
    for (struct node *set = t->value[0]; set->op == OP_SET; set = set->args[0]) {
        if (v->operation)
            v->operation(v->context, &set, 1);
        v->node(v->context, set->args[1]);
        v->node(v->context, set->args[2]);
    }
}

static void walk_statement(struct module *m, const struct seq *s, unsigned n,
                           const struct row_visit *v)
{
    if (v->statement)
        v->statement(v->context, s, n);
    if (s->selector)
        v->node(v->context, s->selector);
    else if (s->cond)
        walk_row(m, s->cond, n, v);
    else
        walk_target(m, &s->assign, n, v);
}

void walk_seq(struct module *m, const struct seq *s, unsigned n, const struct row_visit *v)
{
    static const struct seq **open; /* lists of statements still to come, the next one last */
    static unsigned room;
    unsigned n_open = 0;
    PUSH_WORK(open, n_open, room, s);
    while (n_open > 0) {
        s = open[--n_open];
        if (s == NULL)
            continue;
        walk_statement(m, s, n, v);
        PUSH_WORK(open, n_open, room, s->next);
        PUSH_WORK(open, n_open, room, s->no);
        PUSH_WORK(open, n_open, room, s->yes);
        for (unsigned i = s->n_arms; i-- > 0;)
            PUSH_WORK(open, n_open, room, s->arm[i].body);
    }
}

void walk_choice(struct module *m, const struct choice *c, const struct row_visit *v)
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->hold[i])
            v->node(v->context, c->hold[i]);
    walk_seq(m, c->body, 1, v);
}

void walk_blocks(struct module *m, const struct row_visit *v)
{
    for (unsigned i = 0; i < m->plan->n_blocks; i++)
        for (unsigned k = 0; k < m->plan->block[i].n_loops; k++)
            walk_seq(m, m->plan->block[i].loop[k].body, m->plan->block[i].loop[k].n, v);
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

static void plan_group(struct module *m, unsigned subject, bool reset)
{
    struct groups all = {0};
    struct block b = {.subject = subject, .reset = reset};
    unsigned members = 0;
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct reg_info *r = &m->reg[i];
        if (r->next == NULL || r->forwarded || (r->reset != NULL) != reset ||
            subject_of_leaf(m, i) != subject)
            continue;
        members++;
        if (r->next->op != OP_REG || r->next->index != i)
            push_register(m, &all, i);
    }
    if (members == 0)
        return;
    for (unsigned i = 0; i < all.n; i++) {
        unsigned n = all.group[i].n;
        struct seq *body = build(m, all.group[i].items, n, &b.loops);
        PUSH(b.loop, b.n_loops, (struct loop){n, body});
    }
    PUSH(m->plan->block, m->plan->n_blocks, b);
}

struct seq *plan_nets(struct module *m, struct node **net, struct node **hold, unsigned n)
{
    struct items all = {0};
    bool loops = false; /* a net is assigned as a whole */
    for (unsigned i = 0; i < n; i++)
        PUSH(all.item, all.n,
             (struct target){
                 .net = net[i], .hold = hold[i], .width = net[i]->width, .value = &net[i]});
    return build(m, all, 1, &loops);
}

void plan_blocks(struct module *m)
{
    for (unsigned i = 0; i < m->plan->n_subjects; i++) {
        plan_group(m, i, true);
        plan_group(m, i, false);
    }
}
