// SPDX-License-Identifier: Apache-2.0
/*
 * emit_module.c - one Verilog file: ports, registers, wires, memories, instances, clocked blocks.
 */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

/* ---- ports ---------------------------------------------------------------------------------------------- */

struct port {
    const char *direction, *name, *doc;
    unsigned width;
};

static unsigned list_ports(struct module *m, struct port **list)
{
    unsigned n = 0;
    if (!m->keep) {
        PUSH(*list, n, (struct port){"input  wire", "clk", NULL, 1});
        PUSH(*list, n, (struct port){"input  wire", "rst", NULL, 1});
    }
    for (unsigned i = 0; i < m->in.n; i++) {
        const struct leaf *leaf = &m->in.leaf[i];
        PUSH(*list, n, (struct port){"input  wire", leaf->name, leaf->doc, leaf_bits(leaf)});
    }
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (leaf->out)
            PUSH(*list, n,
                 (struct port){m->reg[i].forwarded ? "output wire" : "output reg ",
                               m->plan->reg[i], leaf->doc, leaf_bits(leaf)});
    }
    if (m->keep)
        PUSH(*list, n, (struct port){"output wire", "result", NULL, m->result_width});
    return n;
}

static void emit_ports(struct text *t, struct module *m)
{
    struct port *port = NULL;
    unsigned n = list_ports(m, &port), range_columns = 0;
    for (unsigned i = 0; i < n; i++)
        if (strlen(range(port[i].width)) > range_columns)
            range_columns = (unsigned)strlen(range(port[i].width));
    for (unsigned i = 0; i < n; i++)
        put_line(t, 4,
                 format("%s %*s%s%s", port[i].direction, (int)range_columns, range(port[i].width),
                        port[i].name, i + 1 < n ? "," : ""),
                 port[i].doc);
}

/* ---- declarations ------------------------------------------------------------------------------------------ */

static void emit_registers(struct text *t, struct module *m)
{
    bool any = false;
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (leaf->out || is_memory(leaf))
            continue;
        put_line(t, 4, format("reg %s%s;", range(leaf_bits(leaf)), m->plan->reg[i]), leaf->doc);
        any = true;
    }
    /* what reset leaves alone starts with zero, as the C struct does */
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct reg_info *r = &m->reg[i];
        const struct leaf *leaf = &m->self.leaf[i];
        if (is_memory(leaf) || r->forwarded || r->reset)
            continue;
        put_line(t, 4, format("initial %s = %u'%s0;", m->plan->reg[i], leaf_bits(leaf),
                              leaf_bits(leaf) == 1 ? "b" : "d"),
                 NULL);
        any = true;
    }
    if (any)
        put(t, "\n");
}

/* ---- what nothing reads ------------------------------------------------------------------------------------- */

/* The bits of every net that some text reads. */
struct bits {
    struct module *m;
    struct net_bits {
        const char *net;
        unsigned width;
        bool *read;
    } * net;
    unsigned n;
};

static void add_net(struct bits *b, const char *net, unsigned width)
{
    PUSH(b->net, b->n, (struct net_bits){net, width, arena(width)});
}

static void mark_read(struct bits *b, const char *net, unsigned low, unsigned width)
{
    for (unsigned i = 0; i < b->n; i++)
        if (b->net[i].net == net)
            memset(b->net[i].read + low, true, width);
}

static void read_by_nodes(struct bits *b)
{
    struct module *m = b->m;
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        const struct info *info = info_of(m, n);
        struct ref r;
        if (info->uses == 0 || info->checks_only || !node_ref(m, n, &r))
            continue;
        if (n->op == OP_SLICE || info->whole)
            mark_read(b, r.net, r.low, n->width);
    }
}

