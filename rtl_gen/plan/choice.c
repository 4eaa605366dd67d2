// SPDX-License-Identifier: Apache-2.0
/*
 * choice.c - nets that are chosen by cases: they are assigned by statements, as registers are, in place of one long
 * expression each. Nets that are chosen by the same share a block. In place of
 *
 *     wire [1:0] state_d = state_q == RUN ? (stop ? IDLE : RUN) : state_q == IDLE ? (go ? RUN : IDLE) : state_q;
 *
 * stands, with `hold` as what is assigned first,
 *
 *     always @* begin
 *         state_d = state_q;
 *         case (state_q)
 *             IDLE: if (go) state_d = RUN;
 *             RUN: if (stop) state_d = IDLE;
 *             default: ;
 *         endcase
 *     end
 */
#include "plan/plan.h"
#include "graph/graph.h"

enum {
    MOST_LOOKED = 4096, /* choices within each other that are looked at */
    MOST_TRIES = 64     /* of a net to join a block, in a module */
};

/* ---- which nets ---------------------------------------------------------------------------------- */

struct tree {
    struct node **node; /* the choices that nobody else uses, outermost first */
    unsigned n;
};

static struct target whole(struct node **net)
{
    return (struct target){.net = *net, .width = (*net)->width, .value = net};
}

static struct tree choices_of(struct module *m, struct node *top)
{
    struct tree tree = {0};
    PUSH_SCRATCH(tree.node, tree.n, top);
    for (unsigned i = 0; i < tree.n && tree.n < MOST_LOOKED; i++)
        for (unsigned k = 1; k < 3; k++) {
            struct node *arm = tree.node[i]->args[k];
            struct target t = {.net = top, .value = &arm};
            if (arm != top && opens(m, &t, 1))
                PUSH_SCRATCH(tree.node, tree.n, arm);
        }
    return tree;
}

static bool has_case(struct module *m, const struct tree *tree)
{
    for (unsigned i = 0; i < tree->n; i++) {
        struct target t = whole(&tree->node[i]);
        if (case_begins(m, &t))
            return true;
    }
    return false;
}

/* The register or input that most branches give, if several do. */
static struct node *hold_of(const struct tree *tree)
{
    struct node *best = NULL;
    unsigned most = 1, leaves = 0;
    unsigned *count = scratch(2 * tree->n * sizeof *count);
    for (unsigned i = 0; i < tree->n; i++)
        for (unsigned k = 1; k < 3; k++)
            if (tree->node[i]->args[k]->op == OP_REG || tree->node[i]->args[k]->op == OP_INPUT)
                tree->node[i]->args[k]->mark = NULL;
    for (unsigned i = 0; i < tree->n; i++)
        for (unsigned k = 1; k < 3; k++) {
            struct node *leaf = tree->node[i]->args[k];
            if (leaf->op != OP_REG && leaf->op != OP_INPUT)
                continue;
            if (!leaf->mark)
                leaf->mark = &count[leaves++];
            unsigned *uses = leaf->mark;
            if (++*uses > most) {
                most = *uses;
                best = leaf;
            }
        }
    return best;
}

/* ---- which of them together ---------------------------------------------------------------------- */

struct cone {
    struct module *m;
    bool *seen; /* by node id */
    struct node **open;
    unsigned n;
};

static void look(void *context, struct node *n)
{
    struct cone *c = context;
    if (c->seen[n->id])
        return;
    c->seen[n->id] = true;
    PUSH_SCRATCH(c->open, c->n, n);
}

/* Whether what the nets are made of uses one of them, also through other blocks. */
static bool is_cyclic(struct module *m, struct choice *const *all, unsigned n,
                      const struct choice *c)
{
    struct cone cone = {.m = m, .seen = scratch(m->graph.n + 1)};
    for (unsigned i = 0; i < c->n; i++)
        for (unsigned k = 0; k < c->net[i]->n_args; k++)
            look(&cone, c->net[i]->args[k]);
    while (cone.n > 0) {
        struct node *x = cone.open[--cone.n];
        for (unsigned i = 0; i < c->n; i++)
            if (x == c->net[i])
                return true;
        const struct vector *v = info_of(m, x)->vec;
        for (unsigned i = 0; v && i < v->n; i++)
            look(&cone, v->lane[i]);
        if (v && v->chain)
            look(&cone, v->init);
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < all[i]->n; k++)
                if (all[i]->net[k] == x)
                    for (unsigned j = 0; j < all[i]->n; j++)
                        look(&cone, all[i]->net[j]);
        for (unsigned i = 0; i < x->n_args; i++)
            look(&cone, x->args[i]);
    }
    return false;
}

static bool alike(struct module *m, struct node *a, struct node *b)
{
    struct target x = whole(&a), y = whole(&b);
    struct node *selector = case_selector(m, &x);
    return a->args[0] == b->args[0] || (selector && selector == case_selector(m, &y));
}

static void add(struct choice *c, struct node *net, struct node *hold)
{
    unsigned n = c->n;
    PUSH(c->net, c->n, net);
    PUSH(c->hold, n, hold);
}

/* The last one was added first. */
static void in_order(struct choice *c)
{
    for (unsigned i = 0, k = c->n - 1; i < k; i++, k--) {
        struct node *net = c->net[i], *hold = c->hold[i];
        c->net[i] = c->net[k];
        c->hold[i] = c->hold[k];
        c->net[k] = net;
        c->hold[k] = hold;
    }
}

static bool joins(struct module *m, struct node *net, struct node *hold, unsigned *tries)
{
    struct plan *p = m->plan;
    for (unsigned i = 0; i < p->n_choices && *tries > 0; i++) {
        struct choice *c = p->choice[i];
        if (!alike(m, c->net[0], net))
            continue;
        --*tries;
        add(c, net, hold);
        if (!is_cyclic(m, p->choice, p->n_choices, c))
            return true;
        c->n--;
    }
    return false;
}

void plan_choices(struct module *m)
{
    struct plan *p = m->plan;
    unsigned tries = MOST_TRIES;
    for (unsigned i = m->graph.n; i-- > 0;) {
        struct node *n = m->graph.node[i];
        const struct info *info = info_found(m, n);
        if (!info || info->uses == 0 || info->section != IN_MODULE || info->opened || info->vec ||
            info->in_row || n->op != OP_MUX)
            continue;
        struct tree tree = choices_of(m, n);
        for (unsigned k = 1; k < tree.n; k++)
            info_of(m, tree.node[k])->opened = true;
        if (!has_case(m, &tree))
            continue;
        struct node *hold = hold_of(&tree);
        if (joins(m, n, hold, &tries))
            continue;
        struct choice *c = arena(sizeof *c);
        add(c, n, hold);
        PUSH(p->choice, p->n_choices, c);
    }
    for (unsigned i = 0; i < p->n_choices; i++) {
        struct choice *c = p->choice[i];
        in_order(c);
        c->body = plan_nets(m, c->net, c->hold, c->n);
        for (unsigned k = 0; k < c->n; k++)
            info_of(m, c->net[k])->choice = c;
    }
}
