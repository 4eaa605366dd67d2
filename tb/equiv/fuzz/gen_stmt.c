// SPDX-License-Identifier: Apache-2.0
/*
 * gen_stmt.c - random statements: declarations, assignments, branches, loops with a bound.
 *
 * A statement may use what is in scope and may add to it; blocks put the scope back. `trips` is how
 * often the code at hand runs per call, and keeps loops in loops small.
 */
#include "gen.h"

#include <string.h>

static unsigned expr_depth(const struct gen *g)
{
    return g->trips > 6 ? 1 : 2;
}

/* ---- declarations -------------------------------------------------------------------------------- */

const char *record_literal(struct gen *g, const struct record *rec, bool constant)
{
    struct buffer b = {0};
    bool named = chance(g, 60), any = false;
    add(&b, "{");
    for (unsigned i = 0; i < rec->n; i++) {
        const struct field *f = &rec->field[i];
        if (named && chance(g, 15))
            continue; /* the rest is zero */
        add(&b, any ? ", " : "");
        any = true;
        if (named)
            add(&b, ".%s = ", f->name);
        if (f->n_dims)
            add(&b, "{");
        if (f->rec)
            add(&b, "%s", record_literal(g, f->rec, constant));
        else
            add(&b, "%s",
                constant ? constant_for(g, f->type) : value_for(g, f->type, 1 + chance(g, 30)));
        if (f->n_dims)
            add(&b, "}");
    }
    add(&b, any ? "}" : "0}");
    return b.s;
}

/* Of at most 128 bits: wider ones with constant values clang 19 fills from a constant that is larger than the array. */
static void declare_array(struct gen *g)
{
    struct type t = random_type(g);
    t.width = t.width > 128 ? 128 : t.width;
    const char *name = fresh(g, "a");
    unsigned n = 2 + (unsigned)draw(g, 7);
    struct buffer b = {0};
    for (unsigned i = 0; i < n && (i == 0 || chance(g, 70)); i++)
        add(&b, "%s%s", i ? ", " : "", value_for(g, t, 1 + chance(g, 30)));
    begin(g, C_ARRAY);
    line(g, "%s %s[%u] = {%s};", type_name(t), name, n, b.s);
    end(g);
    scope_add(g,
              (struct entry){.text = name, .type = t, .n_dims = 1, .dim = {n}, .writable = true});
}

const char *declare_struct(struct gen *g, const struct record *rec)
{
    const char *name = fresh(g, "r"), *from = record_access(g, rec, false);
    begin(g, C_STRUCT);
    if (from && chance(g, 60))
        line(g, "struct %s %s = %s;", rec->name, name, from);
    else
        line(g, "struct %s %s = %s;", rec->name, name, record_literal(g, rec, false));
    end(g);
    scope_add(g, (struct entry){.text = name, .rec = rec, .writable = true});
    return name;
}

/* Now and then a name that Verilog keeps for itself or that rtlgen is likely to make up. */
static const char *local_name(struct gen *g)
{
    static const char *const nasty[] = {"wire", "reg",  "module",  "always", "y0_d",      "s0_q",
                                        "s0_d", "y0_2", "integer", "k",      "hls_state", "rst_2"};
    unsigned i = (unsigned)draw(g, sizeof nasty / sizeof *nasty);
    if (!chance(g, 5) || g->nasty_used & 1u << i)
        return fresh(g, "v");
    g->nasty_used |= 1u << i;
    return nasty[i];
}

void declare_local(struct gen *g)
{
    if (g->on[WITH_ARRAYS] && chance(g, 14)) {
        declare_array(g);
        return;
    }
    if (g->n_record && chance(g, 14)) {
        declare_struct(g, &g->record[draw(g, g->n_record)]);
        return;
    }
    struct type t = random_type(g);
    const char *name = local_name(g);
    bool constant = false;
    begin(g, C_LOCAL);
    if (chance(g, 12)) { /* set on both ways instead */
        line(g, "%s %s;", type_name(t), name);
        open_block(g, "if (%s) ", condition(g, 2).text);
        line(g, "%s = %s;", name, value_for(g, t, 2));
        g->indent--;
        open_block(g, "} else ");
        line(g, "%s = %s;", name, value_for(g, t, 2));
        close_block(g);
    } else {
        constant = chance(g, 12);
        line(g, "%s%s %s = %s;", constant ? "const " : "", type_name(t), name, value_for(g, t, 3));
    }
    end(g);
    scope_scalar(g, name, t, !constant);
}

