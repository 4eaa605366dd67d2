// SPDX-License-Identifier: Apache-2.0
/*
 * gen_body.c - a module's function: memory reads, statements, calls of the children, writes.
 *
 * Order is what the dialect asks for: LUTRAM reads before writes, BRAM read registers after their
 * last use, outputs of children before the children are called, nothing of them after it but
 * forwarding, and no return before a call.
 */
#include "gen.h"

#include <string.h>

static const char *element(const struct memory *m)
{
    return m->rec ? fmt("struct %s", m->rec->name) : type_name(m->type);
}

static void scope_element(struct gen *g, const struct memory *m, const char *name, bool writable)
{
    scope_add(g,
              (struct entry){.text = name, .type = m->type, .rec = m->rec, .writable = writable});
}

/* ---- memories --------------------------------------------------------------------------------------- */

/* "[index][index]" */
static const char *place(struct gen *g, const struct memory *m)
{
    const char *text = "";
    for (unsigned d = 0; d < m->n_dims; d++)
        text = fmt("%s[%s]", text, index_word(g, m->dim[d]));
    return text;
}

static void read_lutram(struct gen *g, const struct memory *m)
{
    begin(g, C_MEMORY);
    for (unsigned i = 0; i < m->reads; i++) {
        const char *name = fresh(g, "m"), *at = place(g, m);
        if (chance(g, 30) && !m->rec) {
            line(g, "%s %s = %s;", element(m), name, value_for(g, m->type, 1));
            line(g, "if (%s)", condition(g, 1).text);
            line(g, "    %s = self->%s%s;", name, m->name, at);
        } else {
            line(g, "%s %s = self->%s%s;", element(m), name, m->name, at);
        }
        scope_element(g, m, name, true);
    }
    end(g);
}

static void write_element(struct gen *g, const struct memory *m, const char *at)
{
    const char *from = m->rec ? record_access(g, m->rec, false) : NULL;
    if (m->rec && from)
        line(g, "self->%s%s = %s;", m->name, at, from);
    else if (m->rec)
        line(g, "self->%s%s = (struct %s)%s;", m->name, at, m->rec->name,
             record_literal(g, m->rec, false));
    else
        line(g, "self->%s%s = %s;", m->name, at, value_for(g, m->type, 2));
}

static void write_lutram(struct gen *g, const struct memory *m)
{
    begin(g, C_MEMORY);
    if (chance(g, 20)) {
        write_element(g, m, place(g, m));
        end(g);
        return;
    }
    open_block(g, "if (%s) ", condition(g, 2).text);
    write_element(g, m, place(g, m));
    if (chance(g, 40)) {
        g->indent--;
        open_block(g, chance(g, 50) ? "} else " : "} else if (%s) ", condition(g, 1).text);
        write_element(g, m, place(g, m));
    }
    close_block(g);
    end(g);
}

/* Takes a register, or all outputs of children, out of scope. */
static void drop(struct gen *g, const char *text)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < g->n_scope; i++)
        if (text ? strcmp(g->scope[i].text, text) != 0 : !g->scope[i].child)
            g->scope[kept++] = g->scope[i];
    g->n_scope = kept;
}

/* Read and write of one address in one call are kept apart where they must not meet. */
static void access_bram(struct gen *g, const struct memory *m)
{
    begin(g, C_MEMORY);
    const char *enable = fresh(g, "re"), *from = "", *to = "", *same = "";
    bool always = m->unreset || chance(g, 30);
    for (unsigned d = 0; d < m->n_dims; d++) {
        const char *ra = fresh(g, "ra"), *wa = fresh(g, "wa");
        line(g, "%s %s = %s;", type_name(bitint(false, bits_of(m->dim[d] - 1))), ra,
             index_word(g, m->dim[d]));
        line(g, "%s %s = %s;", type_name(bitint(false, bits_of(m->dim[d] - 1))), wa,
             index_word(g, m->dim[d]));
        from = fmt("%s[%s]", from, ra);
        to = fmt("%s[%s]", to, wa);
        same = fmt("%s && %s == %s", same, ra, wa);
    }
    line(g, "bool %s = %s;", enable, always ? "1" : condition(g, 2).text);
    if (always)
        line(g, "self->%s = self->%s%s;", m->reg, m->name, from);
    else
        line(g, "if (%s)", enable), line(g, "    self->%s = self->%s%s;", m->reg, m->name, from);
    drop(g, fmt("self->%s", m->reg));
    if (m->kind == MEM_BRAM)
        open_block(g, "if (%s && !(%s%s)) ", condition(g, 1).text, enable, same);
    else
        open_block(g, "if (%s) ", condition(g, 2).text);
    write_element(g, m, to);
    close_block(g);
    end(g);
}

/* ---- children ------------------------------------------------------------------------------------------- */

static const char *literal_in(struct gen *g, const struct module *child)
{
    return record_literal(g, &child->in, false);
}

/* The inputs, while the children's outputs may still be read: a variable, or NULL for later. */
static const char *prepare_input(struct gen *g, const struct instance *c)
{
    const char *name = fresh(g, "in"), *type = c->module->in.name;
    if (chance(g, 30))
        return NULL;
    if (c->count == 0) {
        line(g, "struct %s %s = %s;", type, name, literal_in(g, c->module));
        scope_add(g, (struct entry){.text = name, .rec = &c->module->in, .writable = true});
        statements(g, (unsigned)draw(g, 2), 1);
        return name;
    }
    const char *i = fresh(g, "i");
    line(g, "struct %s %s[%u];", type, name, c->count);
    open_block(g, "for (int %s = 0; %s < %u; %s++) ", i, i, c->count, i);
    unsigned scope = g->n_scope;
    scope_add(g,
              (struct entry){.text = i, .loop = true, .limit = c->count, .type = plain(true, 32)});
    g->trips = c->count;
    line(g, "%s[%s] = (struct %s)%s;", name, i, type, literal_in(g, c->module));
    g->trips = 1;
    g->n_scope = scope;
    close_block(g);
    return name;
}

