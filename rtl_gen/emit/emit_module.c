// SPDX-License-Identifier: Apache-2.0
/*
 * emit_module.c - one Verilog file: ports, registers, wires, memories, instances, clocked blocks.
 */
#include "emit/dialect.h"
#include "base/options.h"
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- ports ----------------------------------------------------------------------------------- */

struct port {
    const char *direction, *name;
    unsigned width;
    const char *doc, *group; /* group: over the first port of a member */
};

/* The comment on a leaf; one on a member with several leaves is on the first port of them alone. */
static const char *doc_of(const struct layout *layout, unsigned i)
{
    const struct leaf *leaf = &layout->leaf[i];
    for (unsigned k = i; k-- > 0;) {
        const struct leaf *before = &layout->leaf[k];
        if (before->member.line != leaf->member.line || before->member.file != leaf->member.file)
            break;
        if (!before->unread && before->doc == leaf->doc)
            return NULL;
    }
    return leaf->doc;
}

/* The comment around the port before this one. */
static const char *group_before(const struct layout *layout, unsigned i)
{
    while (i > 0 && layout->leaf[i - 1].unread)
        i--;
    return i > 0 ? layout->leaf[i - 1].group : NULL;
}

/* "reply: of axi_master", over the first port of a nested member. */
static const char *group_of(const struct layout *layout, unsigned i)
{
    const struct leaf *leaf = &layout->leaf[i];
    const char *c = leaf->c + (leaf->out ? strlen("out.") : 0);
    if (!leaf->group || group_before(layout, i) == leaf->group)
        return NULL;
    return format("%.*s: %s", (int)strcspn(c, ".["), c, leaf->group);
}

static struct port port_of(const struct layout *layout, unsigned i, const char *direction,
                           const char *name)
{
    const struct leaf *leaf = &layout->leaf[i];
    return (struct port){direction, name, leaf_bits(leaf),
                         leaf->doc == leaf->group ? NULL : doc_of(layout, i), group_of(layout, i)};
}

static unsigned list_ports(struct module *m, struct port **list)
{
    unsigned n = 0;
    if (!m->keep) {
        PUSH(*list, n, (struct port){"input  wire", "clk", 1, NULL, NULL});
        PUSH(*list, n, (struct port){"input  wire", "rst", 1, NULL, NULL});
    }
    for (unsigned i = 0; i < m->in.n; i++) {
        if ((int)i == input_rst(m) || m->in.leaf[i].unread)
            continue;
        PUSH(*list, n, port_of(&m->in, i, "input  wire", m->in.leaf[i].name));
    }
    for (unsigned i = 0; i < m->self.n; i++) {
        const char *direction = m->reg[i].forwarded ? "output wire" : "output reg ";
        if (m->self.leaf[i].out)
            PUSH(*list, n, port_of(&m->self, i, direction, m->plan->reg[i]));
    }
    if (m->keep)
        PUSH(*list, n, (struct port){"output wire", "result", m->result_width, NULL, NULL});
    return n;
}

void emit_ports(struct text *t, struct module *m)
{
    struct port *port = NULL;
    unsigned n = list_ports(m, &port), range_columns = 0;
    for (unsigned i = 0; i < n; i++)
        if (strlen(range(port[i].width)) > range_columns)
            range_columns = (unsigned)strlen(range(port[i].width));
    for (unsigned i = 0; i < n; i++) {
        if (port[i].group)
            put_comment(t, 4, port[i].group);
        put_line(t, 4,
                 format("%s %*s%s%s", port[i].direction, (int)range_columns, range(port[i].width),
                        port[i].name, i + 1 < n ? "," : ""),
                 port[i].doc);
    }
}

/* ---- declarations ---------------------------------------------------------------------------- */

void declare_end(struct declaring *d)
{
    if (d->names.n)
        put_line(d->t, 4, format("%s %s" ALIGN "%s;", d->kind, range(d->width), d->names.s), NULL);
    d->names = (struct text){0};
}

void declare_kind(struct declaring *d, const char *kind)
{
    if (strcmp(kind, d->kind) != 0)
        declare_end(d);
    d->kind = kind;
}

void declare_net(struct declaring *d, unsigned width, const char *net, const char *doc)
{
    if (doc || width != d->width)
        declare_end(d);
    d->width = width;
    if (doc)
        put_line(d->t, 4, format("%s %s%s;", d->kind, range(width), net), doc);
    else
        put(&d->names, "%s%s", d->names.n ? COMMA : "", net);
}

static void emit_registers(struct text *t, struct module *m)
{
    bool any = false;
    struct declaring d = {.t = t, .kind = "reg"};
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (leaf->out || is_memory(leaf))
            continue;
        const char *kind = register_kind(m, i);
        declare_kind(&d, kind);
        declare_net(&d, strcmp(kind, "reg") == 0 ? leaf_bits(leaf) : 1, m->plan->reg[i],
                    doc_of(&m->self, i));
        any = true;
    }
    declare_end(&d);
    /* what reset leaves alone starts with zero, as the C struct does */
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct reg_info *r = &m->reg[i];
        const struct leaf *leaf = &m->self.leaf[i];
        if (is_memory(leaf) || r->forwarded || r->reset)
            continue;
        put_line(t, 4,
                 format("initial %s = %u'%s0;", m->plan->reg[i], leaf_bits(leaf),
                        leaf_bits(leaf) == 1 ? "b" : "d"),
                 NULL);
        any = true;
    }
    if (any)
        put(t, "\n");
}

