// SPDX-License-Identifier: Apache-2.0
/*
 * emit_net.c - the wires: one declaration with its expression each, and loops for vectors.
 *
 * Wires come in the order of the C, each after what it uses.
 */
#include "emit.h"

struct order {
    struct module *m;
    struct text *t;
    bool checks;     /* those that only checks need */
    bool *done;      /* by node id */
    unsigned n;
    unsigned last_line;
};

static void visit(struct order *o, struct node *n);

static void visit_args(struct order *o, const struct node *n)
{
    for (unsigned i = 0; i < n->n_args; i++)
        visit(o, n->args[i]);
}

/* file:line, unless the wire above came from there too */
static const char *origin(struct order *o, struct loc loc)
{
    if (loc.line == o->last_line)
        return NULL;
    o->last_line = loc.line;
    return place(loc);
}

const char *loop_head(struct plan *p, bool generate, unsigned n)
{
    p->loop = generate ? p->genvar : p->integer;
    p->uses_genvar |= generate;
    p->uses_integer |= !generate;
    return format("for (%s = 0; %s < %u; %s = %s + 1)", p->loop, p->loop, n, p->loop, p->loop);
}

/* ---- what takes more than an expression -------------------------------------------------------------- */

static void emit_call(struct order *o, struct node *n)
{
    struct module *m = o->m;
    struct text line = {0};
    put_line(o->t, 4, format("wire %s%s;", range(n->width), n->net), origin(o, n->loc));
    put(&line, "%s %s (", n->keep->name,
        unique_name(m->plan, format("%s_%s", n->net, n->keep->name)));
    for (unsigned i = 0; i < n->n_args; i++)
        put(&line, ".%s(%s)," SOFT, n->keep->in.leaf[i].name, scalar(m, n->args[i]));
    put(&line, ".result(%s));", n->net);
    put_line(o->t, 4, line.s, NULL);
}

static void emit_table(struct order *o, const struct node *n)
{
    put_line(o->t, 4,
             format("localparam %s%s = " ALIGN "%s;", range(n->width), n->net,
                    constant(n->width, n, info_of(o->m, n)->element)),
             origin(o, n->loc));
}

/* An element of a vector replaced: every element takes the new value or stays. */
static void emit_set(struct order *o, struct node *n)
{
    struct module *m = o->m;
    struct node *vec = n->args[0], *index = n->args[1], *value = n->args[2];
    unsigned width = value->width, count = vec->width / width;
    const char *old = scalar(m, vec);
    put_line(o->t, 4, format("reg %s%s;", range(n->width), n->net), origin(o, n->loc));
    put_line(o->t, 4, "always @* begin", NULL);
    put_line(o->t, 8, format("%s = %s;", n->net, old), NULL);
    put_line(o->t, 8, loop_head(m->plan, false, count), NULL);
    const char *i = m->plan->loop;
    char *to = width == 1 ? format("%s[%s]", n->net, i)
                          : format("%s[%s * %u +: %u]", n->net, i, width, width);
    put_line(o->t, 12,
             format("if (%s == %s[%u:0])" SOFT "%s = %s;", scalar(m, index), i, index->width - 1,
                    to, scalar(m, value)),
             NULL);
    put_line(o->t, 4, "end", NULL);
}

static void emit_wire(struct order *o, struct node *n)
{
    struct module *m = o->m;
    const char *net = n->net;
    n->net = NULL; /* print what it is, not its name */
    struct scope s = {.m = m, .n = 1};
    char *text = expr(&s, &n, 0);
    n->net = net;
    put_line(o->t, 4, format("wire %s%s = " ALIGN "%s;", range(n->width), net, text),
             origin(o, n->loc));
}

/* ---- loops ---------------------------------------------------------------------------------------------- */

static void emit_vector(struct order *o, struct vector *v)
{
    struct module *m = o->m;
    const char *head = loop_head(m->plan, true, v->n), *i = m->plan->loop;
    struct scope s = {.m = m, .n = v->n, .tables = o->t, .target = v->net, .indent = 4};
    for (unsigned k = 0; k < v->n; k++)
        info_of(m, v->lane[k])->vec = NULL;
    put_line(o->t, 4, format("wire %s%s;", range(v->n * v->width), v->net), origin(o, v->loc));
    char *text = expr(&s, v->lane, 0);
    for (unsigned k = 0; k < v->n; k++)
        info_of(m, v->lane[k])->vec = v;
    put_line(o->t, 4, format("%s begin : g_%s", head, v->net), NULL);
    char *to = v->width == 1 ? format("%s[%s]", v->net, i)
                             : format("%s[%s * %u +: %u]", v->net, i, v->width, v->width);
    put_line(o->t, 8, format("assign %s = " ALIGN "%s;", to, text), NULL);
    put_line(o->t, 4, "end", NULL);
}

/* ---- order ------------------------------------------------------------------------------------------------ */

static void visit_vector(struct order *o, struct vector *v)
{
    for (unsigned i = 0; i < v->n; i++) {
        o->done[v->lane[i]->id] = true;
        visit_args(o, v->lane[i]);
    }
    if (info_of(o->m, v->lane[0])->checks_only == o->checks)
        emit_vector(o, v);
}

static void visit(struct order *o, struct node *n)
{
    struct info *info = info_of(o->m, n);
    if (n->id >= o->n || o->done[n->id])
        return;
    if (info->vec) {
        visit_vector(o, info->vec);
        return;
    }
    o->done[n->id] = true;
    visit_args(o, n);
    if (!info->is_net || info->checks_only != o->checks)
        return;
    if (n->op == OP_CALL)
        emit_call(o, n);
    else if (n->op == OP_SET)
        emit_set(o, n);
    else if (is_const(n))
        emit_table(o, n);
    else
        emit_wire(o, n);
}

void emit_nets(struct text *t, struct module *m, bool checks)
{
    struct order o = {.m = m, .t = t, .checks = checks, .n = m->graph.n};
    o.done = arena(o.n * sizeof *o.done);
    for (unsigned i = 0; i < o.n; i++)
        if (info_of(m, m->graph.node[i])->uses)
            visit(&o, m->graph.node[i]);
}
