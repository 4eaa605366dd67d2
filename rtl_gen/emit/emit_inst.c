// SPDX-License-Identifier: Apache-2.0
/*
 * emit_inst.c - child modules: a wire per output, one instance each, arrays as a generate loop
 * over vectors that hold the ports of all elements side by side.
 */
#include "emit/dialect.h"
#include "graph/graph.h"

#include <assert.h>

void emit_instance_wires(struct text *t, struct module *m)
{
    struct text state = {0};
    for (unsigned k = 0; k < m->n_inst; k++) {
        const struct instance *inst = &m->inst[k];
        const struct module *child = inst->module;
        unsigned bits = own_state_bits(child) * inst->count;
        struct declaring d = {.t = t, .kind = "wire"};
        for (unsigned i = 0; i < child->self.n; i++)
            if (m->plan->child[k][i])
                declare_net(&d, leaf_bits(&child->self.leaf[i]) * inst->count, m->plan->child[k][i],
                            NULL);
        declare_end(&d);
        if (bits)
            put(&state, "    wire %s%s_hls_state;\n", range(bits), inst->name);
    }
    if (state.n)
        put(t, "`ifdef HLS_STATE\n%s`endif\n", state.s);
}

/* The part of a vector over all elements that belongs to this one. */
static const char *element(struct module *m, const struct instance *inst, const char *net,
                           unsigned width)
{
    const char *i = m->plan->genvar;
    if (inst->count == 1)
        return net;
    return width == 1 ? format("%s[%s]", net, i)
                      : format("%s[%s * %u +: %u]", net, i, width, width);
}

const char *instance_input(struct text *t, struct module *m, unsigned k, unsigned i)
{
    const struct instance *inst = &m->inst[k];
    const struct leaf *leaf = &inst->module->in.leaf[i];
    struct node *vec = m->inst_in[k][i], **row = m->plan->port_row[k][i];
    assert(row || inst->count == 1 || net_of(m, vec));
    if (row == NULL)
        return inst->count == 1 ? scalar(m, vec)
                                : element(m, inst, net_of(m, vec), leaf_bits(leaf));
    struct scope s = {.m = m, .n = inst->count, .owner = row};
    emit_tables(t, m->plan, row);
    return expr(&s, row, 0);
}

unsigned connect_clock(struct text *t, struct module *m, unsigned k, struct connection **list)
{
    int rst = input_rst(m->inst[k].module);
    unsigned n = 0;
    PUSH(*list, n, (struct connection){"clk", "clk"});
    PUSH(*list, n,
         (struct connection){
             "rst",
             rst < 0 ? "rst" : format("rst || (%s)", instance_input(t, m, k, (unsigned)rst))});
    return n;
}

unsigned connect_ports(struct text *t, struct text *before, struct text *behind, struct module *m,
                       unsigned k, struct connection **list)
{
    const struct instance *inst = &m->inst[k];
    const struct module *child = inst->module;
    unsigned n = connect_clock(t, m, k, list);
    (void)before, (void)behind;
    for (unsigned i = 0; i < child->in.n; i++)
        if (m->inst_in[k][i] && (int)i != input_rst(child))
            PUSH(*list, n, (struct connection){child->in.leaf[i].name, instance_input(t, m, k, i)});
    for (unsigned i = 0; i < child->self.n; i++)
        if (m->plan->child[k][i])
            PUSH(*list, n,
                 (struct connection){
                     child->self.leaf[i].name,
                     element(m, inst, m->plan->child[k][i], leaf_bits(&child->self.leaf[i]))});
    return n;
}

static void emit_instance(struct text *t, struct module *m, unsigned k)
{
    const struct instance *inst = &m->inst[k];
    const struct module *child = inst->module;
    struct connection *port = NULL;
    struct text before = {0}, behind = {0};
    unsigned indent = inst->count > 1 ? 8 : 4, bits = own_state_bits(child);
    const char *head = inst->count > 1 ? loop_head(m->plan, true, inst->count) : NULL;
    put(t, "\n");
    unsigned n = dialect_of(m)->connect(t, &before, &behind, m, k, &port);
    if (head)
        put_line(t, 4, format("%s begin : g_%s", head, inst->name), NULL);
    put(t, "%s", before.n ? before.s : "");
    put_line(t, indent, format("%s %s (", child->verilog, m->plan->cell[k]), NULL);
    if (bits)
        put(t, "`ifdef HLS_STATE\n%*s.hls_state(%s),\n`endif\n", (int)indent + 4, "",
            element(m, inst, format("%s_hls_state", inst->name), bits));
    unsigned i = 0;
    if (input_rst(child) < 0) { /* the two that all have, in one line */
        put(t, "%*s.clk(clk), .rst(rst)%s\n", (int)indent + 4, "", n > 2 ? "," : "");
        i = 2;
    }
    for (; i < n; i++)
        put_line(t, indent + 4,
                 format(".%s(" ALIGN "%s)%s", port[i].name, port[i].to, i + 1 < n ? "," : ""),
                 NULL);
    put(t, "%*s);\n%s", (int)indent, "", behind.n ? behind.s : "");
    if (head)
        put_line(t, 4, "end", NULL);
}

void emit_instances(struct text *t, struct module *m)
{
    for (unsigned k = 0; k < m->n_inst; k++)
        emit_instance(t, m, k);
    bool first = true;
    for (unsigned i = 0; i < m->self.n; i++) {
        if (!m->reg[i].forwarded)
            continue;
        put(t, "%s", first ? "\n" : "");
        first = false;
        put_line(t, 4,
                 format("assign %s = " ALIGN "%s;", m->plan->reg[i], scalar(m, m->reg[i].next)),
                 NULL);
    }
}