/* Inputs, registers, outputs of children, and wires; a vector's lanes side by side. */
static void add_nets(struct bits *b)
{
    struct module *m = b->m;
    for (unsigned i = 0; i < m->in.n; i++)
        add_net(b, m->in.leaf[i].name, leaf_bits(&m->in.leaf[i]));
    for (unsigned i = 0; i < m->self.n; i++)
        if (!m->self.leaf[i].out && !is_memory(&m->self.leaf[i]))
            add_net(b, m->plan->reg[i], leaf_bits(&m->self.leaf[i]));
    for (unsigned k = 0; k < m->n_inst; k++)
        for (unsigned i = 0; i < m->inst[k].module->self.n; i++)
            if (m->plan->child[k][i])
                add_net(b, m->plan->child[k][i],
                        leaf_bits(&m->inst[k].module->self.leaf[i]) * m->inst[k].count);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        const struct info *info = info_of(m, n);
        if (info->is_net && !is_const(n) && !info->checks_only)
            add_net(b, n->net, n->width);
    }
    for (unsigned i = 0; i < m->plan->n_vectors; i++) {
        const struct vector *v = m->plan->vector[i];
        if (!v->needed || v->checks_only)
            continue;
        add_net(b, v->net, v->slots * v->width);
        for (unsigned k = 0; k < v->slots; k++)
            if (v->read[k] || v->sum)
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

static bool uses(const struct text *t, const char *what)
{
    return t->n && strstr(t->s, what);
}

static void emit_unused(struct text *t, struct module *m, const struct text *blocks)
{
    struct bits b = {.m = m};
    struct text line = {0};
    unsigned count = 0;
    add_nets(&b);
    read_by_nodes(&b);
    if (!m->keep && !uses(blocks, "posedge clk") && m->n_inst == 0)
        add_net(&b, "clk", 1);
    if (!m->keep && !uses(blocks, "rst") && m->n_inst == 0)
        add_net(&b, "rst", 1);
    put(&line, "wire unused = " ALIGN "&{1'b0");
    for (unsigned i = 0; i < b.n; i++)
        put_unused(&line, &b.net[i], &count);
    put(&line, "};");
    if (count == 0)
        return;
    put(t, "\n    // nothing reads these\n");
    put_line(t, 4, line.s, NULL);
}

static void put_text(struct text *t, const struct text *from)
{
    if (from->n)
        put(t, "%s", from->s);
}

/* ---- the whole file ---------------------------------------------------------------------------------------------- */

static void emit_head(struct text *t, const struct module *m)
{
    if (m->doc)
        put_comment(t, m->doc);
    put(t, "// Generated by rtlgen from %s; edit that file.\n\n", m->source);
}

/* All registers in one vector, for lockstep. */
static void emit_state_port(struct text *t, const struct module *m)
{
    unsigned bits = own_state_bits(m);
    if (bits == 0)
        return;
    put(t, "`ifdef HLS_STATE\n    ,\n    output wire %shls_state\n`endif\n", range(bits));
}

static void emit_state(struct text *t, const struct module *m)
{
    struct text line = {0};
    unsigned n = 0;
    for (unsigned k = m->n_inst; k-- > 0;)
        if (own_state_bits(m->inst[k].module))
            put(&line, "%s%s_hls_state", n++ ? COMMA : "", m->inst[k].name);
    for (unsigned i = m->self.n; i-- > 0;)
        if (!is_memory(&m->self.leaf[i]))
            put(&line, "%s%s", n++ ? COMMA : "", m->plan->reg[i]);
    if (n == 0)
        return;
    put(t, "\n`ifdef HLS_STATE\n");
    put_line(t, 4, format("assign hls_state = " ALIGN "{%s};", line.s), NULL);
    put(t, "`endif\n");
}

static int by_value(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : strcmp(x->c, y->c);
}

/* Enumerators that the text uses, by width. */
static void emit_labels(struct text *t, const struct plan *p)
{
    bool *done = arena(p->n_labels + 1);
    if (p->n_labels)
        qsort(p->label, p->n_labels, sizeof *p->label, by_value);
    for (unsigned i = 0; i < p->n_labels; i++) {
        struct text line = {0};
        for (unsigned k = i; k < p->n_labels; k++) {
            const struct label *l = &p->label[k];
            if (done[k] || l->width != p->label[i].width)
                continue;
            done[k] = true;
            put(&line, "%s%s = %u'%s%llu", line.n ? COMMA : "", l->name, l->width,
                l->width == 1 ? "b" : "d", (unsigned long long)l->value);
        }
        if (line.n)
            put_line(t, 4,
                     format("localparam %s" ALIGN "%s;", range(p->label[i].width), line.s), NULL);
    }
}

static void emit_body(struct text *t, struct module *m)
{
    struct text memories = {0}, nets = {0}, blocks = {0}, instances = {0}, checks = {0};
    emit_memories(&memories, m);
    emit_nets(&nets, m, false);
    emit_blocks(&blocks, m);
    emit_memory_ports(&blocks, m);
    emit_instances(&instances, m);
    emit_checks(&checks, m);
    emit_labels(t, m->plan);
    emit_registers(t, m);
    if (m->plan->uses_genvar)
        put(t, "    genvar %s;\n", m->plan->genvar);
    if (m->plan->uses_integer)
        put(t, "    integer %s;\n", m->plan->integer);
    put_text(t, &memories);
    emit_instance_wires(t, m);
    put_text(t, &nets);
    put_text(t, &blocks);
    put_text(t, &instances);
    emit_unused(t, m, &blocks);
    put_text(t, &checks);
    emit_state(t, m);
}

static void emit_function(struct text *t, struct module *m)
{
    struct text nets = {0};
    emit_nets(&nets, m, false);
    emit_labels(t, m->plan);
    if (m->plan->uses_genvar)
        put(t, "    genvar %s;\n", m->plan->genvar);
    if (m->plan->uses_integer)
        put(t, "    integer %s;\n", m->plan->integer);
    put_text(t, &nets);
    put_line(t, 4, format("assign result = " ALIGN "%s;", scalar(m, m->result)), NULL);
    emit_unused(t, m, &nets);
}

void emit_module(struct text *t, struct module *m)
{
    emit_head(t, m);
    put(t, "module %s (\n", m->name);
    emit_ports(t, m);
    if (!m->keep)
        emit_state_port(t, m);
    put(t, ");\n");
    if (m->keep)
        emit_function(t, m);
    else
        emit_body(t, m);
    put(t, "endmodule\n");
}
