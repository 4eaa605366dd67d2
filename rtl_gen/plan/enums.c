// SPDX-License-Identifier: Apache-2.0
/*
 * enums.c - registers whose C type is an enum are of that type in SystemVerilog, so that a simulator shows enumerators. An output has the
 * type of the package, a private register one of the module.
 */
#include "plan/plan.h"

#include <string.h>

/* SystemVerilog has no two enumerators of one value. */
static bool has_twins(const struct enumeration *e)
{
    for (unsigned i = 0; i < e->n; i++)
        for (unsigned k = 0; k < i; k++)
            if (e->value[k] == e->value[i])
                return true;
    return false;
}

/* Every enumerator has a name in the module, which the type declares instead of a localparam. */
static const char *type_in_module(struct plan *p, const struct leaf *leaf)
{
    const struct enumeration *e = leaf->enumeration;
    for (unsigned i = 0; i < p->n_enum_types; i++)
        if (p->enum_type[i].of == e)
            return p->enum_type[i].name;
    struct enum_type type = {
        .of = e,
        .name = unique_name(p, format("%s_t", e->name ? e->name : leaf->name)),
        .label = arena(e->n * sizeof *type.label),
    };
    for (unsigned i = 0; i < e->n; i++) {
        struct label *label = label_made(p, e->label[i], e->width, e->value[i]);
        label->typed = true;
        type.label[i] = label->name;
    }
    PUSH(p->enum_type, p->n_enum_types, type);
    return type.name;
}

/* A register that only the clocked blocks assign, as a whole. */
static bool is_enum(const struct module *m, unsigned leaf)
{
    const struct leaf *l = &m->self.leaf[leaf];
    const struct reg_info *r = &m->reg[leaf];
    return l->enumeration && l->count == 1 && !is_memory(l) && r->next && r->reset &&
           !r->forwarded && r->bram_read < 0;
}

/* Of a port: what the struct has. */
static const char *type_in_package(const struct module *m, const struct leaf *leaf)
{
    return leaf->enumeration->name ? format("%s::%s_t", m->package, leaf->enumeration->name) : NULL;
}

void plan_enums(struct module *m)
{
    struct plan *p = m->plan;
    if (!m->package || m->keep)
        return;
    p->reg_type = arena(m->self.n * sizeof *p->reg_type);
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (is_enum(m, i) && leaf->out)
            p->reg_type[i] = type_in_package(m, leaf);
        else if (is_enum(m, i) && !has_twins(leaf->enumeration))
            p->reg_type[i] = type_in_module(p, leaf);
    }
}
