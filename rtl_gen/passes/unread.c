// SPDX-License-Identifier: Apache-2.0
/*
 * unread.c - fields of bundled inputs that an instance does not read: its module has no ports for them.
 *
 * A struct that goes to several modules has what any of them reads. A field that one of them does not read is no port of it; the same
 * holds for its parent, if the parent reads the field for nothing else. A plain input stays a port, as the module's C asks for it by name.
 * A module that no other one instantiates keeps all ports, as does each module whose ports are structs.
 */
#include "passes/passes.h"
#include "graph/walk.h"

#include <string.h>

static bool is_instantiated(const struct design *design, const struct module *m)
{
    for (unsigned i = 0; i < design->n; i++)
        for (unsigned k = 0; k < design->module[i]->n_inst; k++)
            if (design->module[i]->inst[k].module == m)
                return true;
    return false;
}

/* What children do not read is not computed for them. */
static void leave_out(struct module *m)
{
    for (unsigned k = 0; k < m->n_inst; k++)
        for (unsigned i = 0; i < m->inst[k].module->in.n; i++)
            if (m->inst[k].module->in.leaf[i].unread)
                m->inst_in[k][i] = NULL;
}

static bool is_field(const struct leaf *leaf)
{
    return strchr(leaf->c, '.');
}

static void find_unread(struct module *m)
{
    pass_live(m);
    bool *read = scratch(m->in.n + 1);
    for (unsigned i = 0; i < m->graph.n; i++)
        if (m->graph.node[i]->live && m->graph.node[i]->op == OP_INPUT)
            read[m->graph.node[i]->index] = true;
    for (unsigned i = 0; i < m->in.n; i++)
        m->in.leaf[i].unread = !read[i] && is_field(&m->in.leaf[i]);
    scratch_end();
}

void unread(struct design *design)
{
    for (unsigned i = 0; i < design->n; i++) { /* children stand before their parents */
        struct module *m = design->module[i];
        if (m->keep || m->package)
            continue;
        leave_out(m);
        if (is_instantiated(design, m))
            find_unread(m);
    }
}
