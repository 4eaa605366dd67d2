// SPDX-License-Identifier: Apache-2.0
/*
 * sv_edge.c - a module's ports in SystemVerilog: `in` and `out`, the structs of the C. The body knows a net for each scalar of them, as
 * in Verilog-2005; here it is taken from `in` and put into `out`, and the same is done around each instance.
 */
#include "emit/dialect.h"
#include "graph/graph.h"

#include <ctype.h>
#include <string.h>

/* On its way through a struct. */
struct edge {
    struct text *t;
    struct module *m;
    const struct layout *layout;
    unsigned leaf;            /* the next one */
    const char *block;        /* begins the names of blocks */
    const char **net;         /* by leaf */
    const char *low;          /* where the nets begin: of an instance in a loop, "i * "; or NULL */
    bool input;               /* nets from the struct, not into it */
    bool declares;            /* the nets that are no arrays, too */
    unsigned indent, n_loops; /* that are open */
    unsigned count[MAX_DIMS];
};

/* The bits of the net that the loops around it mean. */
static const char *slice(const struct edge *e, const char *net, const struct leaf *leaf)
{
    unsigned below = leaf_bits(leaf);
    struct text at = {0};
    if (e->low)
        put(&at, below == 1 ? "%s" : "%s * %u", e->low, below);
    for (unsigned i = 0; i < e->n_loops; i++) {
        below /= e->count[i];
        if (e->count[i] > 1)
            put(&at, below == 1 ? "%shls_%u" : "%shls_%u * %u", at.n ? " + " : "", i, below);
    }
    if (at.n == 0)
        return net;
    return below == 1 ? format("%s[%s]", net, at.s) : format("%s[%s +: %u]", net, at.s, below);
}

static void open_loops(struct edge *e, const struct member *member, const char **path)
{
    for (unsigned d = 0; d < member->n_dims; d++) {
        unsigned i = e->n_loops++;
        e->count[i] = member->count[d];
        put_line(e->t, e->indent,
                 format("for (genvar hls_%u = 0; hls_%u < %u; hls_%u = hls_%u + 1) begin : %s_%u%s",
                        i, i, member->count[d], i, i, e->block, e->leaf,
                        i > 0 ? format("_%u", i) : ""),
                 NULL);
        *path = format("%s[hls_%u]", *path, i);
        e->indent += 4;
    }
}

static void close_loops(struct edge *e, const struct member *member)
{
    for (unsigned d = 0; d < member->n_dims; d++) {
        e->indent -= 4;
        e->n_loops--;
        put_line(e->t, e->indent, "end", NULL);
    }
}

static void scalar_edge(struct edge *e, const struct member *member, const char *path)
{
    const struct leaf *leaf = &e->layout->leaf[e->leaf];
    const char *net = slice(e, e->net[e->leaf++], leaf);
    if (e->declares && leaf->n_dims == 0)
        put_line(e->t, e->indent, format("wire %s%s =" SOFT "%s;", range(leaf->width), net, path),
                 NULL);
    else if (e->input)
        put_line(e->t, e->indent, format("assign %s =" SOFT "%s;", net, path), NULL);
    else if (member->enumeration)
        put_line(e->t, e->indent,
                 format("assign %s =" SOFT "%s;", path,
                        sv_cast(e->m, format("%s::%s", e->m->package, member->type), net)),
                 NULL);
    else
        put_line(e->t, e->indent, format("assign %s =" SOFT "%s;", path, net), NULL);
}

/* Every scalar; arrays of structs, and of enums, for which there is no cast, in loops. */
static void walk(struct edge *e, const struct record *r, const char *path)
{
    for (unsigned i = 0; i < r->n; i++) {
        const struct member *member = &r->member[i];
        const char *inner = format("%s.%s", path, member->name);
        bool loops = member->record || member->enumeration;
        if (loops)
            open_loops(e, member, &inner);
        if (member->record)
            walk(e, member->record, inner);
        else
            scalar_edge(e, member, inner);
        if (loops)
            close_loops(e, member);
    }
}

/* ---- the module's own ports ------------------------------------------------------------------ */

static const char *type_of(const struct module *m, const struct record *r)
{
    return format("%s::%s", m->package, r->type);
}

static void ports(struct text *t, struct module *m)
{
    if (m->keep) {
        emit_ports(t, m);
        return;
    }
    struct text list = {0};
    if (m->in.record)
        put(&list, ",\n    input  wire %s in", type_of(m, m->in.record));
    if (m->self.record)
        put(&list, ",\n    output wire %s out", type_of(m, m->self.record));
    put(t, "    input  wire clk,\n    input  wire rst%s\n", list.n ? list.s : "");
}

static unsigned first_input(const struct module *m)
{
    return input_rst(m) == 0 ? 1 : 0;
}

