// SPDX-License-Identifier: Apache-2.0
/*
 * gen_expr.c - random expressions whose value C defines for every input.
 *
 * Signed results that need more bits than their type has get an operand widened or made unsigned,
 * shift amounts are masked below the width of what is shifted, divisors are odd and not negative,
 * indices are masked, taken modulo or guarded.
 */
#include "gen.h"

#include <string.h>

static unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned bits_of(uint64_t value)
{
    unsigned n = 1;
    while (value >>= 1)
        n++;
    return n;
}

/* Bits in two's complement, the sign included. */
static unsigned signed_bits(struct expr e)
{
    return e.neg ? e.bits : e.bits + 1;
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

static struct expr cast(struct expr e, struct type t)
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
static struct expr literal(struct gen *g, unsigned width)
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
            *text = fmt("%s[%s]", *text, index_below(g, at.dim[d]));
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

static struct expr leaf(struct gen *g, unsigned width)
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
    struct expr e = leaf(g, bits_of(n - 1));
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

/* ---- arithmetic ------------------------------------------------------------------------------------- */

enum op { ADD, SUB, MUL, DIV, MOD, AND, OR, XOR };
static const char *const symbol[] = {"+", "-", "*", "/", "%", "&", "|", "^"};

/* The exact result, before it is cut to the type. */
static struct expr exact(enum op op, struct expr a, struct expr b)
{
    struct expr r = {.neg = a.neg || b.neg, .bits = max(a.bits, b.bits)};
    unsigned wide = max(signed_bits(a), signed_bits(b));
    switch (op) {
    case ADD:
        r.bits = r.neg ? wide + 1 : r.bits + 1;
        break;
    case SUB:
        r.neg = true;
        r.bits = wide + 1;
        break;
    case MUL:
        r.bits = r.neg ? signed_bits(a) + signed_bits(b) : a.bits + b.bits;
        break;
    case DIV:
    case MOD: /* the divisor is positive */
        r.neg = a.neg;
        r.bits = op == MOD && !a.neg ? min(a.bits, b.bits) : a.bits;
        break;
    case AND:
        r.neg = a.neg && b.neg;
        r.bits = r.neg ? wide : a.neg ? b.bits : b.neg ? a.bits : min(a.bits, b.bits);
        break;
    default:
        r.bits = r.neg ? wide : r.bits;
    }
    return r;
}

/* False if C does not define the result for every value. */
static bool apply(enum op op, struct expr a, struct expr b, struct expr *r)
{
    struct type t = common_type(a.type, b.type);
    struct expr e = exact(op, a, b);
    *r = (struct expr){.type = t,
                       .neg = e.neg,
                       .bits = e.bits,
                       .text = fmt("(%s %s %s)", a.text, symbol[op], b.text)};
    if (!t.is_signed) {
        r->neg = false;
        r->bits = a.neg || b.neg || op == SUB ? t.width : min(e.bits, t.width);
        return true;
    }
    return e.neg ? e.bits <= t.width : e.bits < t.width;
}

static struct expr make_unsigned(struct expr e, struct type t)
{
    return cast(e, t.kind == TYPE_PLAIN ? plain(false, t.width) : bitint(false, t.width));
}

static struct expr binary(struct gen *g, enum op op, struct expr a, struct expr b)
{
    struct expr r;
    if (apply(op, a, b, &r))
        return r;
    struct type t = common_type(a.type, b.type);
    struct expr e = exact(op, a, b);
    unsigned need = e.neg ? e.bits : e.bits + 1;
    if (need <= 64 && chance(g, 50))
        a = cast(a, chance(g, 50) ? plain(true, 64) : bitint(true, need));
    else if (need <= MAX_WIDTH && chance(g, 30))
        a = cast(a, bitint(true, need));
    else
        a = make_unsigned(a, t);
    apply(op, a, b, &r);
    return r;
}

/* Odd and not negative; narrow, as dividers are large. */
static struct expr divisor(struct gen *g, unsigned width)
{
    if (chance(g, 40)) {
        struct expr e = {.type = plain(true, 32)};
        uint64_t v = 1 + draw(g, 20);
        e.bits = bits_of(v);
        e.text = fmt("%lu", v);
        return e;
    }
    struct expr e = leaf(g, width), r;
    if (e.neg || e.bits > 12 || e.type.kind == TYPE_BOOL)
        e = cast(e, bitint(false, 1 + (unsigned)draw(g, 8)));
    struct expr one = {.text = "1", .type = plain(true, 32), .bits = 1};
    apply(OR, e, one, &r);
    return r;
}

static struct expr divide(struct gen *g, enum op op, struct expr a, unsigned width)
{
    if (a.bits > 24 && chance(g, 80))
        a = cast(a, bitint(a.neg, 8 + (unsigned)draw(g, 14)));
    struct expr b = divisor(g, width);
    /* 1 | x is not zero; a value of more bits than the common type has cannot be there */
    g->divides--;
    return binary(g, op, a, b);
}

static struct expr multiply(struct gen *g, struct expr a, struct expr b)
{
    if (a.bits > 20 && chance(g, 80))
        a = cast(a, bitint(a.neg, 4 + (unsigned)draw(g, 16)));
    if (b.bits > 20 && chance(g, 80))
        b = cast(b, bitint(b.neg, 4 + (unsigned)draw(g, 16)));
    g->multiplies--;
    return binary(g, MUL, a, b);
}

/* ---- shifts ------------------------------------------------------------------------------------------ */

/* An amount below `width`; *most is the largest. */
static const char *amount(struct gen *g, unsigned width, unsigned *least, unsigned *most)
{
    unsigned bits = bits_of(width) - 1; /* 2^bits <= width */
    *least = 0;
    if (width == 1 || chance(g, 45)) {
        *least = *most = (unsigned)draw(g, width);
        return fmt("%u", *most);
    }
    struct expr e = leaf(g, bits);
    if (!e.neg && e.bits <= bits && e.type.width <= 64) {
        *most = (1u << e.bits) - 1;
        return e.text;
    }
    if (chance(g, 60) || e.type.width > 64) {
        *most = (1u << (1 + draw(g, bits))) - 1;
        return fmt(e.type.width > 64 ? "(u16)(%s & %u)" : "(%s & %u)", e.text, *most);
    }
    *most = width - 1;
    return fmt("(%s %% %u)", cast(e, bitint(false, bits + 2)).text, width);
}

static struct expr shift_left(struct gen *g, struct expr a)
{
    struct type t = promoted(a.type);
    unsigned least, most;
    const char *by = amount(g, t.width, &least, &most);
    if (t.is_signed && (a.neg || a.bits + most >= t.width)) {
        a = make_unsigned(a, t);
        t = promoted(a.type);
    }
    return (struct expr){
        .text = fmt("(%s << %s)", a.text, by), .type = t, .bits = min(t.width, a.bits + most)};
}

static struct expr shift_right(struct gen *g, struct expr a)
{
    struct type t = promoted(a.type);
    unsigned least, most;
    const char *by = amount(g, t.width, &least, &most);
    unsigned bits = a.bits > least ? a.bits - least : 1;
    return (struct expr){.text = fmt("(%s >> %s)", a.text, by),
                         .type = t,
                         .neg = a.neg,
                         .bits = max(bits, a.neg ? 2 : 1)};
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

static struct expr truth(const char *text)
{
    return (struct expr){.text = text, .type = plain(true, 32), .bits = 1};
}

/* A second operand, other than the first. */
static struct expr other(struct gen *g, struct expr a, unsigned depth, unsigned width)
{
    struct expr b = expr_near(g, depth, width);
    for (unsigned i = 0; i < 3 && strcmp(a.text, b.text) == 0; i++)
        b = expr_near(g, depth, width);
    return b;
}

static struct expr compare(struct gen *g, unsigned depth, unsigned width)
{
    static const char *const op[] = {"==", "!=", "<", "<=", ">", ">="};
    struct expr a = expr_near(g, depth, width);
    struct expr b = chance(g, 30) ? literal(g, a.bits) : other(g, a, depth, a.bits);
    return truth(fmt("(%s %s %s)", a.text, op[draw(g, 6)], b.text));
}

struct expr condition(struct gen *g, unsigned depth)
{
    struct expr a;
    switch (draw(g, depth ? 8 : 3)) {
    case 0:
        return leaf(g, 1);
    case 1:
    case 2:
    case 3:
        return compare(g, depth ? depth - 1 : 0, 1 + (unsigned)draw(g, 12));
    case 4:
        a = condition(g, depth - 1);
        return truth(fmt("(!%s)", a.text));
    case 5:
        a = expr_near(g, depth - 1, 8);
        return binary(g, AND, a, literal(g, a.bits));
    default:
        a = condition(g, depth - 1);
        return truth(
            fmt("(%s %s %s)", a.text, chance(g, 50) ? "&&" : "||", condition(g, depth - 1).text));
    }
}

static struct expr choice(struct gen *g, unsigned depth, unsigned width)
{
    struct expr c = condition(g, depth), a = expr_near(g, depth, width);
    struct expr b = other(g, a, depth, width);
    struct type t = common_type(a.type, b.type);
    struct expr r = {.text = fmt("(%s ? %s : %s)", c.text, a.text, b.text), .type = t};
    if (t.is_signed) {
        r.neg = a.neg || b.neg;
        r.bits = r.neg ? max(signed_bits(a), signed_bits(b)) : max(a.bits, b.bits);
    } else {
        r.bits = a.neg || b.neg ? t.width : max(a.bits, b.bits);
    }
    return r;
}

static struct expr unary(struct gen *g, bool minus, struct expr a)
{
    struct type t = promoted(a.type);
    if (minus && t.is_signed && signed_bits(a) + 1 > t.width) {
        a = make_unsigned(a, t);
        t = promoted(a.type);
    }
    struct expr r = {.text = fmt(minus ? "(-%s)" : "(~%s)", a.text), .type = t, .bits = t.width};
    if (t.is_signed) {
        r.neg = true;
        r.bits = minus ? signed_bits(a) + 1 : signed_bits(a);
    }
    (void)g;
    return r;
}

static struct expr builtin(struct gen *g, struct expr a)
{
    struct expr r = {.type = plain(true, 32), .bits = 6};
    const char *x = cast(a, plain(false, 32)).text, *y = cast(a, plain(false, 64)).text;
    switch (draw(g, 7)) {
    case 0:
        r.text = fmt("__builtin_popcount(%s)", x);
        return r;
    case 1:
        r.text = fmt("__builtin_popcountl(%s)", y);
        r.bits = 7;
        return r;
    case 2:
        r.text = fmt("__builtin_parity(%s)", x);
        r.bits = 1;
        return r;
    case 3:
        r.text = fmt("__builtin_ctz(%s | 0x80000000u)", x);
        return r;
    case 4:
        r.text = fmt("__builtin_clz(%s | 1)", x);
        return r;
    case 5:
        r.text = fmt("__builtin_clzl(%s | 1)", y);
        r.bits = 7;
        return r;
    default:
        r.text = fmt("__builtin_bswap32(%s)", x);
        r.type = plain(false, 32);
        r.bits = 32;
        return r;
    }
}

/* first: text of the leading argument, or NULL. */
const char *call_text(struct gen *g, const struct helper *h, const char *first, unsigned depth)
{
    struct buffer b = {0};
    add(&b, "%s(%s", h->name, first ? first : "");
    for (unsigned i = 0; i < h->n_args; i++)
        add(&b, "%s%s", i || first ? ", " : "", value_for(g, h->arg[i], depth));
    add(&b, ")");
    return b.s;
}

static bool call(struct gen *g, unsigned depth, struct expr *r)
{
    if (g->n_helper == 0 || g->trips > 8)
        return false;
    const struct helper *h = &g->helper[draw(g, g->n_helper)];
    struct entry none = {0};
    if (h->kind == HELPER_VALUE || h->kind == HELPER_KEEP) {
        *r = entry_value(&none, call_text(g, h, NULL, depth), h->ret);
        return true;
    }
    const char *from = h->kind == HELPER_RECORD ? record_access(g, h->rec, false) : NULL;
    if (from == NULL)
        return false;
    unsigned first = (unsigned)draw(g, h->rec->n);
    for (unsigned i = 0; i < h->rec->n; i++) {
        const struct field *f = &h->rec->field[(first + i) % h->rec->n];
        if (f->rec || f->n_dims)
            continue;
        *r = entry_value(&none, fmt("%s.%s", call_text(g, h, from, depth), f->name), f->type);
        return true;
    }
    return false;
}

static struct type cast_type(struct gen *g, unsigned width)
{
    struct type t = random_type(g);
    if (t.kind == TYPE_ENUM || chance(g, 70))
        return bitint(g->on[WITH_SIGNED] && chance(g, 30),
                      1 + (unsigned)draw(g, 2 * min(width, 64)));
    return t;
}

struct expr expr_near(struct gen *g, unsigned depth, unsigned width)
{
    struct expr r;
    if (depth == 0 || chance(g, 22))
        return leaf(g, width);
    depth--;
    unsigned heavy = g->trips > 4 ? 0 : 1;
    unsigned weight[] = {12,
                         9,
                         8,
                         8,
                         12,
                         6,
                         8,
                         6,
                         4,
                         4,
                         3,
                         8,
                         7,
                         g->multiplies ? 5 * heavy : 0,
                         g->divides ? 2 * heavy : 0,
                         g->divides ? 2 * heavy : 0,
                         g->n_helper ? 5 : 0,
                         g->on[WITH_BUILTINS] ? 3 * heavy : 0};
    unsigned what = pick(g, sizeof weight / sizeof *weight, weight);
    static const enum op simple[] = {ADD, SUB, AND, OR, XOR};
    if (what == 16)
        return call(g, depth, &r) ? r : leaf(g, width);
    if (what == 7)
        return compare(g, depth, 1 + (unsigned)draw(g, 16));
    if (what == 8)
        return condition(g, depth);
    if (what == 11)
        return choice(g, depth, width);
    struct expr a = expr_near(g, depth, width);
    switch (what) {
    case 5:
        return shift_left(g, a);
    case 6:
        return shift_right(g, a);
    case 9:
        return unary(g, false, a);
    case 10:
        return unary(g, true, a);
    case 12:
        return cast(a, cast_type(g, width));
    case 13:
        return multiply(g, a, other(g, a, depth, width));
    case 14:
    case 15:
        return divide(g, what == 14 ? DIV : MOD, a, width);
    case 17:
        return builtin(g, a);
    default:
        return binary(g, simple[what], a, other(g, a, depth, width));
    }
}

struct expr expr(struct gen *g, unsigned depth)
{
    return expr_near(g, depth, 1 + (unsigned)draw(g, 24));
}

/* An enum takes its own enumerators, and values of its width if all of them are enumerators. */
static const char *enum_value(struct gen *g, struct type t, unsigned depth)
{
    if (t.e->dense && depth && chance(g, 50))
        return fmt("(enum %s)(%s)", t.e->name,
                   cast(expr_near(g, depth, t.e->width), bitint(false, t.e->width)).text);
    if (depth && chance(g, 50))
        return fmt("%s ? %s : %s", condition(g, depth - 1).text, t.e->label[draw(g, t.e->n)],
                   enum_value(g, t, depth - 1));
    return t.e->label[draw(g, t.e->n)];
}

const char *value_for(struct gen *g, struct type t, unsigned depth)
{
    if (t.kind == TYPE_ENUM)
        return enum_value(g, t, depth);
    return expr_near(g, depth, t.width).text;
}

/* x op= e: false if x op e is not defined for all values; *right gets what stands on the right. */
bool compound(struct gen *g, const char *op, struct expr x, struct expr e, const char **right)
{
    struct expr r;
    if (op[0] == '<' || op[0] == '>') {
        struct type t = promoted(x.type);
        unsigned least, most;
        *right = amount(g, x.type.width < t.width ? x.type.width : t.width, &least, &most);
        return op[0] == '>' || !t.is_signed || (!x.neg && x.bits + most < t.width);
    }
    for (unsigned i = ADD; i <= XOR; i++) {
        if (strcmp(symbol[i], op) != 0 || i == MUL || i == DIV || i == MOD)
            continue;
        if (!apply(i, x, e, &r))
            e = make_unsigned(e, common_type(x.type, e.type));
        *right = e.text;
        return apply(i, x, e, &r);
    }
    return false;
}
