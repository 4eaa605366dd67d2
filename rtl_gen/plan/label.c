// SPDX-License-Identifier: Apache-2.0
/*
 * label.c - numbers that the C calls by a name have that name, as localparams: values of enums those of their
 * enumerators, others what their line of the C says.
 */
#include "base/text.h"
#include "plan/plan.h"
#include "graph/graph.h"

#include <inttypes.h>

/* The enum of the register or port that a node is, whole or by one element. */
static const struct enumeration *leaf_enumeration(const struct module *m, const struct node *n)
{
    const struct node *of = n->op == OP_SLICE ? n->args[0] : n;
    const struct leaf *leaf = of->op == OP_REG     ? &m->self.leaf[of->index]
                              : of->op == OP_INPUT ? &m->in.leaf[of->index]
                                                   : NULL;
    if (leaf == NULL || n->width != leaf->width || (n != of && n->index % leaf->width))
        return NULL;
    return leaf->enumeration;
}

/* What is not known yet of a choice: its next argument to look at, or NULL when it is decided. */
static const struct node *undecided(const struct module *m, const struct node *n)
{
    struct info *info = info_of(m, n);
    info->labels = leaf_enumeration(m, n);
    for (unsigned k = 1; n->op == OP_MUX && k < 3 && info->labels == NULL; k++) {
        if (!info_of(m, n->args[k])->labels_known)
            return n->args[k];
        info->labels = info_of(m, n->args[k])->labels;
    }
    info->labels_known = true;
    return NULL;
}

/* A choice between enumerators is of that enum. */
const struct enumeration *enumeration_of(const struct module *m, const struct node *n)
{
    static const struct node **open;
    static unsigned room;
    unsigned n_open = 0;
    const struct node *next = info_of(m, n)->labels_known ? NULL : n;
    while (next || n_open > 0) {
        if (next)
            PUSH_WORK(open, n_open, room, next);
        next = undecided(m, open[n_open - 1]);
        n_open -= next == NULL;
    }
    return info_of(m, n)->labels;
}

/* The localparam of this value for what the C calls `c`. */
static const char *localparam(struct plan *p, const char *c, const struct node *value)
{
    const char *key = format("%u %" PRIu64 " %s", value->width, const_value(value), c);
    const char *name = names_find(&p->label_of, key);
    if (name)
        return name;
    name = unique_name(p, c);
    names_set(&p->label_of, key, (void *)name);
    PUSH(p->label, p->n_labels, (struct label){c, name, const_value(value), value->width});
    return name;
}

/* A function has those of its module, apart from one that a variable of its own hides. */
static const char *visible(struct plan *p, const char *c, const struct node *value)
{
    const char *name = localparam(p->outer ? p->outer : p, c, value);
    return p->outer && names_find(&p->used, name) ? NULL : name;
}

const char *label_of(struct plan *p, const struct enumeration *e, const struct node *value)
{
    for (unsigned i = 0; e && i < e->n; i++)
        if (is_value(value, e->value[i]))
            return visible(p, e->label[i], value);
    return NULL;
}

const char *constant_name(const struct module *m, struct loc loc, const struct node *value)
{
    const char *line = place(loc);
    const struct constant *c = line ? names_find(m->constants, line) : NULL;
    if (significant(value) > 64)
        return NULL;
    while (c && !is_value(value, c->value))
        c = c->next;
    return c && c->name ? visible(m->plan, c->name, value) : NULL;
}