/* The output ports are registers in front of the others (or, forwarded, wires of the instances). */
static unsigned first_output(const struct module *m)
{
    unsigned i = 0;
    while (i < m->self.n && !m->self.leaf[i].out)
        i++;
    return i;
}

static void declare_ports(struct text *t, struct module *m)
{
    struct declaring in = {.t = t, .kind = "wire"}, out = in;
    for (unsigned i = first_input(m); i < m->in.n; i++)
        if (m->in.leaf[i].n_dims > 0)
            declare_net(&in, leaf_bits(&m->in.leaf[i]), m->plan->in[i], NULL);
    declare_end(&in);
    for (unsigned i = 0; i < m->self.n; i++) {
        if (!m->self.leaf[i].out)
            continue;
        const char *kind = m->reg[i].forwarded ? "wire" : register_kind(m, i);
        bool vector = strcmp(kind, "wire") == 0 || strcmp(kind, "reg") == 0;
        declare_kind(&out, kind);
        declare_net(&out, vector ? leaf_bits(&m->self.leaf[i]) : 1, m->plan->reg[i], NULL);
    }
    declare_end(&out);
}

static void own_edge(struct text *t, struct module *m)
{
    if (m->keep)
        return;
    struct edge in = {.t = t,
                      .m = m,
                      .layout = &m->in,
                      .leaf = first_input(m),
                      .block = "hls_in",
                      .net = m->plan->in,
                      .input = true,
                      .declares = true,
                      .indent = 4};
    struct edge out = {.t = t,
                       .m = m,
                       .layout = &m->self,
                       .leaf = first_output(m),
                       .block = "hls_out",
                       .net = m->plan->reg,
                       .indent = 4};
    declare_ports(t, m);
    if (m->in.record)
        walk(&in, m->in.record, "in");
    if (m->self.record)
        walk(&out, m->self.record, "out");
    put(t, "\n");
    sv_enums(t, m);
}

/* ---- those of an instance -------------------------------------------------------------------- */

static bool is_name(const char *text)
{
    for (; isalnum((unsigned char)*text) || *text == '_';)
        text++;
    return *text == 0;
}

/* The nets, one for each scalar, that go into the struct; a value without a name has one where the struct takes parts of it. */
static const char **input_nets(struct text *t, struct text *before, struct module *m, unsigned k,
                               unsigned indent)
{
    const struct instance *inst = &m->inst[k];
    const struct layout *in = &inst->module->in;
    const char **net = arena((in->n + 1) * sizeof *net);
    for (unsigned i = first_input(inst->module); i < in->n; i++) {
        net[i] = instance_input(t, m, k, i);
        if (in->leaf[i].n_dims == 0 || is_name(net[i]))
            continue;
        const char *name = format("hls_%s_%s", inst->name, in->leaf[i].name);
        put_line(before, indent,
                 format("wire %s%s =" SOFT "%s;", range(leaf_bits(&in->leaf[i])), name, net[i]),
                 NULL);
        net[i] = name;
    }
    return net;
}

static unsigned connect(struct text *t, struct text *before, struct text *behind, struct module *m,
                        unsigned k, struct connection **list)
{
    const struct instance *inst = &m->inst[k];
    const struct module *child = inst->module;
    unsigned n = connect_clock(t, m, k, list), indent = inst->count > 1 ? 8 : 4;
    struct edge in = {.t = before,
                      .m = m,
                      .layout = &child->in,
                      .leaf = first_input(child),
                      .block = format("hls_%s_in", inst->name),
                      .indent = indent};
    struct edge out = {.t = behind,
                       .m = m,
                       .layout = &child->self,
                       .leaf = first_output(child),
                       .block = format("hls_%s_out", inst->name),
                       .net = m->plan->child[k],
                       .low = inst->count > 1 ? m->plan->genvar : NULL,
                       .input = true,
                       .indent = indent};
    const char *in_net = m->plan->child_struct[k].in, *out_net = m->plan->child_struct[k].out;
    if (child->in.record) {
        in.net = input_nets(t, before, m, k, indent);
        put_line(before, indent, format("wire %s %s;", type_of(m, child->in.record), in_net), NULL);
        walk(&in, child->in.record, in_net);
        PUSH(*list, n, (struct connection){"in", in_net});
    }
    if (child->self.record) {
        put_line(before, indent, format("wire %s %s;", type_of(m, child->self.record), out_net),
                 NULL);
        walk(&out, child->self.record, out_net);
        PUSH(*list, n, (struct connection){"out", out_net});
    }
    return n;
}

const struct dialect system_verilog = {
    .ending = "sv",
    .ports = ports,
    .edge = own_edge,
    .connect = connect,
    .checks = sv_checks,
    .set_inputs = sv_set_inputs,
};
