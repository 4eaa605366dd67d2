// SPDX-License-Identifier: Apache-2.0
/*
 * emit_net.c - the wires: one declaration with its expression each, and loops for vectors.
 *
 * Wires come in the order of the C, each after what it uses.
 */
#include "emit/emit.h"
#include "graph/graph.h"

struct order {
    struct module *m;
    struct text *t;
    struct text *declared; /* in a function: its variables; else NULL */
    struct text *tables;
    enum section section;
    bool *done; /* by node id */
    bool *done_vector;
    unsigned n;
    struct open { /* generate loop, written when something else comes */
        unsigned n;
        struct text body;
    } open;
    unsigned last_line;
    unsigned indent; /* of statements */
    unsigned n_work; /* in `work`, the next one last */
};

/* A node or vector to write down after what it uses; or one of which all of that is written. */
struct work {
    struct node *node;
    struct vector *vector;
    const struct choice *choice;
    bool ready;
};

static struct work *work;
static unsigned work_room;

static void close_loop(struct order *o)
{
    if (o->open.n)
        put(o->t, "%s    end\n", o->open.body.s);
    o->open = (struct open){0};
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
    return format("for (%s = 0; %s < %u; %s = %s + 1)", p->loop, p->loop, n, p->loop, p->loop);
}

const char *chain_head(struct plan *p, const struct vector *v)
{
    if (!v->down)
        return loop_head(p, false, v->n);
    p->loop = p->integer;
    return format("for (%s = %u; %s >= 0; %s = %s - 1)", p->loop, v->n - 1, p->loop, p->loop,
                  p->loop);
}

/* The head of a block in which there are loops; `indent` is that of the block. */
void begin_loops(struct text *t, const struct plan *p, unsigned indent, const char *head,
                 const char *block)
{
    put_line(t, indent, format("%s begin : %s", head, block), NULL);
    put_line(t, indent + 4, format("integer %s;", p->integer), NULL);
}

/* A net that a loop assigns: in a module in a block of its own, in a function as a variable. */
static void begin_always(struct order *o, unsigned width, const char *net, const char *block,
                         struct loc loc)
{
    if (o->declared) {
        put_line(o->declared, 8, format("reg %s%s;", range(width), net), NULL);
        return;
    }
    put_line(o->t, 4, format("reg %s%s;", range(width), net), origin(o, loc));
    begin_loops(o->t, o->m->plan, 4, "always @*", block);
}

static void end_always(struct order *o)
{
    if (!o->declared)
        put_line(o->t, 4, "end", NULL);
}

/* ---- what takes more than an expression ------------------------------------------------------ */

static void emit_call(struct order *o, struct node *n)
{
    struct module *m = o->m;
    struct text line = {0};
    put_line(o->t, 4, format("wire %s%s;", range(n->width), net_of(m, n)), origin(o, n->loc));
    put(&line, "%s %s (", n->keep->verilog, info_of(m, n)->cell);
    for (unsigned i = 0; i < n->n_args; i++)
        put(&line, ".%s(%s)," SOFT, n->keep->in.leaf[i].name, scalar(m, n->args[i]));
    put(&line, ".result(%s));", net_of(m, n));
    put_line(o->t, 4, line.s, NULL);
}

static void emit_table(struct order *o, const struct node *n)
{
    put_line(o->tables, 4,
             format("localparam %s%s = " ALIGN "%s;", range(n->width), net_of(o->m, n),
                    literal(n->width, n->bits, info_of(o->m, n)->element)),
             origin(o, n->loc));
}

/* Elements that an index of few bits can name, of `count`. */
static unsigned reached(const struct node *index, unsigned count)
{
    return index->width < 32 && 1u << index->width < count ? 1u << index->width : count;
}

