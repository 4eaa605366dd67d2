// SPDX-License-Identifier: Apache-2.0
/*
 * loops.c - the variables of loops, and their tables of constants.
 *
 * All generate loops of a module share one genvar, and all loops of a function one integer. A block of statements
 * in which there are loops has a name and an integer of its own: two blocks with one integer are two drivers of it.
 * Constants that differ from pass to pass are a table in front of the loop: localparam [11:0] next_k = {4'd9, 4'd5, 4'd1}.
 */
#include "plan/plan.h"
#include "graph/graph.h"

#include <string.h>

static const char *block_name(struct plan *p, const char *net)
{
    return unique_name(p, format("for_%s", net));
}

static void name_vector_loop(struct plan *p, struct vector *v)
{
    if (!v->needed || v->gathered)
        return;
    if (p->outer)
        p->uses_integer = true;
    else if (v->chain)
        v->block = block_name(p, v->net);
    else
        p->uses_genvar[v->section] = true;
}

/* A vector of which one element is replaced. */
static void name_set_loop(struct plan *p, struct info *info)
{
    if (p->outer)
        p->uses_integer = true;
    else
        info->block = block_name(p, info->net);
}

/* ---- tables ---------------------------------------------------------------------------------- */

const struct row_table *table_find(const struct plan *p, const void *owner,
                                   struct node *const *lane, unsigned n)
{
    for (unsigned i = 0; i < p->n_tables; i++)
        if (p->table[i].owner == owner && p->table[i].n == n &&
            memcmp(p->table[i].lane, lane, n * sizeof *lane) == 0)
            return &p->table[i];
    return NULL;
}

/* Where tables are looked for. */
struct looking {
    struct module *m;
    const void *owner;
    const char *of; /* the name of what gets the value */
    bool down;
};

static void add_table(void *context, struct node *const *lane, unsigned n)
{
    const struct looking *x = context;
    struct plan *p = x->m->plan;
    if (row_counts(lane, n, x->down) || table_find(p, x->owner, lane, n))
        return;
    const char *name = table_name(p, format("%s_k", x->of));
    PUSH(p->table, p->n_tables, (struct row_table){lane, n, x->down, x->owner, name});
}

static void note_target(void *context, const struct seq *s, unsigned n)
{
    struct looking *x = context;
    (void)n;
    x->of = x->m->self.leaf[first_target(s)->leaf].name;
}

static struct row_visit tables_of(struct looking *x)
{
    return (struct row_visit){.context = x,
                              .node = skip_node,
                              .view = skip_view,
                              .table = add_table,
                              .statement = note_target};
}

void plan_tables(struct module *m)
{
    struct plan *p = m->plan;
    for (unsigned i = 0; i < p->n_vectors; i++) {
        const struct vector *v = p->vector[i];
        struct looking x = {m, v, v->net, v->down};
        if (v->needed)
            walk_vector(m, v, tables_of(&x));
    }
    for (unsigned i = 0; i < p->n_blocks; i++) {
        struct looking x = {.m = m, .owner = &p->block[i]};
        const struct row_visit v = tables_of(&x);
        for (unsigned k = 0; k < p->block[i].n_loops; k++)
            walk_seq(m, p->block[i].loop[k].body, p->block[i].loop[k].n, &v);
    }
    for (unsigned k = 0; k < m->n_inst; k++)
        for (unsigned i = 0; i < m->inst[k].module->in.n; i++) {
            struct node **row = p->port_row[k][i];
            const char *port = m->inst[k].module->in.leaf[i].name;
            struct looking x = {m, row, format("%s_%s", m->inst[k].name, port), false};
            const struct row_visit v = tables_of(&x);
            if (row)
                walk_row(m, row, m->inst[k].count, &v);
        }
}

static const char *registers_name(struct plan *p, unsigned subject)
{
    return unique_name(p, subject ? format("%s_registers", p->subject[subject].name) : "registers");
}

/* ---- variables ------------------------------------------------------------------------------- */

void plan_loops(struct module *m)
{
    struct plan *p = m->plan;
    for (unsigned i = 0; i < p->n_vectors; i++)
        name_vector_loop(p, p->vector[i]);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        struct info *info = info_found(m, n);
        if (info && info->is_net && n->op == OP_SET)
            name_set_loop(p, info);
    }
    for (unsigned k = 0; k < m->n_inst; k++)
        p->uses_genvar[IN_MODULE] |= m->inst[k].count > 1;
    for (unsigned i = 0; i < p->n_blocks; i++)
        if (p->block[i].loops)
            p->block[i].name = registers_name(p, p->block[i].subject);
    bool memory = false;
    for (unsigned i = 0; i < m->self.n; i++)
        memory |= is_memory(&m->self.leaf[i]) && m->self.leaf[i].storage != STORE_ROM;
    if (memory)
        p->zeros = unique_name(p, "zero_memories");
}
