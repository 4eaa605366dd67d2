// SPDX-License-Identifier: Apache-2.0
/*
 * seeds.c - where rows are looked for: elements of array registers, ports of instance arrays, one variable in all
 * rounds of a loop, parts of concatenations, and chains of one operation.
 */
#include "plan/plan.h"
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEWEST = 3, /* lanes for which a loop is shorter than its passes */
    LEAST = 8,  /* operations in all lanes */
    FEWEST_LINKS = 4,
    LOOK_AHEAD = 3 /* links of a chain that are looked at to choose the next one */
};

/* Consecutive parts of one width, low end first. */
struct parts {
    struct node **lane;
    unsigned n, low, width;
};

static unsigned least_ops(unsigned n)
{
    return (LEAST + n - 1) / n;
}

/* ---- runs of parts of one operation ---------------------------------------------------------- */

typedef void (*found_fn)(struct module *m, const struct parts *p, void *context);

static bool is_candidate(const struct module *m, const struct node *n)
{
    const struct info *info = info_of(m, n);
    return n->n_args > 0 && n->op != OP_SLICE && info->vec == NULL && !info->in_row;
}

static void try_runs(struct module *m, struct parts p, bool named, found_fn found, void *context)
{
    for (unsigned i = 0; i < p.n;) {
        unsigned end = i + 1;
        while (end < p.n && p.lane[end]->op == p.lane[i]->op)
            end++;
        struct parts run = {p.lane + i, end - i, p.low + i * p.width, p.width};
        if (run.n >= FEWEST && is_candidate(m, run.lane[0]) &&
            row_try(m, run.lane, run.n, least_ops(run.n), named) && found)
            found(m, &run, context);
        i = end;
    }
}

/* Every run of parts of equal width of a concatenation. */
static void try_concat(struct module *m, const struct node *n, bool named, found_fn found,
                       void *context)
{
    unsigned low = 0;
    for (unsigned end = n->n_args; end > 0;) {
        struct parts p = {.low = low, .width = n->args[end - 1]->width};
        while (end > 0 && n->args[end - 1]->width == p.width) {
            PUSH(p.lane, p.n, n->args[end - 1]);
            end--;
        }
        if (p.n >= FEWEST)
            try_runs(m, p, named, found, context);
        low += p.n * p.width;
    }
}

/* ---- registers and ports --------------------------------------------------------------------- */

struct reg_seed {
    unsigned leaf;
};

static void keep_row(struct module *m, const struct parts *p, void *context)
{
    const struct reg_seed *seed = context;
    for (unsigned i = 0; i < p->n; i++)
        if (info_of(m, p->lane[i])->vec)
            return; /* a vector of its own: the register takes its net */
    for (unsigned i = 0; i < p->n; i++)
        info_of(m, p->lane[i])->in_row = true;
    PUSH(m->plan->row, m->plan->n_rows,
         (struct reg_row){seed->leaf, p->low, p->width, p->n, p->lane});
}

static void try_register(struct module *m, unsigned i)
{
    const struct leaf *leaf = &m->self.leaf[i];
    struct node *next = m->reg[i].next;
    struct reg_seed seed = {i};
    if (next == NULL || m->reg[i].forwarded || next->op != OP_CONCAT)
        return;
    bool alone = info_of(m, next)->uses == 1;
    if (leaf->count < FEWEST) {
        try_concat(m, next, !alone, alone ? keep_row : NULL, &seed);
        return;
    }
    struct parts p = {.n = leaf->count, .width = leaf->width};
    p.lane = arena(p.n * sizeof *p.lane);
    for (unsigned e = 0; e < p.n; e++)
        p.lane[e] = mk_slice(&m->graph, next, e * p.width, p.width);
    try_runs(m, p, !alone, alone ? keep_row : NULL, &seed);
}

/* The ports of an instance array stand in a loop anyway, so any row will do there. */
static void try_port(struct module *m, unsigned k, unsigned i)
{
    const struct instance *inst = &m->inst[k];
    struct node *vec = m->inst_in[k][i];
    unsigned width = vec->width / inst->count;
    struct node **lane = arena(inst->count * sizeof *lane);
    info_of(m, vec)->in_row = true; /* the loop takes parts of it: a net of its own, if no row */
    if (vec->op != OP_CONCAT && vec->op != OP_SLICE && !is_const(vec))
        return; /* a net with a name */
    for (unsigned e = 0; e < inst->count; e++)
        lane[e] = mk_slice(&m->graph, vec, e * width, width);
    if (row_try(m, lane, inst->count, 0, false))
        m->plan->port_row[k][i] = lane;
}

/* ---- chains ---------------------------------------------------------------------------------- */

