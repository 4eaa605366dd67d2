// SPDX-License-Identifier: Apache-2.0
/*
 * emit_seq.c - the clocked blocks: reset values, then the if/else trees of seq.c.
 */
#include "emit.h"

#include <string.h>

struct clocked {
    struct text *t;
    struct module *m;
    unsigned n; /* lanes */
    const char *file;
    unsigned line; /* of the last origin comment */
};

static void statements(struct clocked *c, const struct seq *s, unsigned indent);

static const char *origin(struct clocked *c, struct loc loc)
{
    if (loc.file == NULL || (c->line == loc.line && c->file == loc.file))
        return NULL;
    c->line = loc.line;
    c->file = loc.file;
    return place(loc);
}

/* The bits of the register that the target means. */
static char *left_side(struct clocked *c, const struct target *t)
{
    const struct leaf *leaf = &c->m->self.leaf[t->leaf];
    const char *net = c->m->plan->reg[t->leaf];
    if (c->n == 1)
        return part(net, leaf_bits(leaf), t->low, t->width);
    const char *i = c->m->plan->loop;
    const char *low = t->low ? format(" + %u", t->low) : "";
    if (t->width == 1)
        return format("%s[%s%s]", net, i, low);
    return format("%s[%s * %u%s +: %u]", net, i, t->width, low, t->width);
}

/* if (index == i) element i <= value, the innermost change first */
static void set_elements(struct clocked *c, const struct target *t, const struct node *v,
                         unsigned indent)
{
    const char *i = c->m->plan->loop, *net = c->m->plan->reg[t->leaf];
    const struct node *index = v->args[1], *value = v->args[2];
    unsigned width = value->width, count = v->width / width;
    if (v->args[0]->op == OP_SET)
        set_elements(c, t, v->args[0], indent);
    char *to = width == 1 ? format("%s[%s]", net, i)
                          : format("%s[%s * %u +: %u]", net, i, width, width);
    put_line(c->t, indent, format("for (%s = 0; %s < %u; %s = %s + 1)", i, i, count, i, i),
             origin(c, v->loc));
    put_line(c->t, indent + 4,
             format("if (%s == %s[%u:0])" SOFT "%s <= %s;", scalar(c->m, v->args[1]), i,
                    index->width - 1, to, scalar(c->m, v->args[2])),
             NULL);
}

static void assignment(struct clocked *c, const struct target *t, unsigned indent)
{
    if (t->sets) {
        set_elements(c, t, t->value[0], indent);
        return;
    }
    struct scope s = {.m = c->m, .n = c->n, .tables = c->t, .indent = indent};
    put_line(c->t, indent,
             format("%s <= " ALIGN "%s;", left_side(c, t), expr(&s, t->value, 0)),
             origin(c, t->value[0]->loc));
}

static bool single(const struct seq *s)
{
    return s && s->next == NULL && s->cond == NULL && !s->assign.sets;
}

static void if_else(struct clocked *c, const struct seq *s, unsigned indent, const char *prefix)
{
    struct scope scope = {.m = c->m, .n = c->n, .tables = c->t, .indent = indent};
    const struct seq *yes = s->yes ? s->yes : s->no, *no = s->yes ? s->no : NULL;
    struct node **cond = s->cond;
    if (s->yes == NULL) {
        cond = arena(c->n * sizeof *cond);
        for (unsigned i = 0; i < c->n; i++)
            cond[i] = mk_not(&c->m->graph, s->cond[i]);
    }
    bool block = !single(yes) || no;
    put_line(c->t, indent,
             format("%sif (" ALIGN "%s)%s", prefix, expr(&scope, cond, 0), block ? " begin" : ""),
             origin(c, cond[0]->loc));
    statements(c, yes, indent + 4);
    if (no == NULL) {
        if (block)
            put_line(c->t, indent, "end", NULL);
    } else if (no->cond && no->next == NULL) {
        if_else(c, no, indent, "end else ");
    } else {
        put_line(c->t, indent, "end else begin", NULL);
        statements(c, no, indent + 4);
        put_line(c->t, indent, "end", NULL);
    }
}

static void statements(struct clocked *c, const struct seq *s, unsigned indent)
{
    for (; s; s = s->next) {
        if (s->cond)
            if_else(c, s, indent, "");
        else
            assignment(c, &s->assign, indent);
    }
}

static void reset_values(struct clocked *c)
{
    struct module *m = c->m;
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct reg_info *r = &m->reg[i];
        const struct leaf *leaf = &m->self.leaf[i];
        if (r->next == NULL || r->reset == NULL)
            continue;
        put_line(c->t, 12,
                 format("%s <= %s;", m->plan->reg[i],
                        constant(leaf_bits(leaf), r->reset, leaf->width)),
                 NULL);
    }
}

void emit_blocks(struct text *t, struct module *m)
{
    for (unsigned i = 0; i < m->plan->n_blocks; i++) {
        const struct block *b = &m->plan->block[i];
        struct clocked c = {.t = t, .m = m, .n = b->n};
        put(t, "\n");
        put_line(t, 4, "always @(posedge clk) begin", NULL);
        if (b->reset) {
            put_line(t, 8, "if (rst) begin", NULL);
            reset_values(&c);
            if (b->body) {
                put_line(t, 8, "end else begin", NULL);
                statements(&c, b->body, 12);
            }
            put_line(t, 8, "end", NULL);
        } else {
            statements(&c, b->body, 8);
        }
        put_line(t, 4, "end", NULL);
    }
}
