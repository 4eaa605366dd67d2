// SPDX-License-Identifier: Apache-2.0
/*
 * dump.c - a module's graph as text, for `-d` between the stages: one line per node, then what the
 * hardware is made of.
 */
#include "graph/dump.h"
#include "graph/graph.h"
#include "graph/walk.h"

#include <inttypes.h>

static void print_const(FILE *f, const struct node *n)
{
    fputs(" 0x", f);
    for (unsigned i = (n->width + 63) / 64; i-- > 0;)
        fprintf(f, i == (n->width + 63) / 64 - 1 ? "%" PRIx64 : "%016" PRIx64, n->bits[i]);
}

static void print_operand(FILE *f, const struct module *m, const struct node *n)
{
    const struct leaf *leaf = leaf_of(m, n);
    if (is_const(n))
        print_const(f, n);
    if (leaf && op_info[n->op].leaf == LEAF_CHILD)
        fprintf(f, " %s.%s", m->inst[n->index].name, leaf->name);
    else if (leaf)
        fprintf(f, " %s", leaf->name);
    if (n->op == OP_SLICE)
        fprintf(f, " from %u", n->index);
    if (n->op == OP_CALL)
        fprintf(f, " %s", n->keep->name);
}

static void print_node(FILE *f, const struct module *m, const struct node *n, net_fn *net)
{
    fprintf(f, "  n%u: u%u %s", n->id, n->width, op_info[n->op].name);
    print_operand(f, m, n);
    for (unsigned i = 0; i < n->n_args; i++)
        fprintf(f, " n%u", n->args[i]->id);
    if (n->zeros)
        fprintf(f, " zeros %u", n->zeros);
    if (n->signs > 1)
        fprintf(f, " signs %u", n->signs);
    if (n->name || n->hint)
        fprintf(f, " %s%s", n->name ? "" : "~", n->name ? n->name : n->hint);
    if (net && net(m, n))
        fprintf(f, " net %s", net(m, n));
    if (n->loc.file)
        fprintf(f, " (%s:%u)", n->loc.file, n->loc.line);
    fputc('\n', f);
}

static void print_root(FILE *f, const char *what, const struct node *n)
{
    if (n)
        fprintf(f, " %s n%u", what, n->id);
}

static void print_registers(FILE *f, const struct module *m)
{
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct reg_info *r = &m->reg[i];
        fprintf(f, "  reg %s%s:", m->self.leaf[i].name, r->forwarded ? " (forwarded)" : "");
        print_root(f, "next", r->next);
        print_root(f, "reset", r->reset);
        print_root(f, "write", r->write.enable);
        print_root(f, "at", r->write.addr);
        print_root(f, "data", r->write.data);
        if (r->bram_read >= 0) {
            const struct bram_read *b = &m->bram[r->bram_read];
            fprintf(f, " read %s", m->self.leaf[b->mem].name);
            print_root(f, "if", b->enable);
            print_root(f, "at", b->addr);
        }
        fputc('\n', f);
    }
}

static void print_rest(FILE *f, const struct module *m)
{
    static const char *const kind[] = {"assert", "assume", "cover"};
    for (unsigned k = 0; k < m->n_inst; k++) {
        fprintf(f, "  instance %s of %s:", m->inst[k].name, m->inst[k].module->name);
        for (unsigned i = 0; i < m->inst[k].module->in.n; i++)
            print_root(f, m->inst[k].module->in.leaf[i].name, m->inst_in[k][i]);
        fputc('\n', f);
    }
    for (unsigned i = 0; i < m->n_check; i++)
        fprintf(f, "  %s n%u: %s (%s:%u)\n", kind[m->check[i].kind], m->check[i].cond->id,
                m->check[i].text, m->check[i].loc.file ? m->check[i].loc.file : "-",
                m->check[i].loc.line);
    if (m->result)
        fprintf(f, "  result n%u\n", m->result->id);
}

void dump_module(FILE *f, const struct module *m, net_fn *net)
{
    pass_live((struct module *)m);
    fprintf(f, "module %s\n", m->name);
    for (unsigned i = 0; i < m->graph.n; i++)
        if (m->graph.node[i]->live)
            print_node(f, m, m->graph.node[i], net);
    if (m->reg)
        print_registers(f, m);
    print_rest(f, m);
}