static bool links(const struct module *m, const struct node *n, const struct node *before)
{
    return before != n && before->op == n->op && before->width == n->width &&
           before->n_args == n->n_args && info_of(m, before)->vec == NULL;
}

/* Operands are sorted, so any of them may be the link before: the one that leads furthest, up to a limit. */
static unsigned longest(struct module *m, struct node *n, unsigned limit, struct node **before)
{
    unsigned best = 0;
    *before = NULL;
    for (unsigned k = 0; limit > 0 && k < n->n_args && k < 3; k++) {
        struct node *more;
        if (!links(m, n, n->args[k]))
            continue;
        unsigned length = 1 + longest(m, n->args[k], limit - 1, &more);
        if (length > best) {
            best = length;
            *before = n->args[k];
        }
    }
    return best;
}

static bool chain_op(enum op op)
{
    return op == OP_MUX || op == OP_AND || op == OP_OR || op == OP_ADD || op == OP_SUB;
}

static void try_chain(struct module *m, struct node *top)
{
    struct node **down = NULL, *before = top;
    unsigned n = 0;
    for (struct node *x = top; x; x = before) {
        PUSH(down, n, x);
        x->mark = m->plan; /* tried */
        longest(m, x, LOOK_AHEAD, &before);
    }
    if (n < FEWEST_LINKS)
        return;
    struct node **lane = arena(n * sizeof *lane);
    for (unsigned i = 0; i < n; i++)
        lane[i] = down[n - 1 - i];
    row_try(m, lane, n, least_ops(n), true);
}

static void try_chains(struct module *m)
{
    for (unsigned i = m->graph.n; i-- > 0;) {
        struct node *n = m->graph.node[i];
        if (is_needed(m, n) && chain_op(n->op) && n->mark != m->plan && is_candidate(m, n))
            try_chain(m, n);
    }
}

/* ---- one variable in all rounds of a loop ------------------------------------------------------- */

static const char *variable(const struct node *n)
{
    return n->name ? n->name : n->hint;
}

static const char *scope(const struct node *n)
{
    return n->scope ? n->scope : "";
}

static const char *function(const struct node *n)
{
    return n->loc.in ? n->loc.in->name : "";
}

static int by_place(const void *a, const void *b)
{
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    int order = strcmp(variable(x), variable(y));
    order = order ? order : strcmp(scope(x), scope(y));
    order = order ? order : strcmp(function(x), function(y));
    order = order ? order : (x->op > y->op) - (x->op < y->op);
    order = order ? order : (x->width > y->width) - (x->width < y->width);
    order = order ? order : (x->loc.line > y->loc.line) - (x->loc.line < y->loc.line);
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* In one function; or in one line of it. */
static bool same_place(const struct node *x, const struct node *y, bool in_line)
{
    return strcmp(variable(x), variable(y)) == 0 && strcmp(scope(x), scope(y)) == 0 &&
           strcmp(function(x), function(y)) == 0 && x->op == y->op && x->width == y->width &&
           (!in_line || x->loc.line == y->loc.line);
}

/* What several rounds of a loop give to one variable, at one place of the C: a loop, or one net for all. */
static void try_variables(struct module *m, bool in_line)
{
    struct node **list = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < m->graph.n; i++) {
        struct node *x = m->graph.node[i];
        if (variable(x) && is_needed(m, x) && is_candidate(m, x) && info_of(m, x)->uses > 1)
            PUSH(list, n, x);
    }
    if (n)
        qsort(list, n, sizeof *list, by_place);
    for (unsigned i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && same_place(list[i], list[end], in_line);)
            end++;
        unsigned lanes = end - i;
        bool free = true; /* of those before */
        for (unsigned k = i; k < end; k++)
            free &= info_of(m, list[k])->vec == NULL;
        if (lanes < 2 || !free)
            continue;
        if (lanes < FEWEST || !row_try(m, list + i, lanes, least_ops(lanes), true))
            row_gather(m, list + i, lanes);
    }
}

void find_vectors(struct module *m)
{
    for (unsigned i = 0; m->reg && i < m->self.n; i++)
        try_register(m, i);
    m->plan->port_row = arena(m->n_inst * sizeof *m->plan->port_row);
    for (unsigned k = 0; k < m->n_inst; k++) {
        unsigned n = m->inst[k].module->in.n;
        m->plan->port_row[k] = arena(n * sizeof **m->plan->port_row);
        for (unsigned i = 0; i < n; i++)
            if (m->inst_in[k][i] && m->inst[k].count > 1)
                try_port(m, k, i);
    }
    try_variables(m, true);
    try_variables(m, false);
    try_chains(m);
    for (unsigned i = m->graph.n; i-- > 0;) {
        struct node *n = m->graph.node[i];
        if (n->op == OP_CONCAT && is_needed(m, n))
            try_concat(m, n, true, NULL, NULL);
    }
}
