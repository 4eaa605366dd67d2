// SPDX-License-Identifier: Apache-2.0
/*
 * emit_seq.c - statements: the clocked blocks, reset values first, and the blocks of nets that are chosen by cases.
 */
#include "emit/emit.h"
#include "graph/graph.h"

#include <string.h>

struct clocked {
    struct text *t;
    struct module *m;
    const struct block *block; /* NULL: of a choice */
    unsigned n;                /* lanes */
    const char *sign;          /* of an assignment */
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

static struct scope scope_of(const struct clocked *c)
{
    return (struct scope){.m = c->m, .n = c->n, .owner = c->block};
}

/* The net, or the bits of the register that the target means. */
static char *left_side(struct clocked *c, const struct target *t)
{
    if (t->net)
        return format("%s", net_of(c->m, t->net));
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
    const struct node **set = NULL;
    unsigned n = 0;
    for (; v->op == OP_SET; v = v->args[0])
        PUSH(set, n, v);
    while (n-- > 0) {
        char *body, *head = element_loop(c->m, set[n], c->m->plan->reg[t->leaf], "<=", &body);
        put_line(c->t, indent, head, origin(c, set[n]->loc));
        put_line(c->t, indent + 4, body, NULL);
    }
}

/* An if that does nothing but hold another if. */
static const struct seq *inner_if(const struct seq *s)
{
    const struct seq *body = s->yes;
    return s->no || body->next || body->cond == NULL || body->no ? NULL : body;
}

static char *condition(struct clocked *c, const struct seq **s)
{
    struct scope scope = scope_of(c);
    const struct seq *inner = inner_if(*s);
    if (inner == NULL)
        return expr(&scope, (*s)->cond, ANY);
    struct text t = {0};
    put(&t, "%s", expr(&scope, (*s)->cond, AND_AND));
    for (; inner; inner = inner_if(*s)) {
        *s = inner;
        put(&t, " &&" SOFT "%s", expr(&scope, (*s)->cond, AND_AND));
    }
    return t.s;
}

static char *assign_text(struct clocked *c, const struct target *t)
{
    struct scope s = scope_of(c);
    s.labels = target_enumeration(c->m, t);
    s.user = t->choice;
    const char *value = expr(&s, t->value, 0);
    if (!t->net && c->n == 1 && t->width == leaf_bits(&c->m->self.leaf[t->leaf]))
        value = typed_value(c->m, t->leaf, value);
    return format("%s %s " ALIGN "%s;", left_side(c, t), c->sign, value);
}

static void assignment(struct clocked *c, const struct target *t, unsigned indent)
{
    if (t->sets) {
        set_elements(c, t, t->value[0], indent);
        return;
    }
    put_line(c->t, indent, assign_text(c, t), origin(c, t->value[0]->loc));
}

static bool single(const struct seq *s)
{
    return s && s->next == NULL && is_assignment(s) && !s->assign.sets;
}

/* One assignment in every branch: each on a row if it fits. */
static bool short_chain(struct clocked *c, const struct seq *s, unsigned indent)
{
    const char *prefix = "";
    struct text rows = {0};
    for (;; s = s->no, prefix = "else ") {
        char *cond = condition(c, &s);
        const struct seq *yes = s->yes, *no = s->no;
        if (!single(yes))
            return false;
        char *row = format("%sif (%s) %s", prefix, cond, assign_text(c, &yes->assign));
        if (flat_length(row) + indent > 100)
            return false;
        put_line(&rows, indent, row, place(yes->assign.value[0]->loc));
        if (no == NULL)
            break;
        if (no->next)
            return false;
        if (no->selector)
            return false;
        if (no->cond == NULL) {
            row = single(no) ? format("else %s", assign_text(c, &no->assign)) : NULL;
            if (row == NULL || flat_length(row) + indent > 100)
                return false;
            put_line(&rows, indent, row, place(no->assign.value[0]->loc));
            break;
        }
    }
    put(c->t, "%s", rows.s);
    return true;
}

static void if_else(struct clocked *c, const struct seq *s, unsigned indent)
{
    if (short_chain(c, s, indent))
        return;
    for (const char *prefix = "";; prefix = "end else ") {
        const char *at = origin(c, s->loc);
        char *cond = condition(c, &s);
        const struct seq *yes = s->yes, *no = s->no;
        put_line(c->t, indent, format("%sif (" ALIGN "%s) begin", prefix, cond), at);
        statements(c, yes, indent + 4);
        if (no && no->cond && no->next == NULL) {
            s = no;
            continue;
        }
        if (no) {
            put_line(c->t, indent, "end else begin", NULL);
            statements(c, no, indent + 4);
        }
        break;
    }
    put_line(c->t, indent, "end", NULL);
}

/* An if with one assignment and no else. */
static bool single_if(const struct seq *s)
{
    return s->next == NULL && s->cond && !s->no && single(s->yes);
}

static char *if_text(struct clocked *c, const struct seq **s)
{
    char *cond = condition(c, s);
    return format("if (%s) %s", cond, assign_text(c, first_target(*s)));
}

static void case_arm(struct clocked *c, const char *items, const struct seq *body, unsigned indent,
                     const char *comment)
{
    if (body == NULL) {
        put_line(c->t, indent, format("%s: ;", items), comment);
        return;
    }
    char *row = NULL;
    if (single(body))
        row = format("%s: %s", items, assign_text(c, &body->assign));
    else if (single_if(body))
        row = format("%s: %s", items, if_text(c, &body));
    if (row && flat_length(row) + indent <= 100) {
        const char *at = origin(c, first_target(body)->value[0]->loc);
        put_line(c->t, indent, row, comment ? comment : at);
        return;
    }
    put_line(c->t, indent, format("%s: begin", items), comment);
    statements(c, body, indent + 4);
    put_line(c->t, indent, "end", NULL);
}

static const char *case_item(struct module *m, const struct enumeration *labels,
                             const struct node *test)
{
    const struct node *value = test->args[1];
    const char *label = label_of(m->plan, labels, value);
    label = label ? label : constant_name(m, test, value);
    return label ? label : constant(value);
}

/* The states of a process that have no arm of their own, for the comment of the last one. */
static const char *other_states(struct module *m, const struct seq *s)
{
    const struct enumeration *e =
        names_states(m, s->selector) ? enumeration_of(m, s->selector) : NULL;
    struct text names = {0};
    for (unsigned v = 0; e && v < e->n; v++) {
        bool known = false;
        for (unsigned i = 0; i < s->n_arms; i++)
            for (unsigned k = 0; k < s->arm[i].n; k++)
                known |= is_value(s->arm[i].test[k]->args[1], e->value[v]);
        if (!known)
            put(&names, "%s%s", names.n ? ", " : "", e->label[v]);
    }
    return names.s;
}

static void case_of(struct clocked *c, const struct seq *s, unsigned indent)
{
    const struct enumeration *labels = enumeration_of(c->m, s->selector);
    put_line(c->t, indent, format("case (%s)", scalar(c->m, s->selector)), NULL);
    for (unsigned i = 0; i < s->n_arms; i++) {
        struct text items = {0};
        for (unsigned k = 0; k < s->arm[i].n; k++)
            put(&items, "%s%s", k ? COMMA : "", case_item(c->m, labels, s->arm[i].test[k]));
        bool other = s->arm[i].n == 0;
        case_arm(c, other ? "default" : items.s, s->arm[i].body, indent + 4,
                 other ? other_states(c->m, s) : NULL);
    }
    put_line(c->t, indent, "endcase", NULL);
}

static void statements(struct clocked *c, const struct seq *s, unsigned indent)
{
    for (; s; s = s->next) {
        if (s->selector)
            case_of(c, s, indent);
        else if (s->cond)
            if_else(c, s, indent);
        else
            assignment(c, &s->assign, indent);
    }
}

void emit_choice(struct text *t, struct module *m, const struct choice *choice, unsigned indent)
{
    struct clocked c = {.t = t, .m = m, .n = 1, .sign = "="};
    for (unsigned i = 0; i < choice->n; i++)
        if (choice->hold[i])
            put_line(
                t, indent,
                format("%s = " ALIGN "%s;", net_of(m, choice->net[i]), scalar(m, choice->hold[i])),
                NULL);
    statements(&c, choice->body, indent);
}

/* Statements, as many in a row as fit. */
static const char *reset_values(struct module *m, unsigned subject, unsigned *n)
{
    struct text line = {0};
    put(&line, ALIGN);
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct reg_info *r = &m->reg[i];
        const struct leaf *leaf = &m->self.leaf[i];
        if (r->next == NULL || r->forwarded || r->reset == NULL || subject_of_leaf(m, i) != subject)
            continue;
        const char *label = reset_name(m, i);
        put(&line, "%s%s <= %s;", line.n > 1 ? NEXT : "", m->plan->reg[i],
            typed_value(m, i,
                        label ? label : literal(leaf_bits(leaf), r->reset->bits, leaf->width)));
        ++*n;
    }
    return line.s;
}

