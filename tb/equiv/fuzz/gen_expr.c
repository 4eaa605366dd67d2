// SPDX-License-Identifier: Apache-2.0
/*
 * gen_expr.c - random expressions whose value C defines for every input.
 *
 * Signed results that need more bits than their type has get an operand widened or made unsigned,
 * shift amounts are masked below the width of what is shifted, divisors are odd and not negative.
 */
#include "gen.h"

#include <string.h>

/* Bits in two's complement, the sign included. */
static unsigned signed_bits(struct expr e)
{
    return e.neg ? e.bits : e.bits + 1;
}

/* ---- arithmetic ------------------------------------------------------------------------------------- */

enum op { ADD, SUB, MUL, DIV, MOD, AND, OR, XOR };
static const char *const symbol[] = {"+", "-", "*", "/", "%", "&", "|", "^"};
static const enum construct construct[] = {C_SUM,      C_SUM,  C_PRODUCT, C_QUOTIENT,
                                           C_QUOTIENT, C_BITS, C_BITS,    C_BITS};

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
    *r =
        (struct expr){.type = t,
                      .neg = e.neg,
                      .bits = e.bits,
                      .text = marked(construct[op], fmt("(%s %s %s)", a.text, symbol[op], b.text))};
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
    return (struct expr){.text = marked(C_SHIFT, fmt("(%s << %s)", a.text, by)),
                         .type = t,
                         .bits = min(t.width, a.bits + most)};
}

static struct expr shift_right(struct gen *g, struct expr a)
{
    struct type t = promoted(a.type);
    unsigned least, most;
    const char *by = amount(g, t.width, &least, &most);
    unsigned bits = a.bits > least ? a.bits - least : 1;
    return (struct expr){.text = marked(C_SHIFT, fmt("(%s >> %s)", a.text, by)),
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
    return truth(marked(C_COMPARE, fmt("(%s %s %s)", a.text, op[draw(g, 6)], b.text)));
}

struct expr condition(struct gen *g, unsigned depth)
{
    struct expr a;
    switch (draw(g, depth ? 8 : 3)) {
    case 0:
        return expr_near(g, depth ? depth - 1 : 0, 1);
    case 1:
    case 2:
    case 3:
        return compare(g, depth ? depth - 1 : 0, 1 + (unsigned)draw(g, 12));
    case 4:
        a = condition(g, depth - 1);
        return truth(marked(C_LOGIC, fmt("(!%s)", a.text)));
    case 5:
        a = expr_near(g, depth - 1, 8);
        return binary(g, AND, a, literal(g, a.bits));
    default:
        a = condition(g, depth - 1);
        return truth(marked(C_LOGIC, fmt("(%s %s %s)", a.text, chance(g, 50) ? "&&" : "||",
                                         condition(g, depth - 1).text)));
    }
}

static struct expr choice(struct gen *g, unsigned depth, unsigned width)
{
    struct expr c = condition(g, depth), a = expr_near(g, depth, width);
    struct expr b = other(g, a, depth, width);
    struct type t = common_type(a.type, b.type);
    struct expr r = {.text = marked(C_CHOICE, fmt("(%s ? %s : %s)", c.text, a.text, b.text)),
                     .type = t};
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
    struct expr r = {.text = marked(C_UNARY, fmt(minus ? "(-%s)" : "(~%s)", a.text)),
                     .type = t,
                     .bits = t.width};
    if (t.is_signed) {
        r.neg = true;
        r.bits = minus ? signed_bits(a) + 1 : signed_bits(a);
    }
    (void)g;
    return r;
}

static struct expr builtin_of(struct gen *g, struct expr a)
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

static struct expr builtin(struct gen *g, struct expr a)
{
    struct expr r = builtin_of(g, a);
    r.text = marked(C_BUILTIN, r.text);
    return r;
}

/* first: text of the leading argument, or NULL. */
const char *call_text(struct gen *g, const struct helper *h, const char *first, unsigned depth)
{
    struct buffer b = {0};
    add(&b, "%s(%s", h->name, first ? first : "");
    for (unsigned i = 0; i < h->n_args; i++)
        add(&b, "%s%s", i || first ? ", " : "", value_for(g, h->arg[i], depth));
    add(&b, ")");
    return marked(helper_construct(h->kind), b.s);
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
        a = cast(a, cast_type(g, width));
        a.text = marked(C_CAST, a.text);
        return a;
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
