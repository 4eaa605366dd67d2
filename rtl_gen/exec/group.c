// SPDX-License-Identifier: Apache-2.0
/*
 * group.c - the states of a process as one group: a block that several of them come to is there once, and what it reads is chosen
 * by state.
 *
 * The function begins behind all waits at once. Blocks run in topological order of what one clock does: strongly connected parts,
 * which are loops without a wait, one after another, so that all ways to a block are there before it runs.
 */
#include "exec/exec.h"

/* Strongly connected parts, found by depth first: those that are left last are numbered first. */
struct parts {
    const struct code *code;
    unsigned *met, *low; /* when each block was met, from 1; the first met that it leads back to */
    unsigned *rank;
    unsigned *open, n_open, n_met, n_parts;
};

static void visit(struct parts *p, unsigned b)
{
    p->met[b] = p->low[b] = ++p->n_met;
    p->open[p->n_open++] = b;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->code->block[b]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        const unsigned to = exec_number(p->code, LLVMGetSuccessor(end, s));
        if (!p->met[to])
            visit(p, to);
        if (!p->rank[to] && p->low[to] < p->low[b])
            p->low[b] = p->low[to];
    }
    if (p->low[b] != p->met[b])
        return;
    p->n_parts++;
    unsigned member;
    do {
        member = p->open[--p->n_open];
        p->rank[member] = p->code->n_blocks - p->n_parts + 1;
    } while (member != b);
}

/* From behind the waits that the switch leads to. */
static unsigned *ranks(const struct code *c, LLVMValueRef inst)
{
    struct parts p = {.code = c,
                      .met = scratch(c->n_blocks * sizeof *p.met),
                      .low = scratch(c->n_blocks * sizeof *p.low),
                      .rank = scratch(c->n_blocks * sizeof *p.rank),
                      .open = scratch(c->n_blocks * sizeof *p.open)};
    for (unsigned i = 1; i < LLVMGetNumSuccessors(inst); i++) {
        const unsigned to = exec_number(c, LLVMGetSuccessor(inst, i));
        if (!p.met[to])
            visit(&p, to);
    }
    return p.rank;
}

/* Within a part as in exec.c: the first in clang's order, but the header of a loop behind what its round still has. */
unsigned group_next(const struct frame *f)
{
    const unsigned n = f->code->n_blocks;
    unsigned b = n;
    for (unsigned i = 0; i < n; i++)
        if (f->edges[i] && (b == n || f->rank[i] < f->rank[b]))
            b = i;
    while (b < n && f->code->last[b]) {
        unsigned inner = b + 1;
        while (inner < f->code->last[b] && !(f->edges[inner] && f->rank[inner] == f->rank[b]))
            inner++;
        if (inner >= f->code->last[b])
            break;
        b = inner;
    }
    return b;
}

static void begin_states(struct exec *x, unsigned b, LLVMValueRef inst, struct node *on,
                         struct path *rest)
{
    for (unsigned i = 1; i < LLVMGetNumSuccessors(inst); i++) {
        struct node *k = const_node(x, LLVMGetOperand(inst, 2 * i));
        struct node *is_here = mk_eq(x->g, on, k);
        if (is_here->op == OP_EQ)
            bdd_exclusive(x->bdds, is_here->args[0]);
        const bdd hit = bdd_of(x->bdds, is_here);
        exec_edge(x, b, LLVMGetSuccessor(inst, i), path_and(x->bdds, *rest, hit));
        *rest = path_and(x->bdds, *rest, bdd_not(x->bdds, hit));
    }
}

void group_run(struct exec *x, unsigned b, LLVMValueRef inst, const struct field *field)
{
    struct frame *f = x->frame;
    struct node *on = exec_node(x, LLVMGetOperand(inst, 0));
    const struct path all = x->path;
    const struct loc loc = x->loc;
    const struct wait *around = x->wait;
    struct state *before = x->state;
    struct path rest = path_open(all);
    x->state = state_copy(before);
    x->wait = arena(sizeof *x->wait);
    f->rank = ranks(f->code, inst);
    f->returned = NULL;
    begin_states(x, b, inst, on, &rest);
    process_listed(x, on, field, rest);
    exec_pending(x);
    x->wait = around;
    x->loc = x->g->here = loc;
    x->path = all;
    struct edge **edge = NULL;
    unsigned n = 0;
    for (struct edge *e = f->returned; e && !x->failed; e = e->next)
        PUSH_SCRATCH(edge, n, e);
    if (n > 0)
        f->returned = process_edge(x, edge, n, all);
    f->rank = NULL;
    bdd_exclusive(x->bdds, NULL);
    state_drop(x->state);
    x->state = before;
}