static void call_array(struct gen *g, const struct instance *c, const char *input)
{
    const char *i = fresh(g, "i");
    open_block(g, "for (int %s = 0; %s < %u; %s++) ", i, i, c->count, i);
    unsigned scope = g->n_scope;
    scope_add(g,
              (struct entry){.text = i, .loop = true, .limit = c->count, .type = plain(true, 32)});
    g->trips = c->count;
    if (input == NULL) {
        line(g, "struct %s x = %s;", c->module->in.name, literal_in(g, c->module));
        line(g, "%s(&self->%s[%s], &x);", c->module->name, c->name, i);
    } else {
        line(g, "%s(&self->%s[%s], &%s[%s]);", c->module->name, c->name, i, input, i);
    }
    g->trips = 1;
    g->n_scope = scope;
    close_block(g);
}

static void call_child(struct gen *g, const struct instance *c, const char *input)
{
    const char *name = c->module->name, *type = c->module->in.name;
    if (c->count && chance(g, 80)) {
        call_array(g, c, input);
        return;
    }
    for (unsigned i = 0; i < (c->count ? c->count : 1); i++) {
        const char *at = c->count ? fmt("[%u]", i) : "";
        if (input)
            line(g, "%s(&self->%s%s, &%s%s);", name, c->name, at, input, at);
        else
            line(g, "%s(&self->%s%s, &(struct %s)%s);", name, c->name, at, type,
                 literal_in(g, c->module));
    }
}

static void call_children(struct gen *g, const struct module *m)
{
    const char *input[sizeof m->inst / sizeof *m->inst];
    begin(g, C_CHILD);
    for (unsigned i = 0; i < m->n_inst; i++)
        input[i] = prepare_input(g, &m->inst[i]);
    drop(g, NULL);
    for (unsigned i = 0; i < m->n_inst; i++)
        call_child(g, &m->inst[i], input[i]);
    end(g);
    for (unsigned i = 0; i < m->out.n; i++) {
        const struct field *f = &m->out.field[i];
        if (f->forwarded && f->n_dims) {
            line(g, "for (int i = 0; i < %u; i++)", f->dim[0]);
            line(g, "    self->out.%s[i] = self->%s;", f->name, f->forwarded);
        } else if (f->forwarded) {
            line(g, "self->out.%s = self->%s;", f->name, f->forwarded);
        }
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

/* What was computed and would be lost goes into the first output. */
static void collect(struct gen *g, const struct module *m)
{
    struct type t = m->out.field[0].type;
    unsigned n = 0;
    for (unsigned i = 0; i < g->n_scope && n < 6; i++) {
        const struct entry *e = &g->scope[i];
        if (e->rec || e->n_dims || strstr(e->text, "->") || chance(g, 40))
            continue;
        line(g, "self->out.y0 = (self->out.y0 << 1 | self->out.y0 >> %u) ^ (%s)%s;", t.width - 1,
             type_name(t), e->text);
        n++;
    }
}

static void enter(struct gen *g, const struct module *m)
{
    open_block(g, "HLS_MODULE void %s(struct %s *self, const struct %s *in)\n", m->name, m->name,
               m->in.name);
    scope_fields(g, "self->out.", &m->out, true);
    scope_fields(g, "self->", &m->priv, true);
    for (unsigned i = 0; i < m->n_inst; i++) {
        const struct instance *c = &m->inst[i];
        scope_add(g, (struct entry){.text = fmt("self->%s", c->name),
                                    .suffix = ".out",
                                    .rec = &c->module->out,
                                    .n_dims = c->count != 0,
                                    .dim = {c->count},
                                    .child = true});
    }
    for (unsigned i = 0; i < m->n_mem; i++)
        if (m->mem[i].reg)
            scope_element(g, &m->mem[i], fmt("self->%s", m->mem[i].reg), false);
    scope_fields(g, "in->", &m->in, false);
    g->trips = 1;
    g->in_loop = 0;
}

void module_body(struct gen *g, const struct module *m)
{
    unsigned budget = g->budget;
    bool called = m->n_inst == 0;
    enter(g, m);
    g->may_return = RETURN_NO;
    call_processes(g, m);
    if (!called && chance(g, 25)) {
        statements(g, 1 + (unsigned)draw(g, 2), 1);
        call_children(g, m);
        called = true;
    }
    for (unsigned i = 0; i < m->n_mem; i++)
        if (m->mem[i].kind == MEM_LUTRAM)
            read_lutram(g, &m->mem[i]);
    g->may_return = called ? RETURN_VOID : RETURN_NO;
    while (g->budget > budget / 4)
        statements(g, 1, 3);
    if (!called)
        call_children(g, m);
    g->may_return = RETURN_VOID;
    for (unsigned i = 0; i < m->n_mem; i++) {
        if (m->mem[i].kind == MEM_LUTRAM) {
            write_lutram(g, &m->mem[i]);
        } else {
            access_bram(g, &m->mem[i]);
        }
    }
    while (g->budget > 1)
        statements(g, 1, 2);
    collect(g, m);
    close_block(g);
    line(g, "%s", "");
}