/* The statements without a loop, then a loop for each number of lanes. */
static void emit_loops(struct text *t, struct module *m, const struct block *b, unsigned indent)
{
    for (unsigned i = 0; i < b->n_loops; i++) {
        unsigned n = b->loop[i].n;
        struct clocked c = {.t = t, .m = m, .block = b, .n = n, .sign = "<="};
        if (n > 1) {
            bool block = b->loop[i].body->next;
            put_line(t, indent, format("%s%s", loop_head(m->plan, false, n), block ? " begin" : ""),
                     NULL);
            statements(&c, b->loop[i].body, indent + 4);
            if (block)
                put_line(t, indent, "end", NULL);
        } else {
            statements(&c, b->loop[i].body, indent);
        }
    }
}

/* One register that gets one value: if and else, a row each. */
static bool short_reset(struct text *t, struct module *m, const struct block *b)
{
    unsigned n = 0;
    const char *values = reset_values(m, b->subject, &n);
    if (b->loops || b->n_loops != 1 || !single(b->loop[0].body) || n > 1 ||
        flat_length(values) > 80)
        return false;
    struct clocked c = {.t = t, .m = m, .block = b, .n = 1, .sign = "<="};
    const struct target *to = &b->loop[0].body->assign;
    put_line(t, 8, format("if (rst) %s", values + 1), NULL);
    put_line(t, 8, format("else %s", assign_text(&c, to)), origin(&c, to->value[0]->loc));
    return true;
}

void emit_block(struct text *t, struct module *m, const struct block *b)
{
    struct text rows = {0}, tables = {0};
    unsigned n = 0;
    emit_loops(&rows, m, b, 12);
    emit_tables(&tables, m->plan, b);
    if (!b->reset && !rows.n)
        return;
    if (tables.n)
        put(t, "\n%s", tables.s);
    put(t, "\n");
    if (b->loops)
        begin_loops(t, m->plan, 4, "always @(posedge clk)", b->name);
    else
        put_line(t, 4, "always @(posedge clk)", NULL);
    if (b->reset && !short_reset(t, m, b)) {
        put_line(t, 8, "if (rst) begin", NULL);
        put_line(t, 12, reset_values(m, b->subject, &n), NULL);
        if (rows.n)
            put(t, "        end else begin\n%s", rows.s);
        put_line(t, 8, "end", NULL);
    } else if (!b->reset) {
        put(t, "        if (!rst) begin\n%s        end\n", rows.s);
    }
    if (b->loops)
        put_line(t, 4, "end", NULL);
}