/* ---- assignments ------------------------------------------------------------------------------------ */

static void assign(struct gen *g)
{
    static const char *const op[] = {"+", "-", "&", "|", "^", "<<", ">>"};
    struct entry to;
    const char *text, *right;
    if (!scalar_access(g, true, &to, &text)) {
        declare_local(g);
        return;
    }
    struct expr x = entry_value(&to, text, to.type);
    const char *with = to.type.kind != TYPE_ENUM && chance(g, 35) ? op[draw(g, 7)] : NULL;
    if (to.type.kind == TYPE_BITINT && !to.type.is_signed && chance(g, 8)) {
        begin(g, C_UPDATE);
        line(g, chance(g, 50) ? "%s++;" : "%s--;", text);
    } else if (with && compound(g, with, x, expr_near(g, expr_depth(g), to.type.width), &right)) {
        begin(g, C_UPDATE);
        line(g, "%s %s= %s;", text, with, right);
    } else {
        begin(g, C_ASSIGN);
        line(g, "%s = %s;", text, value_for(g, to.type, expr_depth(g) + (g->trips == 1)));
    }
    end(g);
}

static void assign_record(struct gen *g)
{
    const struct record *rec = &g->record[draw(g, g->n_record)];
    const char *to = record_access(g, rec, true), *from = record_access(g, rec, false);
    if (to == NULL) {
        assign(g);
        return;
    }
    begin(g, C_COPY);
    if (from && chance(g, 60))
        line(g, "%s = %s;", to, from);
    else
        line(g, "%s = (struct %s)%s;", to, rec->name, record_literal(g, rec, false));
    end(g);
}

/* ---- branches ------------------------------------------------------------------------------------------ */

static void body(struct gen *g, unsigned n, unsigned depth)
{
    unsigned scope = g->n_scope;
    statements(g, n, depth);
    if (g->n_scope > scope)
        assign(g); /* what was declared here has a use */
    g->n_scope = scope;
}

static void if_else(struct gen *g, unsigned depth)
{
    begin(g, C_IF);
    open_block(g, "if (%s) ", condition(g, 2).text);
    body(g, 1 + (unsigned)draw(g, 3), depth);
    while (chance(g, 25)) {
        g->indent--;
        open_block(g, "} else if (%s) ", condition(g, 2).text);
        body(g, 1 + (unsigned)draw(g, 2), depth);
    }
    if (chance(g, 45)) {
        g->indent--;
        open_block(g, "} else ");
        body(g, 1 + (unsigned)draw(g, 3), depth);
    }
    close_block(g);
    end(g);
}

/* Work that changes nothing while the condition is 0. */
static void when(struct gen *g, unsigned depth)
{
    const char *c = condition(g, 1).text;
    begin(g, C_WHEN);
    open_block(g, "if (hls_when(%s)) ", c);
    open_block(g, "if (%s) ", c);
    body(g, 1 + (unsigned)draw(g, 2), depth);
    close_block(g);
    close_block(g);
    end(g);
}

/* Of a process under a condition: clang would leave out what stands behind a constant one, and its waits. */
static void leave_function(struct gen *g, unsigned depth)
{
    begin(g, C_LEAVE);
    if (g->in_process)
        line(g, "if (in->go)");
    if (g->may_return == RETURN_VOID)
        line(g, "return;");
    else if (g->may_return == RETURN_RECORD)
        line(g, "return r;");
    else
        line(g, "return %s;", value_for(g, g->ret, depth));
    end(g);
}

static void leave_case(struct gen *g)
{
    bool leaves = g->on[WITH_RETURN] && g->may_return != RETURN_NO && chance(g, 10);
    if (leaves)
        leave_function(g, 1);
    if (leaves && !g->in_process)
        return;
    if (!leaves && g->in_loop && chance(g, 8))
        line(g, "continue;");
    else
        line(g, "break;");
}

static void switch_case(struct gen *g, const char *label, bool last, unsigned depth)
{
    open_block(g, "%s: ", label);
    body(g, 1 + (unsigned)draw(g, 2), depth);
    close_block(g);
    g->indent++;
    if (!last && chance(g, 20))
        line(g, "[[fallthrough]];");
    else
        leave_case(g);
    g->indent--;
}

