// SPDX-License-Identifier: Apache-2.0
/*
 * gen_func.c - helper functions of all kinds and the statements that call them.
 */
#include "gen.h"

#include <assert.h>

/* ---- definitions ------------------------------------------------------------------------------- */

static const char *parameters(struct gen *g, const struct helper *h, const char *first)
{
    struct buffer b = {0};
    add(&b, "%s", first);
    for (unsigned i = 0; i < h->n_args; i++) {
        const char *name = fmt("x%u", i);
        add(&b, "%s%s %s", i || *first ? ", " : "", type_name(h->arg[i]), name);
        scope_scalar(g, name, h->arg[i], h->kind == HELPER_KEEP || chance(g, 80));
    }
    return b.s;
}

/* A mark that changes nothing but how the Verilog is written; only helpers of numbers can have it. */
static const char *mark(struct gen *g, const struct helper *h)
{
    bool numbers = h->ret.kind != TYPE_ENUM;
    if (h->kind == HELPER_KEEP)
        return "HLS_KEEP ";
    for (unsigned i = 0; i < h->n_args; i++)
        numbers &= h->arg[i].kind != TYPE_ENUM;
    return numbers && chance(g, 30) ? "HLS_FUNCTION " : "";
}

/* Puts the function's head and its parameters. */
static void head(struct gen *g, const struct helper *h, const struct module *m)
{
    switch (h->kind) {
    case HELPER_VALUE:
    case HELPER_KEEP:
        open_block(g, "%sstatic %s %s(%s)\n", mark(g, h), type_name(h->ret), h->name,
                   parameters(g, h, ""));
        break;
    case HELPER_POINTER:
        scope_scalar(g, "(*p)", h->arg[0], true);
        open_block(g, "static %s %s(%s)\n", type_name(h->ret), h->name,
                   parameters(g, h, fmt("%s *p", type_name(h->arg[0]))));
        break;
    case HELPER_RECORD:
        scope_add(g, (struct entry){.text = "r", .rec = h->rec, .writable = true});
        open_block(g, "static struct %s %s(%s)\n", h->rec->name, h->name,
                   parameters(g, h, fmt("struct %s r", h->rec->name)));
        break;
    case HELPER_THROUGH:
        scope_add(g, (struct entry){.text = "(*p)", .rec = h->rec, .writable = true});
        scope_fields(g, "p->", h->rec, true);
        open_block(g, "static void %s(%s)\n", h->name,
                   parameters(g, h, fmt("struct %s *p", h->rec->name)));
        break;
    default:
        assert(m);
        scope_fields(g, "self->out.", &m->out, true);
        scope_fields(g, "self->", &m->priv, true);
        open_block(g, "static void %s(%s)\n", h->name,
                   parameters(g, h, fmt("struct %s *self", m->name)));
    }
}

static struct type scalar_type(struct gen *g, bool ports)
{
    struct type t = random_type(g);
    while (ports && (t.kind == TYPE_ENUM || t.kind == TYPE_BOOL))
        t = random_type(g);
    return t;
}

enum construct helper_construct(enum helper_kind kind)
{
    static const enum construct of[] = {C_VALUE, C_KEEP, C_POINTER, C_RECORD, C_THROUGH, C_SELF};
    return of[kind];
}