char *element_loop(struct module *m, const struct node *set, const char *net, const char *sign,
                   char **body)
{
    struct node *index = set->args[1], *value = set->args[2];
    unsigned width = value->width, count = reached(index, set->width / width);
    char *head = format("%s", loop_head(m->plan, false, count));
    const char *k = m->plan->loop;
    char *number = index->width == 1 ? format("%s[0]", k) : format("%s[%u:0]", k, index->width - 1);
    if (index->width > 31) /* an integer has no more bits: beyond them Icarus reads x */
        number = format("{%u'd0, %s[30:0]}", index->width - 31, k);
    char *to =
        width == 1 ? format("%s[%s]", net, k) : format("%s[%s * %u +: %u]", net, k, width, width);
    *body = format("if (%s == %s)" CHAIN "%s %s %s;", scalar(m, index), number, to, sign,
                   scalar(m, value));
    return head;
}

/* An element of a vector replaced: every element takes the new value or stays. */
static void emit_set(struct order *o, struct node *n)
{
    struct module *m = o->m;
    const char *net = net_of(m, n);
    char *body, *head = element_loop(m, n, net, "=", &body);
    begin_always(o, n->width, net, info_of(m, n)->block, n->loc);
    put_line(o->t, o->indent, format("%s = " ALIGN "%s;", net, scalar(m, n->args[0])), NULL);
    put_line(o->t, o->indent, head, NULL);
    put_line(o->t, o->indent + 4, body, NULL);
    end_always(o);
}