/* The labels of one switch, upwards, so that none comes twice; default stands anywhere. */
static unsigned switch_labels(struct gen *g, const struct enumeration *e, unsigned bits,
                              const char *label[8])
{
    unsigned want = 2 + (unsigned)draw(g, 3), n = 0, at_default = (unsigned)draw(g, want + 3);
    for (unsigned value = 0, i = 0; i < want; i++) {
        if (i == at_default)
            label[n++] = "default";
        value += (unsigned)draw(g, 3);
        if (e ? i >= e->n : value >= 1u << bits)
            break;
        if (!e && chance(g, 20) && value + 2 < 1u << bits) {
            label[n++] = fmt("case %u ... %u", value, value + 2);
            value += 2;
        } else {
            label[n++] = e ? fmt("case %s", e->label[i]) : fmt("case %u", value);
        }
        value++;
    }
    if (at_default == want)
        label[n++] = "default";
    return n;
}

static void switch_over(struct gen *g, unsigned depth)
{
    const struct enumeration *e = g->n_enum && chance(g, 30) ? &g->enumeration[0] : NULL;
    const char *label[8];
    unsigned bits = 2 + (unsigned)draw(g, 5), n = switch_labels(g, e, bits, label);
    begin(g, C_SWITCH);
    if (e) {
        struct type t = {.kind = TYPE_ENUM, .width = 32, .e = e};
        open_block(g, "switch (%s) ", value_for(g, t, 2));
    } else {
        open_block(g, chance(g, 50) ? "switch ((u%u)%s) " : "switch ((int)(u%u)%s) ", bits,
                   expr_near(g, 2, bits).text);
    }
    for (unsigned i = 0; i < n; i++)
        switch_case(g, label[i], i + 1 == n, depth);
    close_block(g);
    end(g);
}

/* ---- loops ------------------------------------------------------------------------------------------------ */

static struct type loop_type(struct gen *g, unsigned n)
{
    unsigned bits = 1;
    while (n >= 1u << bits)
        bits++;
    return chance(g, 70) ? plain(chance(g, 70), 32) : bitint(false, bits);
}

static void loop_body(struct gen *g, unsigned n, unsigned depth)
{
    unsigned trips = g->trips;
    g->trips *= n;
    g->in_loop++;
    body(g, 1 + (unsigned)draw(g, 3), depth);
    g->in_loop--;
    g->trips = trips;
}

static void loop_for(struct gen *g, unsigned n, unsigned depth)
{
    const char *i = fresh(g, "i");
    struct type t = loop_type(g, n);
    unsigned scope = g->n_scope;
    begin(g, C_FOR);
    if (t.is_signed && chance(g, 20))
        open_block(g, "for (int %s = %u; %s >= 0; %s--) ", i, n - 1, i, i);
    else if (chance(g, 20))
        open_block(g, "for (%s %s = 0; %s < %u && %s; %s++) ", type_name(t), i, i, n,
                   condition(g, 1).text, i);
    else
        open_block(g, "for (%s %s = 0; %s < %u; %s++) ", type_name(t), i, i, n, i);
    scope_add(g, (struct entry){.text = i, .loop = true, .limit = n, .type = t});
    loop_body(g, n, depth);
    close_block(g);
    end(g);
    g->n_scope = scope;
}

/* A counter beside the condition. */
static void loop_while(struct gen *g, unsigned n, unsigned depth)
{
    const char *k = fresh(g, "n");
    begin(g, C_WHILE);
    line(g, "unsigned %s = 0;", k);
    open_block(g, "while (%s++ < %u && %s) ", k, n, condition(g, 1).text);
    loop_body(g, n, depth);
    close_block(g);
    end(g);
    scope_add(g, (struct entry){.text = k, .type = plain(false, 32), .loop = true, .limit = n + 2});
}

static void loop_do(struct gen *g, unsigned n, unsigned depth)
{
    const char *k = fresh(g, "n");
    begin(g, C_DO);
    line(g, "int %s = 0;", k);
    open_block(g, "do ");
    loop_body(g, n, depth);
    g->indent--;
    line(g, "} while (++%s < %u && %s);", k, n, condition(g, 1).text);
    end(g);
    scope_add(g, (struct entry){.text = k, .type = plain(true, 32), .loop = true, .limit = n + 1});
}

/* An input without a sign and with so many bits at least, none of them known; NULL if none was found. */
static const char *unknown_bits(struct gen *g, unsigned bits)
{
    for (unsigned i = 0; i < 20; i++) {
        struct entry e;
        const char *text;
        if (scalar_access(g, false, &e, &text) && strncmp(text, "in->", 4) == 0 &&
            e.type.kind == TYPE_BITINT && !e.type.is_signed && e.type.width >= bits)
            return text;
    }
    return NULL;
}

