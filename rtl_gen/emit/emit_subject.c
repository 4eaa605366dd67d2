// SPDX-License-Identifier: Apache-2.0
/*
 * emit_subject.c - the sections of a module: a heading, its nets, its clocked blocks, the ports of its memories.
 *
 * First come the nets that the module's function makes of ports and registers alone; then the functions that it calls; then
 * what it makes of their results. A net of a later section that cannot wait stands where it is needed first: Verilog wants
 * a declaration before its use.
 */
#include "emit/emit.h"
#include "graph/graph.h"

#define HEADING_COLUMNS 96

struct sections {
    struct module *m;
    struct order *nets;
};

/* ---- what needs what ------------------------------------------------------------------------- */

/* Nodes that are still to be looked at for one section, and which of all were. */
struct needing {
    struct module *m;
    struct subject *of;
    unsigned number;
    bool *seen;
    struct node **open;
    unsigned n;
};

static void look(void *context, struct node *n)
{
    struct needing *x = context;
    if (n->id >= x->m->graph.n || x->seen[n->id])
        return;
    x->seen[n->id] = true;
    PUSH_SCRATCH(x->open, x->n, n);
}

static void look_at_view(void *context, const struct view *view)
{
    for (unsigned i = 0; i < view->n; i++)
        look(context, view->lane[i]);
}

static void look_at_inside(struct needing *x, const struct node *n)
{
    const struct info *info = info_found(x->m, n);
    const struct choice *c = info ? info->choice : NULL;
    for (unsigned i = 0; i < n->n_args; i++)
        look(x, n->args[i]);
    for (unsigned i = 0; c && i < c->n; i++)
        for (unsigned k = 0; k < c->net[i]->n_args; k++)
            look(x, c->net[i]->args[k]);
}

/* Through nets of its own, of the module's function, and without a name. */
static void follow(struct needing *x)
{
    while (x->n > 0) {
        struct node *n = x->open[--x->n];
        int subject = subject_of(x->m, n);
        if (subject > 0 && (unsigned)subject != x->number)
            x->of->needs[subject] = true;
        else
            look_at_inside(x, n);
    }
}

static void look_at_memory(struct needing *x, unsigned leaf)
{
    const struct reg_info *r = &x->m->reg[leaf];
    const struct bram_read *b = r->bram_read >= 0 ? &x->m->bram[r->bram_read] : NULL;
    struct node *const list[] = {r->write.enable, r->write.addr, r->write.data,
                                 b ? b->enable : NULL, b ? b->addr : NULL};
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i])
            look(x, list[i]);
}

static void find_needs(struct module *m, unsigned number)
{
    struct plan *p = m->plan;
    struct needing x = {m, &p->subject[number], number, scratch(m->graph.n + 1), NULL, 0};
    const struct row_visit v = {.context = &x, .node = look, .view = look_at_view};
    x.of->needs = arena(p->n_subjects);
    for (unsigned i = 0; i < m->graph.n; i++)
        if (subject_of(m, m->graph.node[i]) == (int)number)
            look(&x, m->graph.node[i]);
    for (unsigned i = 0; i < p->n_blocks; i++)
        for (unsigned k = 0; p->block[i].subject == number && k < p->block[i].n_loops; k++)
            walk_seq(m, p->block[i].loop[k].body, p->block[i].loop[k].n, &v);
    for (unsigned i = 0; i < m->self.n; i++)
        if (subject_of_leaf(m, i) == number)
            look_at_memory(&x, i);
    follow(&x);
}

/* The next section: the first one that needs none to come, or else the first. 0: all are printed. */
static unsigned next_subject(const struct plan *p)
{
    unsigned first = 0;
    for (unsigned i = 1; i < p->n_subjects; i++) {
        bool waits = false;
        if (p->subject[i].done)
            continue;
        first = first ? first : i;
        for (unsigned k = 1; k < p->n_subjects; k++)
            waits |= p->subject[i].needs[k] && !p->subject[k].done;
        if (!waits)
            return i;
    }
    return first;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void emit_memory(struct sections *s, struct text *nets, struct text *ports, unsigned leaf,
                        bool *follows)
{
    const struct reg_info *r = &s->m->reg[leaf];
    const struct bram_read *b = r->bram_read >= 0 ? &s->m->bram[r->bram_read] : NULL;
    struct node *const list[] = {r->write.enable, r->write.addr, r->write.data,
                                 b ? b->enable : NULL, b ? b->addr : NULL};
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i])
            nets_of_node(s->nets, nets, list[i]);
    emit_memory_ports(ports, s->m, leaf, follows);
}

