// SPDX-License-Identifier: Apache-2.0
/*
 * need.c - how often the text of a module needs each node, and where it needs a name.
 */
#include "plan/plan.h"
#include "graph/graph.h"

#include <assert.h>
#include <string.h>

/* ---- how often the text needs a node --------------------------------------------------------- */

bool is_leaf(const struct node *n)
{
    return op_info[n->op].kind == KIND_LEAF;
}

static bool extends_zero(const struct node *n)
{
    return n->op == OP_CONCAT && n->n_args == 2 && is_zero(n->args[0]);
}

/* state == IDLE reads better than a name for it. */
static bool tests_leaf(const struct node *n)
{
    return n->op == OP_EQ && is_const(n->args[1]) && n->args[0]->width <= 8 &&
           (is_leaf(n->args[0]) || (n->args[0]->op == OP_SLICE && is_leaf(n->args[0]->args[0])));
}

/* Written again wherever it is needed. */
bool is_thin(const struct node *n)
{
    return is_leaf(n) || n->op == OP_SLICE || n->op == OP_NOT || n->op == OP_SEXT ||
           extends_zero(n) || tests_leaf(n);
}

bool node_ref(const struct module *m, const struct node *n, struct ref *r)
{
    const struct info *info = info_of(m, n);
    if (info->net) {
        *r = (struct ref){info->net, 0, n->width};
        return true;
    }
    if (info->vec) {
        assert(info->vec->net || !m->plan->closed); /* nobody counted it: walk_row() missed it */
        *r = (struct ref){info->vec->net, info->slot * info->vec->width,
                          info->vec->slots * info->vec->width};
        return true;
    }
    if (n->op == OP_SLICE && node_ref(m, n->args[0], r)) {
        r->low += n->index;
        return true;
    }
    return false;
}

bool is_trivial(const struct module *m, const struct node *n)
{
    struct ref r;
    return is_leaf(n) || node_ref(m, n, &r) || (is_thin(n) && n->op != OP_NOT);
}

static void must_be_net(struct module *m, struct node *n)
{
    if (!is_leaf(n) && n->op != OP_SLICE)
        info_of(m, n)->is_net = true;
}

/* Icarus 11 does not cut an index that is arithmetic to its width: it gets a net, which does. */
static void name_address(struct module *m, struct node *n)
{
    if (n && n->op != OP_CONCAT)
        must_be_net(m, n);
}

/* Verilog, or the printer. */
bool wants_name(const struct node *n, unsigned k)
{
    return k < 2 && (op_info[n->op].names >> k & 1) &&
           !(n->op == OP_SEXT && n->args[0]->width == 1);
}

bool is_expression(const struct node *n)
{
    return n->op != OP_SET && (n->op != OP_CALL || n->keep->function);
}

/* Whether it wants one for n itself. */
static bool wants_own_name(const struct node *n)
{
    return n->op == OP_ASHR || n->op == OP_MEMREAD || !is_expression(n);
}

/* Where Verilog asks for a name, or where the text repeats an operand. */
static void ask_for_names(struct module *m, struct node *n)
{
    struct node **a = n->args;
    if (wants_own_name(n))
        must_be_net(m, n);
    for (unsigned k = 0; k < n->n_args; k++)
        if (wants_name(n, k) && !(n->op == OP_GET && extends_zero(a[k])))
            must_be_net(m, a[k]);
    if (n->op == OP_MEMREAD)
        name_address(m, a[0]);
    if (n->op == OP_GET)
        must_be_net(m, a[0]);
    if (n->op == OP_GET && is_const(a[0])) { /* a table: Verilog takes no part of a literal */
        info_of(m, a[0])->is_net = true;
        info_of(m, a[0])->element = get_stride(n);
    }
}

/* One thing that the text needs: a node, lanes of a vector, or names for the operands of a row. */
struct want {
    struct node *node, *operands;
    const struct view *view;
    const char *feeds;
    bool whole; /* a node as it stands, not a slice of it */
};

