// SPDX-License-Identifier: Apache-2.0
/*
 * emit_unused.c - bits that nothing reads, gathered in one wire that linters know by its name.
 */
#include "emit/emit.h"
#include "graph/graph.h"

#include <string.h>

/* The bits of every net that some text reads. */
enum { BUCKETS = 1021 };

struct bits {
    struct module *m;
    enum section section;
    struct net_bits {
        const char *net;
        unsigned width;
        bool *read;
        unsigned older; /* 1 + number of the net before in the same bucket */
    } *net;
    unsigned n;
    unsigned first[BUCKETS]; /* 1 + number of the newest net; 0: none */
};

/* By the address of its name. */
static unsigned bucket_of(const char *net)
{
    return (unsigned)((uintptr_t)net >> 4) % BUCKETS;
}

static void add_net(struct bits *b, const char *net, unsigned width)
{
    unsigned *first = &b->first[bucket_of(net)];
    PUSH(b->net, b->n, (struct net_bits){net, width, arena(width), *first});
    *first = b->n;
}

static void mark_read(struct bits *b, const char *net, unsigned low, unsigned width)
{
    for (unsigned i = b->first[bucket_of(net)]; b->net && i > 0; i = b->net[i - 1].older)
        if (b->net[i - 1].net == net)
            memset(b->net[i - 1].read + low, true, width);
}

static void read_by_nodes(struct bits *b)
{
    struct module *m = b->m;
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        const struct info *info = info_found(m, n);
        struct ref r;
        if (!is_needed(m, n) || info->section != b->section || !node_ref(m, n, &r))
            continue;
        if (n->op == OP_SLICE || info->whole)
            mark_read(b, r.net, r.low, n->width);
    }
}

/* Inputs, registers and outputs of children. */
static void add_leaves(struct bits *b)
{
    struct module *m = b->m;
    for (unsigned i = 0; i < m->in.n; i++)
        if ((int)i != input_rst(m) && !m->in.leaf[i].unread)
            add_net(b, m->plan->in[i], leaf_bits(&m->in.leaf[i]));
    for (unsigned i = 0; i < m->self.n; i++)
        if (!m->self.leaf[i].out && !is_memory(&m->self.leaf[i]))
            add_net(b, m->plan->reg[i], leaf_bits(&m->self.leaf[i]));
    for (unsigned k = 0; k < m->n_inst; k++)
        for (unsigned i = 0; i < m->inst[k].module->self.n; i++)
            if (m->plan->child[k][i])
                add_net(b, m->plan->child[k][i],
                        leaf_bits(&m->inst[k].module->self.leaf[i]) * m->inst[k].count);
}

/* Wires; a vector's lanes side by side. */
static void add_nets(struct bits *b)
{
    struct module *m = b->m;
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        const struct info *info = info_found(m, n);
        if (info && info->is_net && !is_const(n) && info->section == b->section)
            add_net(b, info->net, n->width);
    }
    for (unsigned i = 0; i < m->plan->n_vectors; i++) {
        const struct vector *v = m->plan->vector[i];
        if (!v->needed || v->section != b->section)
            continue;
        add_net(b, v->net, v->slots * v->width);
        for (unsigned k = 0; k < v->slots; k++)
            if (v->read[k])
                mark_read(b, v->net, k * v->width, v->width);
    }
}

static void put_unused(struct text *t, const struct net_bits *n, unsigned *count)
{
    for (unsigned low = 0; low < n->width;) {
        unsigned end = low;
        while (end < n->width && !n->read[end])
            end++;
        if (end > low) {
            put(t, COMMA "%s", part(n->net, n->width, low, end - low));
            ++*count;
        }
        low = end + 1;
    }
}

static bool mentions(const char *text, const char *what)
{
    return text && strstr(text, what);
}

static bool is_read(const struct module *m, unsigned memory)
{
    for (unsigned i = 0; i < m->n_bram; i++)
        if (m->bram[i].mem == memory)
            return true;
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        if (n->op == OP_MEMREAD && n->index == memory && is_needed(m, n))
            return true;
    }
    return false;
}

/* Of a memory that is only written, one word stands for all. */
static void put_unread_memories(struct text *t, const struct module *m, unsigned *count)
{
    for (unsigned i = 0; i < m->self.n; i++)
        if (is_memory(&m->self.leaf[i]) && !is_read(m, i)) {
            put(t, COMMA "%s[0]", m->plan->reg[i]);
            ++*count;
        }
}

/* "a, b[3:1], c[0]" of what nothing reads; NULL for nothing. */
static const char *unread(struct bits *b)
{
    struct text line = {0};
    unsigned count = 0;
    add_nets(b);
    read_by_nodes(b);
    for (unsigned i = 0; i < b->n; i++)
        put_unused(&line, &b->net[i], &count);
    if (b->section == IN_MODULE)
        put_unread_memories(&line, b->m, &count);
    return count ? line.s : NULL;
}

void emit_unused(struct text *t, struct module *m, enum section section, const char *blocks)
{
    struct bits b = {.m = m, .section = section};
    if (section == IN_MODULE)
        add_leaves(&b);
    bool flat = section == IN_MODULE && !m->keep && m->n_inst == 0;
    if (flat && !mentions(blocks, "posedge clk"))
        add_net(&b, "clk", 1);
    if (flat && !mentions(blocks, "rst"))
        add_net(&b, "rst", 1);
    const char *list = unread(&b);
    if (!list)
        return;
    if (section == IN_MODULE)
        put(t, "\n");
    put_line(t, 4, format("wire %s = " ALIGN "&{1'b0%s};", m->plan->unused[section], list),
             section == IN_MODULE ? "nothing reads these" : NULL);
}

void emit_unused_variables(struct text *t, struct module *f, struct text *declared)
{
    struct bits b = {.m = f, .section = IN_MODULE};
    add_leaves(&b);
    const char *list = unread(&b), *unused = f->plan->unused[IN_MODULE];
    if (!list)
        return;
    put_line(declared, 8, format("reg %s; // linters know it by its name", unused), NULL);
    put_line(t, 12, format("%s = " ALIGN "&{1'b0%s};", unused, list), NULL);
}