static void put_text(struct text *t, const struct text *from)
{
    if (from->n)
        put(t, "%s", from->s);
}

/* After an empty line. */
static void put_functions(struct text *t, const struct text *functions)
{
    if (functions->n && t->n >= 2 && t->s[t->n - 2] != '\n')
        put(t, "\n");
    put_text(t, functions);
}

/* The empty line in front of the first one is there already behind a function. */
static void put_subjects(struct text *t, const struct text *subjects)
{
    bool empty = subjects->n && subjects->s[0] == '\n' && t->n >= 2 && t->s[t->n - 2] == '\n';
    if (subjects->n)
        put(t, "%s", subjects->s + empty);
}

/* ---- the whole file -------------------------------------------------------------------------- */

static void emit_head(struct text *t, const struct module *m)
{
    if (m->licence)
        put(t, "// SPDX-License-Identifier: %s\n", m->licence);
    if (m->doc)
        put_comment(t, 0, m->doc);
    if (m->machine)
        put_comment(t, 0, format("Machine: %s", m->machine));
    put(t, "// Generated by rtlgen " RTLGEN_VERSION " from %s; edit that file.\n\n", m->source);
}

/* All registers in one vector, for lockstep. It comes first: no comma is left over without it. */
static void emit_state_port(struct text *t, const struct module *m)
{
    unsigned bits = own_state_bits(m);
    if (bits)
        put(t, "`ifdef HLS_STATE\n    output wire %shls_state,\n`endif\n", range(bits));
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

void emit_declarations(struct text *t, struct plan *p, enum section section, bool genvar)
{
    struct label *label = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < p->n_labels; i++)
        if (p->label[i].section == section && !p->label[i].typed)
            PUSH(label, n, p->label[i]);
    if (n)
        qsort(label, n, sizeof *label, by_value);
    bool *done = arena(n + 1);
    for (unsigned i = 0; i < n; i++) {
        struct text line = {0};
        for (unsigned k = i; k < n; k++) {
            const struct label *l = &label[k];
            if (done[k] || l->width != label[i].width)
                continue;
            done[k] = true;
            put(&line, "%s%s = %s", line.n ? COMMA : "", l->name,
                l->width > 64 ? format("%u'd%llu", l->width, (unsigned long long)l->value)
                              : literal(l->width, &l->value, l->width));
        }
        if (line.n)
            put_line(t, 4, format("localparam %s" ALIGN "%s;", range(label[i].width), line.s),
                     NULL);
    }
    if (genvar)
        put(t, "    genvar %s;\n", p->genvar);
}

static void emit_body(struct text *t, struct module *m)
{
    struct text memories = {0}, functions = {0}, subjects = {0}, instances = {0};
    emit_memories(&memories, m);
    emit_subjects(&subjects, m);
    emit_instances(&instances, m);
    emit_functions(&functions, m);
    emit_registers(t, m);
    emit_declarations(t, m->plan, IN_MODULE, m->plan->uses_genvar[IN_MODULE]);
    put_text(t, &memories);
    emit_instance_wires(t, m);
    put_functions(t, &functions);
    put_subjects(t, &subjects);
    put_text(t, &instances);
    emit_unused(t, m, IN_MODULE, subjects.s);
    dialect_of(m)->checks(t, m);
    emit_state(t, m);
}

static void emit_function(struct text *t, struct module *m)
{
    struct text functions = {0}, nets = {0};
    emit_nets(&nets, m, IN_MODULE);
    emit_functions(&functions, m);
    const char *result = scalar(m, m->result);
    emit_declarations(t, m->plan, IN_MODULE, m->plan->uses_genvar[IN_MODULE]);
    put_functions(t, &functions);
    put_text(t, &nets);
    put_line(t, 4, format("assign result = " ALIGN "%s;", result), NULL);
    emit_unused(t, m, IN_MODULE, nets.s);
}

static void no_edge(struct text *t, struct module *m)
{
    (void)t, (void)m;
}

static const struct dialect verilog_2005 = {
    .ending = "v",
    .ports = emit_ports,
    .edge = no_edge,
    .connect = connect_ports,
    .checks = emit_checks,
    .set_inputs = set_ports,
};

const struct dialect *dialect_of(const struct module *m)
{
    return m->package ? &system_verilog : &verilog_2005;
}

void emit_module(struct text *t, struct module *m)
{
    emit_head(t, m);
    put(t, "`default_nettype none\nmodule %s (\n", m->verilog);
    if (!m->keep)
        emit_state_port(t, m);
    dialect_of(m)->ports(t, m);
    put(t, ");\n");
    dialect_of(m)->edge(t, m);
    if (m->keep)
        emit_function(t, m);
    else
        emit_body(t, m);
    put(t, "endmodule\n`default_nettype wire\n");
}