static void emit_wire(struct order *o, struct node *n)
{
    struct module *m = o->m;
    struct scope s = {.m = m, .n = 1, .labels = enumeration_of(m, n)};
    const char *text = row_text(&s, &n), *net = net_of(m, n);
    if (o->declared) {
        put_line(o->declared, 8, format("reg %s%s;", range(n->width), net), NULL);
        put_line(o->t, 12, format("%s = " ALIGN "%s;", net, text), origin(o, n->loc));
        return;
    }
    put_line(o->t, 4, format("wire %s%s = " ALIGN "%s;", range(n->width), net, text),
             origin(o, n->loc));
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* The lanes' own text, not the slots that they are. */
static char *body(struct order *o, struct vector *v)
{
    struct scope s = {.m = o->m, .n = v->n, .owner = v, .labels = enumeration_of(o->m, v->lane[0])};
    emit_tables(o->tables, o->m->plan, v);
    return row_text(&s, v->lane);
}

static char *slot(const struct vector *v, const char *index)
{
    return v->width == 1 ? format("%s[%s]", v->net, index)
                         : format("%s[%s * %u +: %u]", v->net, index, v->width, v->width);
}

static void emit_row_statement(struct order *o, struct vector *v)
{
    struct module *m = o->m;
    const char *head = loop_head(m->plan, false, v->n);
    char *text = body(o, v);
    put_line(o->declared, 8, format("reg %s%s;", range(v->slots * v->width), v->net), NULL);
    put_line(o->t, o->indent, head, origin(o, v->loc));
    put_line(o->t, o->indent + 4, format("%s = " ALIGN "%s;", slot(v, m->plan->loop), text), NULL);
}

/* A generate loop stays open for the next vector of as many lanes. */
static void emit_row(struct order *o, struct vector *v)
{
    struct module *m = o->m;
    if (o->declared) {
        emit_row_statement(o, v);
        return;
    }
    if (o->open.n && o->open.n != v->n)
        close_loop(o);
    const char *head = loop_head(m->plan, true, v->n), *at = origin(o, v->loc);
    if (o->open.n == 0)
        put_line(&o->open.body, 4, format("%s begin : g_%s", head, v->net), NULL);
    o->open.n = v->n;
    char *text = body(o, v);
    put_line(o->t, 4, format("wire %s%s;", range(v->slots * v->width), v->net), at);
    put_line(&o->open.body, 8, format("assign %s = " ALIGN "%s;", slot(v, m->plan->loop), text),
             NULL);
}

static void emit_chain(struct order *o, struct vector *v)
{
    struct module *m = o->m;
    struct update u;
    const char *head = chain_head(m->plan, v);
    struct scope s = {.m = m, .n = v->n, .down = v->down, .owner = v};
    emit_tables(o->tables, m->plan, v);
    char *text;
    if (vector_update(m, v, &u))
        text = format("if (%s%s)" CHAIN "%s = %s;", u.negated ? "!" : "",
                      expr(&s, u.cond, u.negated ? PRIMARY : ANY), v->net, expr(&s, u.value, ANY));
    else
        text = format("%s = " ALIGN "%s;", v->net, row_text(&s, v->lane));
    begin_always(o, v->width, v->net, v->block, v->loc);
    put_line(o->t, o->indent, format("%s = " ALIGN "%s;", v->net, scalar(m, v->init)), NULL);
    put_line(o->t, o->indent, head, NULL);
    put_line(o->t, o->indent + 4, text, NULL);
    end_always(o);
}

/* ---- order ----------------------------------------------------------------------------------- */

static void push(struct order *o, struct work w)
{
    PUSH_WORK(work, o->n_work, work_room, w);
}

static void push_node(void *context, struct node *n)
{
    push(context, (struct work){.node = n});
}

static void push_view(void *context, const struct view *view)
{
    push(context, (struct work){.vector = view->vector});
}

/* Of what was pushed last. */
static void first_comes_first(const struct order *o, unsigned from)
{
    for (unsigned i = from, k = o->n_work; i + 1 < k; i++) {
        struct work w = work[i];
        work[i] = work[--k];
        work[k] = w;
    }
}

static void visit_vector(struct order *o, struct vector *v)
{
    if (o->done_vector[v->number])
        return;
    o->done_vector[v->number] = true;
    push(o, (struct work){.vector = v, .ready = true});
    unsigned from = o->n_work;
    walk_vector(o->m, v, (struct row_visit){.context = o, .node = push_node, .view = push_view});
    first_comes_first(o, from);
}

static void visit_choice(struct order *o, const struct choice *c)
{
    for (unsigned i = 0; i < c->n; i++)
        o->done[c->net[i]->id] = true;
    push(o, (struct work){.choice = c, .ready = true});
    unsigned from = o->n_work;
    walk_choice(o->m, c, &(struct row_visit){.context = o, .node = push_node, .view = push_view});
    first_comes_first(o, from);
}

static void visit(struct order *o, struct node *n)
{
    struct info *info = info_of(o->m, n);
    if (n->id >= o->n || o->done[n->id])
        return;
    if (info->choice) {
        visit_choice(o, info->choice);
        return;
    }
    if (info->vec) {
        visit_vector(o, info->vec);
        return;
    }
    o->done[n->id] = true;
    push(o, (struct work){.node = n, .ready = true});
    for (unsigned i = n->n_args; i-- > 0;)
        push_node(o, n->args[i]);
}

/* Lanes that are the inverse of what has a name: the inverse of these side by side; or NULL. */
static char *inverse_of_named(struct module *m, const struct vector *v)
{
    struct node **part = arena(v->n * sizeof *part);
    struct ref r;
    for (unsigned i = 0; i < v->n; i++) {
        struct node *n = v->lane[v->n - 1 - i];
        if (n->op != OP_NOT || info_of(m, n)->vec != v || !node_ref(m, n->args[0], &r))
            return NULL;
        part[i] = n->args[0];
    }
    return format("~%s", named_parts(m, part, v->n));
}

static char *side_by_side(struct module *m, const struct vector *v)
{
    struct text line = {0};
    struct scope s = {.m = m, .n = 1};
    for (unsigned i = v->n; i-- > 0;)
        put(&line, "%s%s",
            info_of(m, v->lane[i])->vec == v ? row_text(&s, &v->lane[i]) : scalar(m, v->lane[i]),
            i ? COMMA : "");
    return format("{%s}", line.s);
}

static void emit_gathered(struct order *o, const struct vector *v)
{
    char *inverse = inverse_of_named(o->m, v);
    const char *width = range(v->n * v->width);
    if (o->declared)
        put_line(o->declared, 8, format("reg %s%s;", width, v->net), NULL);
    put_line(o->t, o->declared ? 12 : 4,
             format("%s%s = " ALIGN "%s;", o->declared ? "" : format("wire %s", width), v->net,
                    inverse ? inverse : side_by_side(o->m, v)),
             origin(o, v->loc));
}

static void write_vector(struct order *o, struct vector *v)
{
    if (!v->needed || v->section != o->section)
        return;
    if (v->chain || v->gathered) {
        close_loop(o);
        if (v->chain)
            emit_chain(o, v);
        else
            emit_gathered(o, v);
    } else {
        emit_row(o, v);
    }
}

static void write_node(struct order *o, struct node *n)
{
    const struct info *info = info_of(o->m, n);
    if (!info->is_net || info->section != o->section)
        return;
    close_loop(o);
    if (n->op == OP_CALL && !n->keep->function)
        emit_call(o, n);
    else if (n->op == OP_SET)
        emit_set(o, n);
    else if (is_const(n))
        emit_table(o, n);
    else
        emit_wire(o, n);
}

static bool is_one_case(const struct choice *c)
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->hold[i])
            return false;
    return c->body->selector && c->body->next == NULL;
}

