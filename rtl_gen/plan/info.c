// SPDX-License-Identifier: Apache-2.0
/*
 * info.c - what all files here stand on: the plan itself, names that are taken, what is noted of each node, and what
 * the text starts from.
 */
#include "plan/plan.h"
#include "front/front.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

void plan_begin(struct module *m, void (*steps)(struct module *m))
{
    m->plan = arena(sizeof *m->plan);
    m->plan->steps = steps;
}

static void close_plan(struct module *m, struct plan *p)
{
    m->graph.closed = p->closed = true;
    for (unsigned i = 0; i < p->n_functions; i++)
        close_plan(p->function[i]->module, p->function[i]->plan);
}

void plans_close(const struct design *design)
{
    for (unsigned i = 0; i < design->n; i++)
        close_plan(design->module[i], design->module[i]->plan);
}

/* ---- names ----------------------------------------------------------------------------------- */

bool name_taken(const struct plan *p, const char *name)
{
    return names_find(&p->used, name) != NULL || (p->outer && name_taken(p->outer, name));
}

bool name_reserved(const struct plan *p, const char *name)
{
    return verilog_keyword(name) || (!p->outer && verilator_word(name));
}

bool claim(struct plan *p, const char *name)
{
    if (name_taken(p, name))
        return false;
    assert(!p->closed);
    struct net_name *n = arena(sizeof *n);
    *n = (struct net_name){.numbered = 1};
    names_set(&p->used, name, n);
    return true;
}

const char *unique_name(struct plan *p, const char *wanted)
{
    const char *name = wanted;
    if (p->outer && name_taken(p->outer, name)) /* a linter warns of a name that hides another */
        name = wanted = format("%s_%s", p->prefix, name);
    struct net_name *first = names_find(&p->used, wanted);
    unsigned i = first ? first->numbered + 1 : 2;
    while (name_reserved(p, name) || !claim(p, name))
        name = format("%s_%u", wanted, i++);
    if (first)
        first->numbered = i - 1;
    return name;
}

const char *table_name(struct plan *p, const char *wanted)
{
    return p->outer ? unique_name(p->outer, format("%s_%s", p->prefix, wanted))
                    : unique_name(p, wanted);
}

const char *identifier(const char *c)
{
    char *s = format("%s", c);
    for (char *p = s; *p; p++)
        if (!isalnum((unsigned char)*p))
            *p = '_';
    return isdigit((unsigned char)s[0]) ? format("n%s", s) : s;
}

/* ---- nodes and leaves ------------------------------------------------------------------------- */

unsigned leaf_bits(const struct leaf *leaf)
{
    return leaf->width * leaf->count;
}

bool is_memory(const struct leaf *leaf)
{
    return leaf->storage != STORE_REG;
}

struct info *info_of(const struct module *m, const struct node *n)
{
    struct plan *p = m->plan;
    while (p->n_info <= n->id)
        PUSH(p->info, p->n_info, NULL);
    if (p->info[n->id] == NULL)
        p->info[n->id] = arena(sizeof(struct info));
    return p->info[n->id];
}

struct info *info_found(const struct module *m, const struct node *n)
{
    return n->id < m->plan->n_info ? m->plan->info[n->id] : NULL;
}

const char *net_of(const struct module *m, const struct node *n)
{
    const struct info *info = info_found(m, n);
    return info ? info->net : NULL;
}

bool is_needed(const struct module *m, const struct node *n)
{
    const struct info *info = info_found(m, n);
    return info && info->uses > 0;
}

/* ---- what the text starts from --------------------------------------------------------------- */

typedef void (*visit_fn)(void *context, struct node *n, enum root kind, const char *name);

static void visit_if(visit_fn visit, void *context, struct node *n, enum root kind,
                     const char *name)
{
    if (n)
        visit(context, n, kind, name);
}

void each_root(struct module *m, visit_fn visit, void *context)
{
    for (unsigned i = 0; i < m->self.n && m->reg; i++) {
        const struct reg_info *r = &m->reg[i];
        const char *name = m->self.leaf[i].name;
        visit_if(visit, context, r->next, ROOT_NEXT, format("%s_d", name));
        visit_if(visit, context, r->write.enable, ROOT_MEMORY, format("%s_we", name));
        visit_if(visit, context, r->write.addr, ROOT_MEMORY, format("%s_waddr", name));
        visit_if(visit, context, r->write.data, ROOT_MEMORY, format("%s_wdata", name));
    }
    for (unsigned i = 0; i < m->n_bram; i++) {
        const char *name = m->self.leaf[m->bram[i].mem].name;
        visit_if(visit, context, m->bram[i].enable, ROOT_MEMORY, format("%s_re", name));
        visit_if(visit, context, m->bram[i].addr, ROOT_MEMORY, format("%s_raddr", name));
    }
    for (unsigned k = 0; k < m->n_inst; k++) {
        const struct layout *in = &m->inst[k].module->in;
        for (unsigned i = 0; i < in->n; i++)
            visit_if(visit, context, m->inst_in[k][i], ROOT_PORT,
                     format("%s_%s", m->inst[k].name, in->leaf[i].name));
    }
    visit_if(visit, context, m->result, ROOT_RESULT, "result");
    for (unsigned i = 0; i < m->n_check; i++)
        visit_if(visit, context, m->check[i].cond, ROOT_CHECK, "check");
}