/* What is wanted and not looked at yet, the next one last: a design is as deep as its C. */
struct needing {
    struct module *m;
    const char *feeds;
    enum section section;
    unsigned n;
};

static struct want *wanted;
static unsigned room;

static void want(struct needing *x, struct want w)
{
    w.feeds = x->feeds;
    PUSH_WORK(wanted, x->n, room, w);
}

static void want_node(void *context, struct node *n)
{
    want(context, (struct want){.node = n, .whole = true});
}

static void want_view(void *context, const struct view *view)
{
    want(context, (struct want){.view = view});
}

/* Operands that are the same in all lanes may need a name like those of one node. */
static void want_names(void *context, struct node *const *lane, unsigned n)
{
    (void)n;
    want(context, (struct want){.operands = lane[0]});
}

/* What came last from `from` on comes first. */
static void reverse(struct needing *x, unsigned from)
{
    for (unsigned i = from, k = x->n; i + 1 < k; i++) {
        struct want w = wanted[i];
        wanted[i] = wanted[--k];
        wanted[k] = w;
    }
}

static void about(void *context, const struct seq *s, unsigned n)
{
    struct needing *x = context;
    const struct target *t = first_target(s);
    (void)n;
    x->feeds = t->net ? target_name(x->m, t) : format("%s_d", target_name(x->m, t));
}

static struct row_visit needs(struct needing *x)
{
    return (struct row_visit){.context = x,
                              .node = want_node,
                              .view = want_view,
                              .operation = want_names,
                              .statement = about};
}

static void need_vector(struct needing *x, struct vector *v)
{
    unsigned from = x->n;
    if (v->needed)
        return;
    v->needed = true;
    v->section = x->section;
    for (unsigned i = 0; i < v->n; i++)
        if (info_of(x->m, v->lane[i])->vec == v)
            info_of(x->m, v->lane[i])->uses++;
    x->feeds = v->base;
    walk_vector(x->m, v, needs(x));
    reverse(x, from);
}

static void need_view(struct needing *x, const struct view *view)
{
    need_vector(x, view->vector);
    if (view->vector->chain || view->vector->section != x->section)
        return;
    for (unsigned i = 0; i < view->n; i++)
        view->vector->read[i] = true;
}

static void need_choice(struct needing *x, struct choice *c)
{
    unsigned from = x->n;
    if (c->done)
        return;
    c->done = true;
    for (unsigned i = 0; i < c->n; i++)
        info_of(x->m, c->net[i])->section = x->section;
    const struct row_visit v = needs(x);
    walk_choice(x->m, c, &v);
    reverse(x, from);
}

static void need_node(struct needing *x, struct node *n, const struct want *w)
{
    struct info *info = info_of(x->m, n);
    bool again = info->uses++ > 0;
    if (!again) {
        info->feeds = w->feeds;
        info->section = x->section;
        ask_for_names(x->m, n);
    }
    info->whole += w->whole && info->section == x->section;
    if (info->vec) {
        need_vector(x, info->vec);
        return;
    }
    if (info->choice) {
        need_choice(x, info->choice);
        return;
    }
    if (again && (!is_thin(n) || info->is_net))
        return;
    x->feeds = n->name && !is_leaf(n) ? identifier(n->name) : w->feeds;
    for (unsigned i = n->n_args; i-- > 0;)
        want(x, (struct want){.node = n->args[i], .whole = n->op != OP_SLICE});
}

static void need_all(struct needing *x)
{
    reverse(x, 0);
    while (x->n > 0) {
        struct want w = wanted[--x->n];
        if (w.node)
            need_node(x, w.node, &w);
        else if (w.view)
            need_view(x, w.view);
        else if (w.operands)
            ask_for_names(x->m, w.operands);
    }
}

static void need_whole(struct module *m, struct node *n, const char *feeds, enum section section)
{
    struct needing x = {.m = m, .feeds = feeds, .section = section};
    want_node(&x, n);
    need_all(&x);
}

