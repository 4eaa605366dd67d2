// SPDX-License-Identifier: Apache-2.0
/*
 * gen_module.c - a module: its structs, its reset function, the children it needs.
 */
#include "gen.h"

#include <stdlib.h>

/* ---- members ------------------------------------------------------------------------------------ */

void random_field(struct gen *g, struct field *f, const char *name, bool simple)
{
    static const unsigned size[] = {2, 3, 4, 4, 5, 6, 8};
    *f = (struct field){.name = name, .type = random_type(g)};
    if (g->n_record && !simple && chance(g, 20))
        f->rec = &g->record[draw(g, g->n_record)];
    if (g->on[WITH_ARRAYS] && chance(g, simple ? 8 : 22))
        f->dim[f->n_dims++] = size[draw(g, f->type.width > 64 || f->rec ? 4 : 7)];
    if (g->on[WITH_ARRAYS_2D] && f->n_dims && !f->rec && f->type.width < 40 && chance(g, 30))
        f->dim[f->n_dims++] = 2 + (unsigned)draw(g, 3);
    f->init = f->rec ? record_literal(g, f->rec, true) : constant_for(g, f->type);
}

static void declare_field(struct gen *g, const struct field *f)
{
    const char *dims = "";
    for (unsigned i = 0; i < f->n_dims; i++)
        dims = fmt("%s[%u]", dims, f->dim[i]);
    line(g, "%s %s%s;", f->rec ? fmt("struct %s", f->rec->name) : type_name(f->type), f->name,
         dims);
}

static void declare_fields(struct gen *g, const struct record *rec)
{
    for (unsigned i = 0; i < rec->n; i++)
        declare_field(g, &rec->field[i]);
}

void declare_record(struct gen *g, const struct record *rec)
{
    open_block(g, "struct %s ", rec->name);
    declare_fields(g, rec);
    g->indent--;
    line(g, "};");
}

static const char *element_name(const struct memory *m)
{
    return m->rec ? fmt("struct %s", m->rec->name) : type_name(m->type);
}

static const char *dimensions(const struct memory *m)
{
    const char *text = "";
    for (unsigned d = 0; d < m->n_dims; d++)
        text = fmt("%s[%u]", text, m->dim[d]);
    return text;
}

static void declare_module(struct gen *g, const struct module *m)
{
    declare_record(g, &m->in);
    declare_record(g, &m->out);
    declare_states(g, m);
    open_block(g, "struct %s ", m->name);
    line(g, "struct %s out;", m->out.name);
    declare_fields(g, &m->priv);
    declare_processes(g, m);
    for (unsigned i = 0; i < m->n_mem; i++) {
        static const char *const kind[] = {NULL, "HLS_BRAM", "HLS_BRAM_READ_FIRST"};
        const struct memory *mem = &m->mem[i];
        line(g, "%s %s %s%s;",
             mem->kind == MEM_LUTRAM ? fmt("HLS_LUTRAM(%u)", mem->reads) : kind[mem->kind],
             element_name(mem), mem->name, dimensions(mem));
        if (mem->reg)
            line(g, "%s %s;", element_name(mem), mem->reg);
    }
    for (unsigned i = 0; i < m->n_inst; i++) {
        const struct instance *c = &m->inst[i];
        line(g, c->count ? "struct %s %s[%u];" : "struct %s %s;", c->module->name, c->name,
             c->count);
    }
    g->indent--;
    line(g, "};");
    line(g, "%s", "");
}

/* ---- what a module has ------------------------------------------------------------------------------ */

