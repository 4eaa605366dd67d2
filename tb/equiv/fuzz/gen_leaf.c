// SPDX-License-Identifier: Apache-2.0
/*
 * gen_leaf.c - what expressions are made of: literals, variables, indices, and casts of them.
 *
 * Indices are masked, taken modulo or guarded.
 */
#include "gen.h"

#include <string.h>

unsigned bits_of(uint64_t value)
{
    unsigned n = 1;
    while (value >>= 1)
        n++;
    return n;
}

struct expr entry_value(const struct entry *e, const char *text, struct type t)
{
    struct expr r = {.text = text, .type = t, .neg = t.is_signed, .bits = t.width};
    if (t.kind == TYPE_ENUM)
        r.bits = t.e->width;
    if (e->limit) {
        r.neg = false;
        r.bits = bits_of(e->limit - 1);
    }
    return r;
}

struct expr cast(struct expr e, struct type t)
{
    struct expr r = {.text = fmt("(%s)%s", type_name(t), e.text), .type = t};
    if (t.kind == TYPE_BOOL) {
        r.bits = 1;
    } else if (!t.is_signed) {
        r.bits = e.neg ? t.width : min(e.bits, t.width);
    } else if (e.neg || e.bits >= t.width) {
        r.neg = true;
        r.bits = e.neg ? min(e.bits, t.width) : t.width;
    } else {
        r.bits = e.bits;
    }
    return r;
}

/* ---- literals ----------------------------------------------------------------------------------- */

static uint64_t interesting(struct gen *g, unsigned width)
{
    uint64_t mask = width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);
    switch (draw(g, 6)) {
    case 0:
        return draw(g, 4) & mask;
    case 1:
        return mask;
    case 2:
        return UINT64_C(1) << draw(g, width < 64 ? width : 64);
    case 3:
        return mask >> 1;
    default:
        return draw(g, 0) & mask;
    }
}

const char *constant_for(struct gen *g, struct type t)
{
    if (t.kind == TYPE_ENUM)
        return t.e->label[draw(g, t.e->n)];
    if (t.kind == TYPE_BOOL)
        return chance(g, 50) ? "true" : "false";
    if (t.width > 64 && chance(g, 60)) {
        struct buffer b = {0};
        unsigned digits = (t.width - (t.is_signed ? 1 : 0)) / 4;
        add(&b, "0x");
        for (unsigned i = 0; i < digits; i++)
            add(&b, "%x", (unsigned)draw(g, 16));
        add(&b, "uwb");
        return b.s;
    }
    uint64_t v = interesting(g, min(t.is_signed ? t.width - 1 : t.width, 64));
    if (t.is_signed && chance(g, 30))
        return fmt(v > 0x7fffffff ? "-%lul" : "-%lu", v & INT64_MAX);
    if (v > 0x7fffffff)
        return fmt("0x%lx%s", v, v > 0xffffffff ? "ul" : "u");
    return fmt(v > 9 && chance(g, 60) ? "0x%lx" : "%lu", v);
}

/* An operand: mostly an int, as people write them. */
struct expr literal(struct gen *g, unsigned width)
{
    uint64_t v = interesting(g, min(width, chance(g, 80) ? 8 : 64));
    struct expr e = {.bits = bits_of(v), .type = plain(true, 32)};
    if (g->on[WITH_LITERALS] && chance(g, 25)) {
        e.type = bitint(false, e.bits);
        e.text = fmt("%luuwb", v);
    } else if (v > 0xffffffff) {
        e.type = plain(false, 64);
        e.text = fmt("0x%lxul", v);
    } else if (v > 0x7fffffff || chance(g, 5)) {
        e.type = plain(false, 32);
        e.text = fmt("0x%lxu", v);
    } else if (v > 0 && chance(g, 8)) {
        e.neg = true;
        e.bits++;
        e.text = fmt("(-%lu)", v);
    } else {
        e.text = fmt(v > 9 && chance(g, 50) ? "0x%lx" : "%lu", v);
    }
    e.text = marked(C_LITERAL, e.text);
    return e;
}

/* ---- variables ------------------------------------------------------------------------------------ */