static void need_row(struct module *m, struct node *const *lane, unsigned n, const char *feeds)
{
    struct needing x = {.m = m, .feeds = feeds, .section = IN_MODULE};
    const struct row_visit v = needs(&x);
    walk_row(m, lane, n, &v);
    need_all(&x);
}

/* ---- first count: as if every root were one expression --------------------------------------- */

static void count_root(void *context, struct node *n, enum root kind, const char *name)
{
    need_whole(context, n, name, kind == ROOT_CHECK ? IN_CHECKS : IN_MODULE);
}

static void forget_counts(struct module *m)
{
    for (unsigned i = 0; i < m->plan->n_info; i++) {
        struct info *info = m->plan->info[i];
        if (info)
            *info = (struct info){.net = info->net,
                                  .vec = info->vec,
                                  .slot = info->slot,
                                  .view = info->view,
                                  .arranged = info->arranged,
                                  .choice = info->choice,
                                  .labels = info->labels,
                                  .labels_known = info->labels_known};
    }
}

/* ---- second count: with registers in if/else trees ------------------------------------------- */

static void need_seq(struct module *m, const struct seq *s, unsigned n)
{
    struct needing x = {.m = m, .section = IN_MODULE};
    const struct row_visit v = needs(&x);
    walk_seq(m, s, n, &v);
    need_all(&x);
}

static void need_addresses(struct module *m)
{
    for (unsigned i = 0; i < m->self.n && m->reg; i++)
        name_address(m, m->reg[i].write.addr);
    for (unsigned i = 0; i < m->n_bram; i++)
        name_address(m, m->bram[i].addr);
}

static void count_rest(void *context, struct node *n, enum root kind, const char *name)
{
    if (kind == ROOT_MEMORY || kind == ROOT_RESULT)
        need_whole(context, n, name, IN_MODULE);
}

static void count_checks(struct module *m, bool covers)
{
    for (unsigned i = 0; i < m->n_check; i++)
        if ((m->check[i].kind == CHECK_COVER) == covers)
            need_whole(m, m->check[i].cond, "check", covers ? IN_COVERS : IN_CHECKS);
}

/* Ports of an instance array: a row over its elements if that can be written in a loop. */
static void need_port(struct module *m, unsigned k, unsigned i)
{
    const struct instance *inst = &m->inst[k];
    struct node *vec = m->inst_in[k][i];
    const char *name = format("%s_%s", inst->name, inst->module->in.leaf[i].name);
    if (m->plan->port_row[k][i]) {
        need_row(m, m->plan->port_row[k][i], inst->count, name);
        return;
    }
    if (inst->count > 1)
        must_be_net(m, vec);
    need_whole(m, vec, name, IN_MODULE);
}

static void need_ports(struct module *m)
{
    for (unsigned k = 0; k < m->n_inst; k++)
        for (unsigned i = 0; i < m->inst[k].module->in.n; i++)
            if (m->inst_in[k][i])
                need_port(m, k, i);
}

static void need_forwarded(struct module *m)
{
    for (unsigned i = 0; i < m->self.n; i++)
        if (m->reg[i].forwarded)
            need_whole(m, m->reg[i].next, m->self.leaf[i].name, IN_MODULE);
}

void count_expressions(struct module *m)
{
    each_root(m, count_root, m);
}

void count_text(struct module *m)
{
    forget_counts(m);
    for (unsigned i = 0; i < m->plan->n_blocks; i++)
        for (unsigned k = 0; k < m->plan->block[i].n_loops; k++)
            need_seq(m, m->plan->block[i].loop[k].body, m->plan->block[i].loop[k].n);
    if (!m->keep)
        need_forwarded(m);
    need_addresses(m);
    need_ports(m);
    each_root(m, count_rest, m);
    count_checks(m, false);
    count_checks(m, true);
}