static void choose_memories(struct gen *g, struct module *m)
{
    for (unsigned i = 0; i < 2; i++) {
        if (!g->on[i ? WITH_BRAM : WITH_LUTRAM] || chance(g, 40))
            continue;
        struct memory *mem = &m->mem[m->n_mem++];
        struct type t = random_type(g);
        *mem = (struct memory){.name = fmt("m%u", i),
                               .type = t,
                               .n_dims = 1 + (chance(g, 25) ? 1 + (unsigned)draw(g, 2) : 0),
                               .reads = 1 + (unsigned)draw(g, 2)};
        for (unsigned d = 0; d < mem->n_dims; d++)
            mem->dim[d] = mem->n_dims > 1 ? 2 + (unsigned)draw(g, 5)
                          : chance(g, 60) ? 2u << draw(g, 5)
                                          : 3 + (unsigned)draw(g, 40);
        if (t.kind == TYPE_ENUM)
            mem->type = bitint(false, 5);
        if (g->n_record && chance(g, 20))
            mem->rec = &g->record[draw(g, g->n_record)];
        for (unsigned k = 0; mem->rec && k < mem->rec->n; k++)
            if (mem->rec->field[k].n_dims || mem->rec->field[k].rec)
                mem->rec = NULL; /* memories of structs of scalars only */
        if (i) {
            mem->kind = chance(g, 50) ? MEM_BRAM : MEM_BRAM_READ_FIRST;
            mem->reg = fmt("%s_read", mem->name);
            mem->unreset = !g->on[WITH_RETURN] && chance(g, 50);
        }
    }
}

static void choose_children(struct gen *g, struct module *m, unsigned depth)
{
    unsigned n = depth && g->on[WITH_CHILDREN] ? 1 + (unsigned)draw(g, 2) : 0;
    const struct module *last = NULL;
    for (unsigned i = 0; i < n; i++) {
        struct instance *c = &m->inst[m->n_inst++];
        if (last == NULL || chance(g, 60))
            last = generate_module(g, fmt("%s_%c", m->name, 'a' + (int)i),
                                   chance(g, 25) ? depth - 1 : 0);
        *c = (struct instance){.name = fmt("c%u", i),
                               .module = last,
                               .count = chance(g, 40) ? 2 + (unsigned)draw(g, 3) : 0};
    }
}

/* Outputs of the parent that are wires from a child's. */
static void choose_forwards(struct gen *g, struct module *m)
{
    for (unsigned i = 0; i < m->n_inst; i++) {
        const struct instance *c = &m->inst[i];
        for (unsigned k = 0; k < c->module->out.n && m->out.n < MAX_FIELDS; k++) {
            const struct field *f = &c->module->out.field[k];
            if (f->rec || f->n_dims || !chance(g, 30))
                continue;
            struct field *to = &m->out.field[m->out.n];
            *to = *f;
            to->name = fmt("y%u", m->out.n++);
            if (c->count && chance(g, 50)) {
                to->n_dims = 1;
                to->dim[0] = c->count;
                to->forwarded = fmt("%s[i].out.%s", c->name, f->name);
            } else {
                const char *at = c->count ? fmt("[%u]", (unsigned)draw(g, c->count)) : "";
                to->forwarded = fmt("%s%s.out.%s", c->name, at, f->name);
            }
        }
    }
}

static void choose_members(struct gen *g, struct module *m, bool small)
{
    unsigned in = 2 + (unsigned)draw(g, small ? 2 : 5), out = 1 + (unsigned)draw(g, small ? 2 : 4);
    m->in.name = fmt("%s_in", m->name);
    m->out.name = fmt("%s_out", m->name);
    m->priv.name = m->name;
    m->in.n = in;
    for (unsigned i = 0; i < in; i++)
        random_field(g, &m->in.field[i], fmt("a%u", i), false);
    m->out.n = out;
    for (unsigned i = 0; i < out; i++)
        random_field(g, &m->out.field[i], fmt("y%u", i), false);
    /* the first output collects what the others do not show */
    m->out.field[0] = (struct field){.name = "y0"};
    m->out.field[0].type = bitint(false, 6 + (unsigned)draw(g, 43));
    m->out.field[0].init = constant_for(g, m->out.field[0].type);
    m->priv.n = (unsigned)draw(g, small ? 3 : 5);
    for (unsigned i = 0; i < m->priv.n; i++)
        random_field(g, &m->priv.field[i], fmt("s%u", i), false);
    choose_forwards(g, m);
}

/* ---- reset ----------------------------------------------------------------------------------------------- */

static const char *all_elements(const struct field *f, unsigned dim)
{
    if (dim == f->n_dims)
        return f->init;
    struct buffer b = {0};
    for (unsigned i = 0; i < f->dim[dim]; i++)
        add(&b, "%s%s", i ? ", " : "{", all_elements(f, dim + 1));
    add(&b, "}");
    return b.s;
}

