// SPDX-License-Identifier: Apache-2.0
/*
 * report.c - `--report`: what a module costs and where its longest path runs, in C lines.
 *
 * Depth is counted in levels of logic, roughly those of four-input tables: a choice or a gate is
 * one, a sum or comparison grows with the logarithm of its width. It is for comparing places in one
 * design, not for predicting a clock.
 */
#include "emit/emit_all.h"
#include "base/number.h"
#include "graph/graph.h"
#include "graph/walk.h"

#include <string.h>

static unsigned levels(const struct node *n)
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

/* Levels up to each node; from_inputs: on paths that begin at an input port, else 0. */
static unsigned *depths(const struct module *m, bool from_inputs)
{
    unsigned *depth = arena((m->graph.n + 1) * sizeof *depth);
    bool *from = arena((m->graph.n + 1) * sizeof *from);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        unsigned most = 0;
        from[i] = n->op == OP_INPUT || !from_inputs;
        for (unsigned k = 0; k < n->n_args; k++) {
            unsigned id = n->args[k]->id;
            from[i] |= from[id];
            if (from[id] && depth[id] > most)
                most = depth[id];
        }
        depth[i] = from[i] ? most + levels(n) : 0;
    }
    return depth;
}

static unsigned most(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned at(const unsigned *depth, const struct node *n)
{
    return n ? depth[n->id] : 0;
}

/* Levels from an input port to a register or memory, those of children, which stand before it, included. */
static unsigned inside(const struct module *m)
{
    unsigned *depth = depths(m, true), deepest = 0;
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
    pass_live((struct module *)m);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        unsigned width = op_info[n->op].kind == KIND_TEST ? n->args[0]->width : n->width;
        if (!m->graph.node[i]->live || n->n_args == 0 || levels(n) == 0)
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
    static const char *const kind[] = {"", "LUTRAM", "BRAM", "BRAM, read first"};
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
            fprintf(f, "  memory %s: %u x %u, %s\n", leaf->name, leaf->count, leaf->width,
                    kind[leaf->storage]);
    }
}

/* ---- paths ----------------------------------------------------------------------------------- */

static const struct node *deepest_argument(const struct node *n, const unsigned *depth)
{
    const struct node *deepest = NULL;
    for (unsigned k = 0; k < n->n_args; k++)
        if (deepest == NULL || depth[n->args[k]->id] > depth[deepest->id])
            deepest = n->args[k];
    return deepest;
}

static bool same_line(const struct node *a, const struct node *b)
{
    return a && a->loc.line == b->loc.line && a->loc.file && b->loc.file &&
           strcmp(a->loc.file, b->loc.file) == 0;
}

/* A C line for each stretch of the path that it describes: levels up to there, operations on it. */
static void print_path(FILE *f, const struct node *n, const unsigned *depth)
{
    const struct node *before = NULL;
    for (; n; n = deepest_argument(n, depth)) {
        if (!n->loc.file || levels(n) == 0)
            continue;
        if (!same_line(before, n)) {
            const char *slash = strrchr(n->loc.file, '/');
            fprintf(f, "%s    %4u  %s:%u ", before ? "\n" : "", depth[n->id],
                    slash ? slash + 1 : n->loc.file, n->loc.line);
            before = n;
        }
        fprintf(f, " %s", op_info[n->op].name);
    }
    if (before)
        fputc('\n', f);
}

static void print_deepest(FILE *f, const struct module *m)
{
    unsigned *depth = depths(m, false), best = 0;
    pass_live((struct module *)m);
    for (unsigned i = 0; i < m->graph.n; i++)
        if (m->graph.node[i]->live && depth[i] > depth[best])
            best = i;
    if (m->graph.n == 0)
        return;
    fprintf(f, "  longest path %u levels, from its end backwards\n", depth[best]);
    print_path(f, m->graph.node[best], depth);
    if (!m->keep)
        fprintf(f, "  from an input to a register %u levels\n", m->levels);
}

/* Inputs of children are not registered: what stands before them adds to what is behind them. */
static void print_children(FILE *f, const struct module *m)
{
    unsigned *depth = depths(m, false);
    for (unsigned k = 0; k < m->n_inst; k++) {
        const struct module *child = m->inst[k].module;
        unsigned most = 0, port = 0;
        for (unsigned i = 0; i < child->in.n; i++) {
            unsigned d = m->inst_in[k][i] ? depth[m->inst_in[k][i]->id] : 0;
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

void report_module(FILE *f, struct module *m)
{
    m->levels = m->keep ? depths(m, false)[m->result->id] : inside(m);
    fprintf(f, "%s %s\n", m->keep ? "function" : "module", m->name);
    if (!m->keep)
        print_storage(f, m);
    print_counts(f, m);
    print_deepest(f, m);
    print_children(f, m);
}