/* Without its nets: all are printed that these are made of. */
static void emit_blocks(struct sections *s, struct text *nets, struct text *blocks, unsigned number)
{
    const struct plan *p = s->m->plan;
    for (unsigned i = 0; i < p->n_blocks; i++) {
        const struct block *b = &p->block[i];
        if (b->subject != number)
            continue;
        for (unsigned k = 0; k < b->n_loops; k++)
            nets_of_statements(s->nets, nets, b->loop[k].body, b->loop[k].n);
        emit_block(blocks, s->m, b);
    }
    bool follows = false;
    for (unsigned i = 0; i < s->m->self.n; i++)
        if (subject_of_leaf(s->m, i) == number)
            emit_memory(s, nets, blocks, i, &follows);
}

static void emit_heading(struct text *t, const struct subject *subject)
{
    struct text line = {0};
    put(&line, "---- %s ", subject->name);
    while (line.n < HEADING_COLUMNS - 4)
        put(&line, "-");
    put(t, "\n");
    put_comment(t, 4, line.s);
    if (subject->doc)
        put_comment(t, 4, subject->doc);
}

/* What is printed of the sections so far; a module with one alone has no heading. */
struct printed {
    struct shown {
        unsigned subject;
        struct text nets, blocks;
    } *section;
    unsigned n;
};

static void add_section(struct printed *p, unsigned subject, struct text nets, struct text blocks)
{
    if (nets.n || blocks.n)
        PUSH(p->section, p->n, (struct shown){subject, nets, blocks});
}

static void emit_sections(struct text *t, const struct plan *plan, const struct printed *p)
{
    bool several = false;
    for (unsigned i = 0; i < p->n; i++)
        several |= p->section[i].subject > 0;
    for (unsigned i = 0; i < p->n; i++) {
        const struct shown *s = &p->section[i];
        if (several)
            emit_heading(t, &plan->subject[s->subject]);
        if (s->nets.n)
            put(t, "%s", s->nets.s);
        if (s->blocks.n) /* which begin with an empty line */
            put(t, "%s", s->blocks.s + (several && !s->nets.n));
    }
}

/* Those of the module's function that no other section is needed for. */
static void emit_first_nets(struct sections *s, struct text *t)
{
    struct module *m = s->m;
    bool *late = scratch(m->graph.n + 1);
    for (unsigned i = 0; i < m->graph.n; i++) {
        struct node *n = m->graph.node[i];
        int subject = subject_of(m, n);
        const struct info *info = info_found(m, n);
        for (unsigned k = 0; k < n->n_args; k++)
            late[i] |= late[n->args[k]->id] || subject_of(m, n->args[k]) > 0;
        if (subject == 0 && !late[i] && !info->choice && !info->vec)
            nets_of_node(s->nets, t, n);
    }
}

void emit_subjects(struct text *t, struct module *m)
{
    struct plan *p = m->plan;
    struct sections s = {m, nets_begin(m)};
    struct printed all = {0};
    struct text first = {0}, rest = {0}, blocks_of_rest = {0};
    for (unsigned i = 1; i < p->n_subjects; i++)
        find_needs(m, i);
    if (p->n_subjects > 1)
        emit_first_nets(&s, &first);
    add_section(&all, 0, first, (struct text){0});
    for (unsigned k; (k = next_subject(p)) != 0; p->subject[k].done = true) {
        struct text nets = {0}, blocks = {0};
        for (unsigned i = 0; i < m->graph.n; i++)
            if (subject_of(m, m->graph.node[i]) == (int)k)
                nets_of_node(s.nets, &nets, m->graph.node[i]);
        emit_blocks(&s, &nets, &blocks, k);
        add_section(&all, k, nets, blocks);
    }
    nets_of_rest(s.nets, &rest);
    emit_blocks(&s, &rest, &blocks_of_rest, 0);
    add_section(&all, 0, rest, blocks_of_rest);
    emit_sections(t, p, &all);
}