void generate_helper(struct gen *g, enum helper_kind kind, const struct module *m)
{
    static const char *const stem[] = {"f", "kept", "p", "r", "t", "s"};
    struct helper h = {.kind = kind, .module = m ? m->name : NULL};
    unsigned scope = g->n_scope;
    if (g->n_helper == sizeof g->helper / sizeof *g->helper)
        return;
    h.name = fmt("%s_%s%u", g->prefix, stem[kind], g->n_helper);
    h.n_args = 1 + (unsigned)draw(g, 2);
    h.ret = scalar_type(g, kind == HELPER_KEEP);
    for (unsigned i = 0; i < h.n_args; i++)
        h.arg[i] = scalar_type(g, kind == HELPER_KEEP);
    if (kind == HELPER_RECORD || kind == HELPER_THROUGH)
        h.rec = &g->record[draw(g, g->n_record)];
    head(g, &h, m);
    begin(g, helper_construct(kind));
    bool value = kind == HELPER_VALUE || kind == HELPER_KEEP || kind == HELPER_POINTER;
    g->may_return = value ? RETURN_VALUE : kind == HELPER_RECORD ? RETURN_RECORD : RETURN_VOID;
    g->ret = h.ret;
    g->budget = 3 + (unsigned)draw(g, 5);
    bool checks = g->on[WITH_CHECKS];
    g->on[WITH_CHECKS] = checks && kind != HELPER_KEEP;
    g->trips = 2;
    statements(g, 1 + (unsigned)draw(g, 3), 2);
    if (value)
        line(g, "return %s;", value_for(g, h.ret, 3));
    else if (kind == HELPER_RECORD)
        line(g, "return r;");
    end(g);
    close_block(g);
    line(g, "%s", "");
    g->on[WITH_CHECKS] = checks;
    g->n_scope = scope;
    g->helper[g->n_helper++] = h;
}

/* ---- calls ---------------------------------------------------------------------------------------- */

/* Something writable of exactly that type, declared for the purpose if need be. */
static const char *target(struct gen *g, struct type t)
{
    struct entry found;
    const char *text;
    for (unsigned try = 0; try < 8; try++)
        if (scalar_access(g, true, &found, &text) && same_type(found.type, t))
            return text;
    const char *name = fresh(g, "v");
    line(g, "%s %s = %s;", type_name(t), name, value_for(g, t, 2));
    scope_scalar(g, name, t, true);
    return name;
}

/* The same of a struct. */
static const char *record_target(struct gen *g, const struct record *rec)
{
    const char *at = record_access(g, rec, true);
    return at ? at : declare_struct(g, rec);
}

static void call_pointer(struct gen *g, const struct helper *h)
{
    const char *call = call_text(g, h, fmt("&%s", target(g, h->arg[0])), 2);
    struct entry found;
    const char *text;
    if (chance(g, 40)) {
        const char *name = fresh(g, "v");
        line(g, "%s %s = %s;", type_name(h->ret), name, call);
        scope_scalar(g, name, h->ret, true);
    } else if (h->ret.kind != TYPE_ENUM && chance(g, 40)) {
        const char *name = fresh(g, "v");
        line(g, "bool %s = %s > 1;", name, call);
        scope_scalar(g, name, (struct type){.kind = TYPE_BOOL, .width = 1}, true);
    } else if (chance(g, 50) && scalar_access(g, true, &found, &text) &&
               found.type.kind != TYPE_ENUM) {
        line(g, "%s = %s;", text, call);
    } else {
        line(g, "%s;", call);
    }
}

void helper_statement(struct gen *g)
{
    const struct helper *h = &g->helper[draw(g, g->n_helper)];
    const char *at = NULL, *from;
    struct entry found;
    switch (h->kind) {
    case HELPER_POINTER:
        call_pointer(g, h);
        return;
    case HELPER_THROUGH:
        at = record_target(g, h->rec);
        line(g, "%s;", call_text(g, h, fmt("&%s", at), 2));
        break;
    case HELPER_RECORD:
        at = record_target(g, h->rec);
        from = record_access(g, h->rec, false);
        line(g, "%s = %s;", at, call_text(g, h, from ? from : at, 2));
        break;
    case HELPER_SELF:
        if (g->module == h->module && g->module)
            line(g, "%s;", call_text(g, h, at = "self", 2));
        break;
    default:
        if (scalar_access(g, true, &found, &at) && found.type.kind != TYPE_ENUM)
            line(g, "%s = %s;", at, call_text(g, h, NULL, 2));
    }
    if (at == NULL)
        declare_local(g);
}