/* From an entry down to a scalar, or to the struct `stop`; false if there is none of it. */
static bool walk(struct gen *g, const struct entry *e, const struct record *stop,
                 struct entry *found, const char **text)
{
    struct entry at = *e;
    const char *suffix = e->suffix;
    *text = e->text;
    for (;;) {
        for (unsigned d = 0; d < at.n_dims; d++)
            *text = marked(C_ELEMENT, fmt("%s[%s]", *text, index_below(g, at.dim[d])));
        *text = fmt("%s%s", *text, suffix);
        suffix = "";
        if (at.rec == stop) {
            *found = at;
            return true;
        }
        if (at.rec == NULL)
            return false;
        const struct field *f = &at.rec->field[draw(g, at.rec->n)];
        *text = fmt("%s.%s", *text, f->name);
        at.type = f->type;
        at.rec = f->rec;
        at.n_dims = f->n_dims;
        memcpy(at.dim, f->dim, sizeof at.dim);
    }
}

/* Recent ones more often: what was just computed should be used. */
static const struct entry *choose(struct gen *g)
{
    if (g->n_scope == 0)
        return NULL;
    unsigned window = chance(g, 45) ? min(g->n_scope, 6) : g->n_scope;
    return &g->scope[g->n_scope - 1 - draw(g, window)];
}

bool scalar_access(struct gen *g, bool writable, struct entry *found, const char **text)
{
    for (unsigned try = 0; try < 12; try++) {
        const struct entry *e = choose(g);
        if (e != NULL && (e->writable || !writable) && walk(g, e, NULL, found, text))
            return true;
    }
    return false;
}

const char *record_access(struct gen *g, const struct record *rec, bool writable)
{
    struct entry found;
    const char *text;
    for (unsigned try = 0; try < 10; try++) {
        const struct entry *e = choose(g);
        if (e != NULL && e->rec && (e->writable || !writable) && !e->child &&
            walk(g, e, rec, &found, &text))
            return text;
    }
    return NULL;
}

struct expr leaf(struct gen *g, unsigned width)
{
    struct expr best = {0};
    unsigned tries = 1 + (unsigned)draw(g, 3);
    if (chance(g, 15))
        return literal(g, width);
    for (unsigned i = 0; i < tries; i++) {
        struct entry found;
        const char *text;
        if (!scalar_access(g, false, &found, &text))
            break;
        struct expr e = entry_value(&found, text, found.type);
        unsigned far = e.bits > width ? e.bits - width : width - e.bits;
        unsigned best_far = best.bits > width ? best.bits - width : width - best.bits;
        if (best.text == NULL || far < best_far)
            best = e;
    }
    return best.text ? best : literal(g, width);
}

/* ---- indices --------------------------------------------------------------------------------------- */

static const char *dynamic_index(struct gen *g, unsigned n)
{
    if (n == 1 || chance(g, 20) || g->in_index > 2)
        return fmt("%u", (unsigned)draw(g, n));
    for (unsigned i = 0; i < 6 && i < g->n_scope; i++) {
        const struct entry *e = &g->scope[g->n_scope - 1 - i];
        if (e->loop && e->limit && e->limit <= n && chance(g, 60))
            return e->text;
    }
    bool power = (n & (n - 1)) == 0;
    struct expr e =
        chance(g, 15) && g->trips <= 4 ? expr_near(g, 2, bits_of(n - 1)) : leaf(g, bits_of(n - 1));
    if (power && !e.neg && e.bits <= bits_of(n - 1) && e.type.width <= 64)
        return e.text;
    if (power && chance(g, 70))
        return fmt(e.type.width > 64 ? "(u8)(%s & %u)" : "%s & %u", e.text, n - 1);
    if (!e.neg && e.type.width <= 64 && chance(g, 50))
        return fmt("%s < %u ? %s : %u", e.text, n, e.text, (unsigned)draw(g, n));
    return fmt("(u%u)%s %% %u", bits_of(n - 1) + (unsigned)draw(g, 3), e.text, n);
}

const char *index_below(struct gen *g, unsigned n)
{
    g->in_index++;
    const char *text = dynamic_index(g, n);
    g->in_index--;
    return text;
}

/* Exactly that many bits, for memories. */
const char *index_bits(struct gen *g, unsigned bits)
{
    struct expr e = expr_near(g, 1, bits);
    return e.type.kind == TYPE_BITINT && !e.type.is_signed && e.type.width == bits
               ? e.text
               : cast(e, bitint(false, bits)).text;
}

/* The same below n. */
const char *index_word(struct gen *g, unsigned n)
{
    const unsigned bits = bits_of(n - 1);
    const char *text = index_bits(g, bits);
    return n == 1u << bits ? text : fmt("(u%u)(%s %% %u)", bits, text, n);
}