static void write_choice(struct order *o, const struct choice *c)
{
    const struct info *info = info_of(o->m, c->net[0]);
    struct text *t = o->declared ? o->declared : o->t;
    if (info->section != o->section)
        return;
    close_loop(o);
    for (unsigned i = 0; i < c->n; i++)
        put_line(t, o->declared ? 8 : 4,
                 format("reg %s%s;", range(c->net[i]->width), net_of(o->m, c->net[i])),
                 o->declared ? NULL : origin(o, c->net[i]->loc));
    bool block = !is_one_case(c);
    if (!o->declared)
        put_line(o->t, 4, format("always @*%s", block ? " begin" : ""), NULL);
    emit_choice(o->t, o->m, c, o->indent);
    if (block)
        end_always(o);
}

static void do_work(struct order *o, struct work w)
{
    if (w.vector && w.ready)
        write_vector(o, w.vector);
    else if (w.vector)
        visit_vector(o, w.vector);
    else if (w.choice)
        write_choice(o, w.choice);
    else if (w.ready)
        write_node(o, w.node);
    else
        visit(o, w.node);
}

static void do_all(struct order *o)
{
    while (o->n_work > 0)
        do_work(o, work[--o->n_work]);
}

static void begin(struct order *o)
{
    o->n = o->m->graph.n;
    o->done = scratch((o->n + 1) * sizeof *o->done);
    o->done_vector = scratch(o->m->plan->n_vectors + 1);
}

static void emit_all_nets(struct order *o)
{
    for (unsigned i = 0; i < o->n; i++)
        if (is_needed(o->m, o->m->graph.node[i])) {
            visit(o, o->m->graph.node[i]);
            do_all(o);
        }
    /* What only the ports of an instance array read, and no node. */
    for (unsigned i = 0; i < o->m->plan->n_vectors; i++)
        if (o->m->plan->vector[i]->needed && !o->done_vector[i]) {
            visit_vector(o, o->m->plan->vector[i]);
            do_all(o);
        }
    close_loop(o);
}

struct order *nets_begin(struct module *m)
{
    struct order *o = arena(sizeof *o);
    *o = (struct order){.m = m, .section = IN_MODULE, .indent = 8};
    begin(o);
    return o;
}

void nets_of_node(struct order *o, struct text *t, struct node *n)
{
    o->t = o->tables = t;
    visit(o, n);
    do_all(o);
    close_loop(o);
}

void nets_of_statements(struct order *o, struct text *t, const struct seq *s, unsigned n)
{
    unsigned from = o->n_work;
    o->t = o->tables = t;
    walk_seq(o->m, s, n, &(struct row_visit){.context = o, .node = push_node, .view = push_view});
    first_comes_first(o, from);
    do_all(o);
    close_loop(o);
}

void nets_of_rest(struct order *o, struct text *t)
{
    o->t = o->tables = t;
    emit_all_nets(o);
}

void emit_nets(struct text *t, struct module *m, enum section section)
{
    struct order o = {.m = m, .t = t, .tables = t, .section = section, .indent = 8};
    begin(&o);
    emit_all_nets(&o);
}

void emit_statements(struct text *t, struct module *m, struct text *declared, struct text *tables)
{
    struct order o = {.m = m, .t = t, .declared = declared, .tables = tables, .indent = 12};
    begin(&o);
    emit_all_nets(&o);
}