/* At most as many rounds as the value has bits, or as there are numbers of two bits. */
static void loop_shrink(struct gen *g, unsigned n, unsigned depth)
{
    enum { SHIFT, DIVIDE, DROP, COUNT, N_WAYS };
    unsigned way = (unsigned)draw(g, N_WAYS), bits = way == COUNT ? 2 : n;
    const char *w = fresh(g, "w");
    const char *start = way == DROP || way == COUNT ? unknown_bits(g, bits) : NULL;
    bool behind = way == COUNT && chance(g, 50);
    if ((way == DROP || way == COUNT) && !start)
        way = SHIFT, bits = n, behind = false;
    begin(g, C_SHRINK);
    line(g, "u%u %s = %s;", bits, w, start ? start : expr_near(g, 2, bits).text);
    open_block(g, behind ? "while (%s--) " : "while (%s) ", w);
    if (way == SHIFT)
        line(g, "%s >>= 1;", w);
    else if (way == DIVIDE)
        line(g, "%s /= %u;", w, 2 + (unsigned)draw(g, 4));
    else if (way == DROP)
        line(g, "%s &= %s - 1;", w, w);
    else if (!behind)
        line(g, "%s--;", w);
    scope_scalar(g, w, bitint(false, bits), false);
    loop_body(g, way == COUNT ? 3 : n, depth);
    close_block(g);
    end(g);
}

static void loop(struct gen *g, unsigned depth)
{
    unsigned n = 2 + (unsigned)draw(g, g->trips > 1 ? 3 : 6);
    if (g->trips * n > 24) {
        assign(g);
        return;
    }
    switch (draw(g, 6)) {
    case 0:
        loop_while(g, n, depth);
        break;
    case 1:
        loop_do(g, n, depth);
        break;
    case 2:
        loop_shrink(g, n, depth);
        break;
    default:
        loop_for(g, n, depth);
    }
}

/* Three or more numbers in a row; those of which bits are set are at least 3 bits wide. */
static bool find_numbers(struct gen *g, bool sets, struct entry *e)
{
    for (unsigned try = 0; g->n_scope && try < 12; try++) {
        *e = g->scope[draw(g, g->n_scope)];
        if (e->n_dims == 1 && e->dim[0] >= 3 && !e->rec && !e->child &&
            (!sets || (e->writable && e->type.kind == TYPE_BITINT && !e->type.is_signed &&
                       e->type.width >= 3)))
            return true;
    }
    return false;
}

static struct entry new_numbers(struct gen *g)
{
    struct entry e = {.text = fresh(g, "a"),
                      .suffix = "",
                      .type = bitint(false, 3 + (unsigned)draw(g, 6)),
                      .n_dims = 1,
                      .dim = {3 + (unsigned)draw(g, 6)},
                      .writable = true};
    line(g, "%s %s[%u] = {};", type_name(e.type), e.text, e.dim[0]);
    scope_add(g, e);
    return e;
}

/* A matrix of bits, column by column: element i of something decoded, as requests for outputs are. */
static void loop_matrix(struct gen *g)
{
    struct entry m, from;
    bool decodes = find_numbers(g, false, &from) && chance(g, 80);
    if (!find_numbers(g, true, &m))
        m = new_numbers(g);
    unsigned n = m.type.width < 7 ? m.type.width : 7, scope = g->n_scope, trips = g->trips;
    n = decodes && from.dim[0] < n ? from.dim[0] : n;
    const char *i = fresh(g, "i"), *k = fresh(g, "k"), *valid = fresh(g, "c");
    const char *type = type_name(m.type), *to = fmt("%s[%s]%s", m.text, k, m.suffix);
    const char *bit = fmt("(%s)((%s)1 << %s)", type, type, i);
    begin(g, C_MATRIX);
    if (chance(g, 60))
        line(g, "for (int %s = 0; %s < %u; %s++) %s = 0;", k, k, m.dim[0], k, to);
    open_block(g, "for (int %s = 0; %s < %u; %s++) ", i, i, n, i);
    g->trips *= n;
    scope_add(g, (struct entry){.text = i, .loop = true, .limit = n, .type = plain(true, 32)});
    if (chance(g, 40))
        assign(g);
    if (chance(g, 70))
        line(g, "bool %s = (u%u)%s >> %s & 1;", valid, n, expr_near(g, 2, n).text, i);
    else
        line(g, "bool %s = %s;", valid, condition(g, 1).text);
    g->trips *= m.dim[0];
    open_block(g, "for (int %s = 0; %s < %u; %s++) ", k, k, m.dim[0], k);
    scope_add(g,
              (struct entry){.text = k, .loop = true, .limit = m.dim[0], .type = plain(true, 32)});
    const char *hit =
        decodes ? fmt("%s[%s]%s == %s", from.text, i, from.suffix, k) : condition(g, 1).text;
    if (chance(g, 70))
        line(g, "%s %s= %s && %s ? %s : 0;", to, chance(g, 70) ? "|" : "^", valid, hit, bit);
    else
        line(g, "%s = %s && %s ? %s | %s : %s & ~%s;", to, valid, hit, to, bit, to, bit);
    close_block(g);
    close_block(g);
    end(g);
    g->trips = trips;
    g->n_scope = scope;
}

