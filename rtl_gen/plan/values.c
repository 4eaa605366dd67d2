// SPDX-License-Identifier: Apache-2.0
/*
 * values.c - choices between constants that all go into registers, ports and comparisons of one enum are values of that enum.
 *
 * label.c sees what a choice is made of, which of `full ? 2'd0 : 2'd2` says nothing: here its users say it.
 */
#include "plan/plan.h"
#include "graph/graph.h"

/* What the users of a node agree on. */
struct use {
    const struct enumeration *of; /* NULL: none so far */
    bool other;                   /* a use that is no value of an enum, or of another one */
};

static void note(struct use *use, const struct node *n, const struct enumeration *of)
{
    struct use *u = &use[n->id];
    u->other |= of == NULL || (u->of && u->of != of);
    u->of = of;
}

/* The elements of an array stand side by side. */
static void note_leaf(struct use *use, const struct node *n, const struct leaf *leaf)
{
    if (n->width == leaf->width)
        note(use, n, leaf->enumeration);
    for (unsigned k = 0; n->width != leaf->width && n->op == OP_CONCAT && k < n->n_args; k++)
        note(use, n->args[k], n->args[k]->width == leaf->width ? leaf->enumeration : NULL);
}

static void note_leaves(struct module *m, struct use *use)
{
    for (unsigned i = 0; i < m->self.n && m->reg; i++)
        if (m->reg[i].next)
            note_leaf(use, m->reg[i].next, &m->self.leaf[i]);
    for (unsigned k = 0; k < m->n_inst; k++)
        for (unsigned i = 0; i < m->inst[k].module->in.n; i++)
            if (m->inst_in[k][i])
                note_leaf(use, m->inst_in[k][i], &m->inst[k].module->in.leaf[i]);
}

static void note_other(void *context, struct node *n, enum root kind, const char *name)
{
    (void)name;
    if (kind != ROOT_NEXT && kind != ROOT_PORT)
        note(context, n, NULL);
}

static bool is_arm(const struct node *n, unsigned k)
{
    return n->op == OP_MUX && k > 0;
}

void plan_values(struct module *m)
{
    struct use *use = scratch(m->graph.n * sizeof *use);
    note_leaves(m, use);
    each_root(m, note_other, use);
    for (unsigned i = m->graph.n; i-- > 0;) {
        const struct node *n = m->graph.node[i];
        const struct use *u = &use[i];
        if (u->of == NULL && !u->other) /* nothing needs it */
            continue;
        const struct enumeration *of = enumeration_of(m, n);
        struct state_choice c;
        if (of == NULL && !u->other &&
            (n->op == OP_MUX || state_choice(m, u->of, m->graph.node[i], &c)))
            of = info_of(m, n)->labels = u->of;
        for (unsigned k = 0; k < n->n_args; k++)
            note(use, n->args[k],
                 is_arm(n, k)     ? of
                 : n->op == OP_EQ ? enumeration_of(m, n->args[!k])
                                  : NULL);
    }
}
