// SPDX-License-Identifier: Apache-2.0
/*
 * subject.c - which functions of the C are sections of the text.
 *
 * By hand a module is a row of subjects: a heading, its nets, its clocked block. In C each of them is a function that the
 * module's function calls, so what a function computes and the registers that it assigns are a section, under the function's
 * name and comment. A function of little, or a helper of several others, is part of what its caller computes. Sections
 * come in the order of the calls, apart from one that needs nets of a later one.
 */
#include "plan/plan.h"
#include "graph/graph.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    REGISTER_WEIGHT = 4, /* of a register or memory, where an operation is 1 */
    LEAST_WEIGHT = 24,   /* of a section with registers */
    LEAST_NETS = 60,     /* of one of nets alone */
    LEAST_MODULE = 48    /* of a module that has several */
};

/* A function wherever it is called. */
struct part {
    const char *name;
    unsigned operations, registers, callers;
    unsigned subject;
    bool settled;
};

struct parts {
    struct module *m;
    struct names of;    /* struct part by name */
    struct call **call; /* each once, also those that only call others */
    unsigned n;
    struct names seen; /* calls, by their order */
};

static struct part *part_of(struct parts *p, const struct call *call)
{
    struct part *part = names_find(&p->of, call->name);
    if (!part) {
        part = arena(sizeof *part);
        part->name = call->name;
        names_set(&p->of, call->name, part);
    }
    return part;
}

static void meet(struct parts *p, struct call *call)
{
    for (; call; call = call->up) {
        const char *key = format("%u", call->order);
        if (names_find(&p->seen, key))
            return;
        names_set(&p->seen, key, call);
        PUSH(p->call, p->n, call);
        part_of(p, call)->callers++;
    }
}

static void weigh(struct parts *p)
{
    struct module *m = p->m;
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        enum op_kind kind = op_info[n->op].kind;
        if (!n->loc.in || !is_needed(m, n) || kind == KIND_LEAF || kind == KIND_WIRING)
            continue;
        meet(p, n->loc.in);
        part_of(p, n->loc.in)->operations++;
    }
    for (unsigned i = 0; i < m->self.n; i++)
        if (m->reg[i].made && !m->reg[i].forwarded) {
            meet(p, m->reg[i].made);
            part_of(p, m->reg[i].made)->registers++;
        }
}

static unsigned weight(const struct part *p)
{
    return p->operations + REGISTER_WEIGHT * p->registers;
}

/* A helper of several, or of a header, has registers of its own or is part of its callers. */
static bool is_section(const struct module *m, const struct part *p)
{
    const struct function_doc *doc = m->docs ? names_find(m->docs, p->name) : NULL;
    bool own = doc && doc->file && strcmp(doc->file, m->source) == 0 && p->callers == 1;
    return p->registers ? weight(p) >= LEAST_WEIGHT : own && weight(p) >= LEAST_NETS;
}

static int by_order(const void *a, const void *b)
{
    const struct call *x = *(struct call *const *)a, *y = *(struct call *const *)b;
    return (x->order > y->order) - (x->order < y->order);
}

/* The first sentence, or all of it without an end. */
static const char *sentence(const char *doc)
{
    for (const char *s = doc; doc && *s; s++)
        if (*s == '.' && isspace((unsigned char)s[1]) && !islower((unsigned char)s[2]))
            return format("%.*s", (int)(s + 1 - doc), doc);
    return doc;
}

static void add_subject(struct module *m, struct part *part, const struct call *call)
{
    const struct function_doc *doc = m->docs ? names_find(m->docs, part->name) : NULL;
    part->subject = m->plan->n_subjects;
    PUSH(m->plan->subject, m->plan->n_subjects,
         (struct subject){
             .name = part->name, .doc = sentence(doc ? doc->doc : NULL), .order = call->order});
}

/* From the inside out: what is no section is its caller's. */
static void fold(struct parts *p)
{
    for (unsigned i = p->n; i-- > 0;) {
        struct part *part = part_of(p, p->call[i]);
        if (!p->call[i]->up || part->settled)
            continue;
        part->settled = is_section(p->m, part);
        if (part->settled)
            continue;
        struct part *up = part_of(p, p->call[i]->up);
        up->operations += part->operations;
        up->registers += part->registers;
        part->operations = part->registers = 0;
    }
}

/* By node: the last section that it is made in. Their numbers are in the order of the calls. */
static unsigned *last_subjects(struct module *m)
{
    unsigned *last = scratch((m->graph.n + 1) * sizeof *last);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        enum op_kind kind = op_info[n->op].kind;
        if (kind != KIND_LEAF && kind != KIND_WIRING)
            last[i] = subject_at(n->loc);
        for (unsigned k = 0; k < n->n_args; k++)
            if (last[n->args[k]->id] > last[i])
                last[i] = last[n->args[k]->id];
    }
    return last;
}

/* What a later function changes once more is that one's: its value is known there. */
static void place_leaves(struct module *m)
{
    const unsigned *last = last_subjects(m);
    m->plan->leaf_subject = arena((m->self.n + 1) * sizeof *m->plan->leaf_subject);
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct reg_info *r = &m->reg[i];
        const struct bram_read *b = r->bram_read >= 0 ? &m->bram[r->bram_read] : NULL;
        struct node *const list[] = {r->next,       r->write.enable,      r->write.addr,
                                     r->write.data, b ? b->enable : NULL, b ? b->addr : NULL};
        unsigned subject = r->made ? r->made->subject : 0;
        for (unsigned k = 0; subject && k < sizeof list / sizeof *list; k++)
            if (list[k] && last[list[k]->id] > subject)
                subject = last[list[k]->id];
        m->plan->leaf_subject[i] = subject;
    }
}

void plan_subjects(struct module *m)
{
    struct parts p = {.m = m};
    PUSH(m->plan->subject, m->plan->n_subjects, (struct subject){.name = m->name});
    if (m->keep)
        return;
    weigh(&p);
    if (p.n)
        qsort(p.call, p.n, sizeof *p.call, by_order);
    unsigned all = 0;
    for (unsigned i = 0; i < p.n; i++)
        p.call[i]->subject = 0;
    for (unsigned i = 0; i < p.n; i++) {
        const struct part *part = part_of(&p, p.call[i]);
        all += part->subject ? 0 : weight(part);
    }
    if (all < LEAST_MODULE)
        return;
    fold(&p);
    for (unsigned i = 0; i < p.n; i++) {
        struct call *call = p.call[i];
        struct part *part = part_of(&p, call);
        if (part->settled && part->subject == 0)
            add_subject(m, part, call);
        call->subject = part->settled ? part->subject : call->up ? call->up->subject : 0;
    }
    place_leaves(m);
}

unsigned subject_at(struct loc loc)
{
    return loc.in ? loc.in->subject : 0;
}

unsigned subject_of_leaf(const struct module *m, unsigned leaf)
{
    return m->plan->leaf_subject ? m->plan->leaf_subject[leaf] : 0;
}

int subject_of(const struct module *m, const struct node *n)
{
    const struct info *info = info_found(m, n);
    if (!info || info->uses == 0)
        return -1;
    if (info->choice)
        return (int)subject_at(info->choice->net[0]->loc);
    if (info->vec)
        return (int)subject_at(info->vec->loc);
    return info->is_net ? (int)subject_at(n->loc) : -1;
}
