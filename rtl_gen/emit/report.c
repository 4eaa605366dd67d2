// SPDX-License-Identifier: Apache-2.0
/*
 * report.c - `--report`: what a module costs and where its longest path runs, in C lines.
 *
 * Depth is counted in levels of logic, roughly those of four-input tables: a choice or a gate is
 * one, a sum or comparison grows with the logarithm of its width. It is for comparing places in one
 * design, not for predicting a clock.
 */
#include "emit/emit.h"
#include "emit/emit_all.h"
#include "base/number.h"
#include "graph/area.h"
#include "graph/graph.h"
#include "graph/table.h"
#include "graph/walk.h"

#include <string.h>

unsigned report_levels(const struct node *n)
{
    switch (n->op) {
    case OP_AND:
    case OP_OR:
    case OP_MUX:
    case OP_MEMREAD:
        return 1;
    case OP_XOR:
        return (log2_up(n->n_args) + 1) / 2;
    case OP_EQ:
        return (log2_up(2 * n->args[0]->width) + 1) / 2;
    case OP_ULT:
    case OP_SLT:
        return 1 + log2_up(n->args[0]->width) / 2;
    case OP_ADD:
    case OP_SUB:
        return 1 + log2_up(n->width) / 2;
    case OP_MUL:
        return 2 * log2_up(n->width) + 1;
    case OP_UDIV:
    case OP_UREM:
        return n->width * (2 + log2_up(n->width) / 2);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return log2_up(n->width);
    case OP_GET:
        return log2_up(n->args[0]->width / get_stride(n));
    case OP_SET:
        return 1 + (log2_up(n->args[1]->width) + 1) / 2;
    case OP_CALL: /* it stands before this module and was reported before */
        return n->keep->levels;
    default:
        return 0;
    }
}

/* Levels up to a node, and the choices that it stands for: a table of `links` by `subject`, or one operation. */
struct depth {
    unsigned levels, arms;            /* arms: what the deepest of them has, of a table */
    const struct node *via, *subject; /* via: by which argument, or which arm */
    unsigned links;
    bool from; /* on the way from what is asked for */
};

/* Of the node's argument, if that is deeper than what was found. */
static void deeper(struct depth *d, const struct depth *of, const struct node *arg)
{
    const struct depth *a = &of[arg->id];
    if (!a->from || (d->via && a->levels <= d->arms))
        return;
    d->arms = a->levels;
    d->via = arg;
}

static struct depth depth_of(const struct depth *of, const struct node *n)
{
    struct depth d = {.subject = table_subject(n), .links = 1};
    if (d.subject && of[n->args[2]->id].subject == d.subject) {
        const struct depth *rest = &of[n->args[2]->id];
        d.links += rest->links;
        d.arms = rest->arms;
        d.via = rest->via;
    }
    for (unsigned k = 0; k < n->n_args; k++)
        if (k < 2 || d.links == 1)
            deeper(&d, of, n->args[k]);
    d.from = d.via != NULL;
    d.levels = d.arms + (d.subject ? table_levels(d.links) : report_levels(n));
    return d;
}

/* Levels up to each node; from_inputs: on paths that begin at an input port, else 0. */
static struct depth *depths(const struct module *m, bool from_inputs)
{
    struct depth *depth = arena((m->graph.n + 1) * sizeof *depth);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        depth[i] = depth_of(depth, n);
        depth[i].from |= n->op == OP_INPUT || !from_inputs;
        if (!depth[i].from)
            depth[i].levels = 0;
    }
    return depth;
}

static unsigned most(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned at(const struct depth *depth, const struct node *n)
{
    return n ? depth[n->id].levels : 0;
}

/* Levels from an input port to a register or memory, those of children, which stand before it, included. */
static unsigned inside(const struct module *m)
{
    struct depth *depth = depths(m, true);
    unsigned deepest = 0;
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct reg_info *r = &m->reg[i];
        deepest = most(deepest, at(depth, r->next));
        deepest = most(deepest, at(depth, r->write.enable));
        deepest = most(deepest, most(at(depth, r->write.addr), at(depth, r->write.data)));
    }
    for (unsigned i = 0; i < m->n_bram; i++)
        deepest = most(deepest, most(at(depth, m->bram[i].enable), at(depth, m->bram[i].addr)));
    for (unsigned k = 0; k < m->n_inst; k++) {
        unsigned front = 0;
        for (unsigned i = 0; i < m->inst[k].module->in.n; i++)
            front = most(front, at(depth, m->inst_in[k][i]));
        deepest = most(deepest, front + m->inst[k].module->levels);
    }
    return deepest;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void print_counts(FILE *f, const struct module *m)
{
    unsigned count[N_OPS] = {0}, bits[N_OPS] = {0};
    hardware_live((struct module *)m);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        unsigned width = op_info[n->op].kind == KIND_TEST ? n->args[0]->width : n->width;
        if (!m->graph.node[i]->live || n->n_args == 0 || report_levels(n) == 0)
            continue;
        count[n->op]++;
        bits[n->op] += n->op == OP_XOR ? width * (n->n_args - 1) : width;
    }
    for (unsigned op = 0; op < N_OPS; op++)
        if (count[op])
            fprintf(f, "  %-8s %5u, %6u bits\n", op_info[op].name, count[op], bits[op]);
}