static const char *reset_literal(const struct record *rec)
{
    struct buffer b = {0};
    add(&b, "{");
    for (unsigned i = 0; i < rec->n; i++)
        add(&b, "%s.%s = %s", i ? ", " : "", rec->field[i].name, all_elements(&rec->field[i], 0));
    add(&b, rec->n ? "}" : "0}");
    return b.s;
}

static void reset_field(struct gen *g, const char *path, const struct field *f)
{
    const char *at = fmt("%s%s", path, f->name);
    for (unsigned i = 0; i < f->n_dims; i++) {
        open_block(g, "for (int i%u = 0; i%u < %u; i%u++) ", i, i, f->dim[i], i);
        at = fmt("%s[i%u]", at, i);
    }
    if (f->rec)
        line(g, "%s = (struct %s)%s;", at, f->rec->name, f->init);
    else
        line(g, "%s = %s;", at, f->init);
    for (unsigned i = 0; i < f->n_dims; i++)
        close_block(g);
}

static void reset_memory(struct gen *g, const struct memory *m)
{
    if (m->reg == NULL || m->unreset)
        return; /* its read register keeps its value */
    if (m->rec)
        line(g, "self->%s = (struct %s)%s;", m->reg, m->rec->name, record_literal(g, m->rec, true));
    else
        line(g, "self->%s = %s;", m->reg, constant_for(g, m->type));
}

/* The reset function sets registers one by one. */
static bool has_block(const struct module *m)
{
    bool has = false;
    for (unsigned i = 0; i < m->n_process; i++)
        has |= m->process[i].log2_depth > 0;
    return has;
}

static void reset_function(struct gen *g, const struct module *m)
{
    open_block(g, "HLS_RESET void %s_reset(struct %s *self)\n", m->name, m->name);
    if (m->n_mem + m->n_inst + has_block(m) == 0 && chance(g, 50)) {
        const char *priv = reset_literal(&m->priv);
        line(g, "*self = (struct %s){.out = %s%s%s;", m->name, reset_literal(&m->out),
             m->priv.n ? ", " : "", m->priv.n ? priv + 1 : "}");
    } else {
        if (chance(g, 50))
            line(g, "self->out = (struct %s)%s;", m->out.name, reset_literal(&m->out));
        else
            for (unsigned i = 0; i < m->out.n; i++)
                reset_field(g, "self->out.", &m->out.field[i]);
        for (unsigned i = 0; i < m->priv.n; i++)
            reset_field(g, "self->", &m->priv.field[i]);
        for (unsigned i = 0; i < m->n_mem; i++)
            reset_memory(g, &m->mem[i]);
    }
    reset_processes(g, m);
    for (unsigned i = 0; i < m->n_inst; i++) {
        const struct instance *c = &m->inst[i];
        if (c->count)
            open_block(g, "for (int i = 0; i < %u; i++) ", c->count);
        line(g, "%s_reset(&self->%s%s);", c->module->name, c->name, c->count ? "[i]" : "");
        if (c->count)
            close_block(g);
    }
    close_block(g);
    line(g, "%s", "");
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

const struct module *generate_module(struct gen *g, const char *name, unsigned depth)
{
    struct module *m = calloc(1, sizeof *m);
    if (m == NULL)
        abort();
    bool small = name != g->prefix;
    m->name = name;
    choose_children(g, m, depth);
    choose_members(g, m, small);
    if (!small || chance(g, 30))
        choose_memories(g, m);
    if (g->on[WITH_PROCESS] && chance(g, small ? 40 : 80))
        choose_processes(g, m);
    declare_module(g, m);
    if (g->on[WITH_HELPERS] && chance(g, 40))
        generate_helper(g, HELPER_SELF, m);
    generate_processes(g, m);
    reset_function(g, m);
    unsigned scope = g->n_scope;
    g->module = name;
    g->budget = small ? 4 + (unsigned)draw(g, 5) : 6 + (unsigned)draw(g, 22);
    module_body(g, m);
    g->module = NULL;
    g->n_scope = scope;
    return m;
}
