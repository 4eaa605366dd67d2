// SPDX-License-Identifier: Apache-2.0
/*
 * declare_package.c - the types of all ports in one package of SystemVerilog: each struct and enum once, behind those that
 * it is made of. C has a name for each file, the package one for all.
 */
#include "front/declare.h"
#include "front/front.h"

#include <string.h>

/* What the package has under a name. */
struct entry {
    struct loc loc;
    const struct record *record;           /* or NULL */
    const struct enumeration *enumeration; /* of the type, or of the enumerator */
    bool label;                            /* an enumerator */
};

struct package {
    struct design *design;
    struct names names; /* struct entry */
};

static bool same_enumeration(const struct enumeration *a, const struct enumeration *b)
{
    bool same = a == b || (a && b && a->n == b->n);
    for (unsigned i = 0; same && a != b && i < a->n; i++)
        same = a->value[i] == b->value[i] && strcmp(a->label[i], b->label[i]) == 0;
    return same;
}

static bool same_record(const struct record *a, const struct record *b);

static bool same_member(const struct member *a, const struct member *b)
{
    bool same = strcmp(a->name, b->name) == 0 && a->width == b->width &&
                a->is_signed == b->is_signed && a->n_dims == b->n_dims &&
                !a->record == !b->record && same_enumeration(a->enumeration, b->enumeration) &&
                memcmp(a->count, b->count, sizeof a->count) == 0;
    return same && (!a->record || same_record(a->record, b->record));
}

static bool same_record(const struct record *a, const struct record *b)
{
    bool same = a == b || a->n == b->n;
    for (unsigned i = 0; same && a != b && i < a->n; i++)
        same = same_member(&a->member[i], &b->member[i]);
    return same;
}

static bool same_entry(const struct entry *a, const struct entry *b)
{
    if (a->label != b->label || !a->record != !b->record)
        return false;
    return a->record ? same_record(a->record, b->record)
                     : same_enumeration(a->enumeration, b->enumeration);
}

/* Is the name new? One that means something else already is an error. */
static bool add_name(struct package *p, const char *name, struct entry entry)
{
    const struct entry *other = names_find(&p->names, name);
    if (!other) {
        struct entry *kept = arena(sizeof *kept);
        *kept = entry;
        names_set(&p->names, name, kept);
        return true;
    }
    if (!same_entry(other, &entry)) {
        diag_error(entry.loc, "rename one: the types of all ports stand in one package",
                   "'%s' of package %s is two different things", name, p->design->package);
        diag_note(other->loc, "the other is here");
    }
    return false;
}

static void add_enumeration(struct package *p, const char *name, const struct enumeration *e)
{
    if (!add_name(p, name, (struct entry){.loc = e->loc, .enumeration = e}))
        return;
    for (unsigned i = 0; i < e->n; i++)
        if (verilog_keyword(e->label[i]))
            diag_error(e->loc, "choose another name",
                       "the name of enumerator '%s' is a keyword of SystemVerilog", e->label[i]);
        else
            add_name(p, e->label[i],
                     (struct entry){.loc = e->loc, .enumeration = e, .label = true});
    PUSH(p->design->port_type, p->design->n_port_types,
         (struct port_type){.name = name, .enumeration = e});
}

/* Two that differ in the `_` behind a keyword alone. */
static void check_members(const struct record *r)
{
    struct names seen = {0};
    for (unsigned i = 0; i < r->n; i++) {
        const struct member *m = &r->member[i], *other = names_find(&seen, m->name);
        names_set(&seen, m->name, &r->member[i]);
        if (!other)
            continue;
        diag_error(m->loc, "rename one", "two members are called '%s' in SystemVerilog", m->name);
        diag_note(other->loc, "the other is here");
    }
}

static void add_record(struct package *p, const struct record *r)
{
    if (!add_name(p, r->type, (struct entry){.loc = r->loc, .record = r}))
        return;
    check_members(r);
    for (unsigned i = 0; i < r->n; i++) {
        const struct member *m = &r->member[i];
        if (m->record)
            add_record(p, m->record);
        else if (m->enumeration)
            add_enumeration(p, m->type, m->enumeration);
    }
    PUSH(p->design->port_type, p->design->n_port_types,
         (struct port_type){.name = r->type, .record = r});
}

void find_port_types(struct design *design)
{
    struct package p = {.design = design};
    for (unsigned i = 0; i < design->n; i++) {
        const struct module *m = design->module[i];
        if (m->in.record)
            add_record(&p, m->in.record);
        if (m->self.record)
            add_record(&p, m->self.record);
    }
}