static void print_storage(FILE *f, const struct module *m)
{
    static const char *const kind[] = {"", "LUTRAM", "BRAM", "BRAM, read first", "ROM"};
    unsigned n = 0, bits = 0;
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (leaf->storage != STORE_REG || m->reg[i].forwarded)
            continue;
        n++;
        bits += leaf->width * leaf->count;
    }
    fprintf(f, "  registers %u, %u bits\n", n, bits);
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (leaf->storage != STORE_REG)
            fprintf(f, "  memory %s: %u x %u, %s\n", leaf->name, leaf->words, leaf->width,
                    kind[leaf->storage]);
    }
}

/* ---- paths ----------------------------------------------------------------------------------- */

static bool same_line(const struct node *a, const struct node *b)
{
    return a && a->loc.line == b->loc.line && a->loc.file && b->loc.file &&
           strcmp(a->loc.file, b->loc.file) == 0;
}

/* A C line for each stretch of the path that it describes: levels up to there, operations on it. */
static void print_path(FILE *f, const struct node *n, const struct depth *depth)
{
    const struct node *before = NULL;
    for (; n; n = depth[n->id].via) {
        if (!n->loc.file || report_levels(n) == 0)
            continue;
        if (!same_line(before, n)) {
            const char *slash = strrchr(n->loc.file, '/');
            fprintf(f, "%s    %4u  %s:%u ", before ? "\n" : "", depth[n->id].levels,
                    slash ? slash + 1 : n->loc.file, n->loc.line);
            before = n;
        }
        fprintf(f, " %s", depth[n->id].links > 1 ? "CASE" : op_info[n->op].name);
    }
    if (before)
        fputc('\n', f);
}

static void print_deepest(FILE *f, const struct module *m)
{
    struct depth *depth = depths(m, false);
    unsigned best = 0;
    hardware_live((struct module *)m);
    for (unsigned i = 0; i < m->graph.n; i++)
        if (m->graph.node[i]->live && depth[i].levels > depth[best].levels)
            best = i;
    if (m->graph.n == 0)
        return;
    fprintf(f, "  longest path %u levels, from its end backwards\n", depth[best].levels);
    print_path(f, m->graph.node[best], depth);
    if (!m->keep)
        fprintf(f, "  from an input to a register %u levels\n", m->levels);
}

/* Inputs of children are not registered: what stands before them adds to what is behind them. */
static void print_children(FILE *f, const struct module *m)
{
    struct depth *depth = depths(m, false);
    for (unsigned k = 0; k < m->n_inst; k++) {
        const struct module *child = m->inst[k].module;
        unsigned most = 0, port = 0;
        for (unsigned i = 0; i < child->in.n; i++) {
            unsigned d = at(depth, m->inst_in[k][i]);
            if (d > most) {
                most = d;
                port = i;
            }
        }
        fprintf(f, "  instance %s: %u levels in front of it%s%s, %u inside to a register\n",
                m->inst[k].name, most, most ? ", at " : "", most ? child->in.leaf[port].name : "",
                child->levels);
    }
}

/* What each state of each process does: its wait, levels of logic without the choice by state, where it leads. */
static void print_processes(FILE *f, struct module *m)
{
    for (unsigned i = 0; i < m->n_process; i++) {
        const struct process_info *p = &m->process[i];
        const struct leaf *leaf = &m->self.leaf[p->leaf];
        const struct state_facts *s = state_facts(m, p);
        const char *element = leaf->count > 1 ? format(", element %u", p->element) : "";
        fprintf(f, "  process %s%s: %u states\n", leaf->c, element, leaf->enumeration->n);
        for (unsigned k = 0; k < leaf->enumeration->n; k++) {
            const char *sign = " to ";
            fprintf(f, "    %-16s line %4u, %2u levels,", leaf->enumeration->label[k],
                    p->wait[k].line, s[k].levels);
            for (unsigned to = 0; to < leaf->enumeration->n; to++)
                if (s[k].to[to]) {
                    fprintf(f, "%s%s", sign, leaf->enumeration->label[to]);
                    sign = ", ";
                }
            fputc('\n', f);
        }
    }
}

/* Its operations, each call of a function, each instance: all of it stands before the module and was reported before. */
static void print_area(FILE *f, struct module *m)
{
    const unsigned own = area_of(m);
    m->area = own;
    for (unsigned i = 0; i < m->graph.n; i++)
        if (m->graph.node[i]->live && m->graph.node[i]->op == OP_CALL)
            m->area += m->graph.node[i]->keep->area;
    for (unsigned k = 0; k < m->n_inst; k++)
        m->area += m->inst[k].count * m->inst[k].module->area;
    fprintf(f, "  about %u LUT4", m->area);
    if (m->area != own)
        fprintf(f, ", %u without functions and instances", own);
    fputc('\n', f);
}

void report_module(FILE *f, struct module *m)
{
    m->levels = m->keep ? depths(m, false)[m->result->id].levels : inside(m);
    fprintf(f, "%s %s\n", m->keep ? "function" : "module", m->name);
    if (!m->keep)
        print_storage(f, m);
    print_counts(f, m);
    print_area(f, m);
    print_deepest(f, m);
    print_children(f, m);
    print_processes(f, m);
}