static void jump_over(struct gen *g, unsigned depth)
{
    const char *label = fresh(g, "skip");
    begin(g, C_GOTO);
    open_block(g, "%s", "");
    line(g, "if (%s)", condition(g, 1).text);
    line(g, "    goto %s;", label);
    body(g, 1 + (unsigned)draw(g, 2), depth);
    close_block(g);
    line(g, "%s:;", label);
    end(g);
}

/* ---- the rest ------------------------------------------------------------------------------------------------ */

static void leave(struct gen *g)
{
    if (!g->in_loop && g->may_return == RETURN_NO) {
        assign(g);
        return;
    }
    begin(g, C_LEAVE);
    line(g, "if (%s)", condition(g, 2).text);
    g->indent++;
    if (g->may_return == RETURN_NO || (g->in_loop && chance(g, 60)))
        line(g, chance(g, 50) ? "break;" : "continue;");
    else
        leave_function(g, 2);
    g->indent--;
    end(g);
}

static void check(struct gen *g)
{
    struct expr a = expr(g, 2), b = expr(g, 2);
    begin(g, C_CHECK);
    if (chance(g, 40) && !a.type.is_signed && a.type.kind == TYPE_BITINT)
        line(g, "hls_assert((%s & %s) <= %s);", a.text, b.text, a.text);
    else if (chance(g, 50))
        line(g, "hls_cover(%s);", condition(g, 1).text);
    else
        line(g, "hls_assert(%s || 1);", condition(g, 1).text);
    end(g);
}

static void statement(struct gen *g, unsigned depth)
{
    bool leaves = g->on[WITH_RETURN] && (g->in_loop || g->may_return != RETURN_NO);
    bool loops = g->on[WITH_LOOPS] && g->trips <= 8;
    unsigned weight[] = {18,
                         45,
                         depth ? 14 : 0,
                         depth && g->on[WITH_SWITCH] ? 6 : 0,
                         depth && loops ? 9 : 0,
                         leaves ? 5 : 0,
                         g->n_record ? 6 : 0,
                         g->n_helper && g->trips <= 6 ? 7 : 0,
                         depth && g->on[WITH_GOTO] ? 2 : 0,
                         g->on[WITH_ARRAYS] && g->on[WITH_LOOPS] && g->trips <= 3 ? 3 : 0,
                         g->on[WITH_CHECKS] ? 2 : 0,
                         depth ? 2 : 0,
                         g->on[WITH_LOOPS] && g->trips <= 3 ? (g->on[WITH_KEEP] ? 7u : 3u) : 0};
    switch (pick(g, sizeof weight / sizeof *weight, weight)) {
    case 0:
        declare_local(g);
        break;
    case 1:
        assign(g);
        break;
    case 2:
        if_else(g, depth - 1);
        break;
    case 3:
        switch_over(g, depth - 1);
        break;
    case 4:
        loop(g, depth - 1);
        break;
    case 5:
        leave(g);
        break;
    case 6:
        assign_record(g);
        break;
    case 7:
        helper_statement(g);
        break;
    case 8:
        jump_over(g, depth - 1);
        break;
    case 9:
        loop_matrix(g);
        break;
    case 10:
        check(g);
        break;
    case 11:
        when(g, depth - 1);
        break;
    default:
        lanes(g);
    }
}

void statements(struct gen *g, unsigned n, unsigned depth)
{
    for (unsigned i = 0; i < n; i++) {
        if (g->budget)
            g->budget--;
        if (g->budget)
            statement(g, depth);
        else
            assign(g);
    }
}
