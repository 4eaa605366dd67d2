// SPDX-License-Identifier: Apache-2.0
/*
 * emit_expr.c - expressions of Verilog.
 *
 * Prints a node, or in a loop a row of nodes of one shape (a lane per pass of the loop, what
 * differs between lanes being offsets into vectors and constants). Every operand has exactly the
 * width of its operation, so nothing depends on Verilog's rules for extending operands.
 */
#include "emit/emit.h"
#include "base/number.h"
#include "graph/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char *wrap(char *s, enum level own, int wanted)
{
    return (int)own < wanted ? format("(%s)", s) : s;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *sign(bool after, int stride)
{
    return !after ? "" : stride < 0 ? " - " : " + ";
}

static const char *times(int stride)
{
    return abs(stride) == 1 ? "" : format(" * %d", abs(stride));
}

/* net[low + i / group * far + i % group * near +: width] */
static char *group_part(const struct scope *s, const char *net, struct spacing p, unsigned width)
{
    const char *i = s->m->plan->loop;
    struct text at = {0};
    if (s->down)
        i = format("(%u - %s)", s->n - 1, i);
    if (p.low)
        put(&at, "%u", p.low);
    if (p.far)
        put(&at, "%s%s / %u%s", sign(at.n, p.far), i, p.group, times(p.far));
    if (p.near)
        put(&at, "%s%s %% %u%s", sign(at.n, p.near), i, p.group, times(p.near));
    return width == 1 ? format("%s[%s]", net, at.s) : format("%s[%s +: %u]", net, at.s, width);
}

/* net[i * stride + low +: width] */
static char *lane_part(const struct scope *s, struct ref first, int stride, unsigned width)
{
    const char *i = s->m->plan->loop;
    char *at;
    if (s->down) {
        first.low = (unsigned)((int)first.low + stride * (int)(s->n - 1));
        stride = -stride;
    }
    if (stride < 0)
        at = stride == -1 ? format("%u - %s", first.low, i)
                          : format("%u - %s * %d", first.low, i, -stride);
    else
        at = format("%s%s", stride == 1 ? i : format("%s * %d", i, stride),
                    first.low ? format(" + %u", first.low) : "");
    return width == 1 ? format("%s[%s]", first.net, at)
                      : format("%s[%s +: %u]", first.net, at, width);
}

/* Bits of each lane of a row that is equally spaced parts of one net. */
static char *spaced_bits(const struct scope *s, row lane, unsigned from, unsigned width)
{
    struct ref first, r;
    unsigned *low = arena(s->n * sizeof *low);
    struct spacing spacing;
    bool named = node_ref(s->m, lane[0], &first);
    assert(named);
    for (unsigned i = 0; i < s->n; i++) {
        named = node_ref(s->m, lane[i], &r);
        assert(named && strcmp(r.net, first.net) == 0);
        low[i] = r.low + from;
    }
    if (!find_spacing(low, s->n, &spacing))
        assert(false);
    if (spacing.group < s->n)
        return group_part(s, first.net, spacing, width);
    first.low += from;
    return lane_part(s, first, spacing.near, width);
}

/* Bits of the slots of a vector, or of the variable of a chain. */
static char *view_bits(const struct scope *s, const struct view *view, unsigned low, unsigned width)
{
    const struct vector *v = view->vector;
    assert(v->net);
    if (v->chain)
        return part(v->net, v->width, low, width);
    struct ref r = {v->net, low, v->slots * v->width};
    return lane_part(s, r, (int)v->width, width);
}

/* Bits of a row that has a name, in this loop or outside of it; or NULL. */
static char *row_bits(const struct scope *s, row lane, unsigned from, unsigned width)
{
    const struct view *view;
    struct ref r;
    switch (row_kind(s->m, lane, s->n, &view)) {
    case ROW_SAME:
        return node_ref(s->m, lane[0], &r) ? part(r.net, r.total, r.low + from, width) : NULL;
    case ROW_VIEW:
        return view_bits(s, view, from, width);
    case ROW_SPACED:
        return spaced_bits(s, lane, from, width);
    default:
        return NULL;
    }
}

/* The same of one that must have one. */
static char *bits(const struct scope *s, row lane, unsigned low, unsigned width)
{
    char *name = row_bits(s, lane, low, width);
    assert(name);
    return name;
}

/* Constants that differ by lane: the loop variable itself, or a table. */
static char *row_table(const struct scope *s, row lane)
{
    const struct plan *p = s->m->plan;
    unsigned width = lane[0]->width;
    if (row_counts(lane, s->n, s->down))
        return width == 1 ? format("%s[0]", p->loop) : format("%s[%u:0]", p->loop, width - 1);
    const struct row_table *table = table_find(p, s->owner, lane, s->n);
    assert(table);
    struct scope up = *s;
    up.down = false;
    return lane_part(&up, (struct ref){table->name, 0, width * s->n}, (int)width, width);
}

void emit_tables(struct text *t, const struct plan *p, const void *owner)
{
    for (unsigned i = 0; i < p->n_tables; i++) {
        const struct row_table *table = &p->table[i];
        unsigned n = table->n;
        if (table->owner != owner)
            continue;
        struct text line = {0};
        for (unsigned k = n; k-- > 0;)
            put(&line, "%s%s", constant(table->lane[table->down ? n - 1 - k : k]), k ? COMMA : "");
        put_line(t, 4,
                 format("localparam %s%s = " ALIGN "{%s};", range(n * table->lane[0]->width),
                        table->name, line.s),
                 NULL);
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

/* What the row looks like once names are taken off: the operation, or PRIMARY things. */
bool is_inline(const struct scope *s, row lane, enum op op)
{
    return lane[0]->op == op && row_bits(s, lane, 0, lane[0]->width) == NULL;
}

/* For its operands: constants among them have the names of its line. */
static struct scope operands_of(const struct scope *s, row lane)
{
    struct scope of = *s;
    of.user = lane[0];
    return of;
}

/* An operand of && or ^ and the like: only the same operation stands without parentheses. */
static char *operand(const struct scope *s, row lane, enum op op, enum level own)
{
    int others = own == AND_AND || own == OR_OR ? EQUAL : UNARY;
    return expr(s, lane, is_inline(s, lane, op) ? (int)own : others);
}

static char *joined(const struct scope *s, row lane, enum level own, const char *sign)
{
    struct node ***a = lane_args(s->m, lane, s->n);
    const struct scope of = operands_of(s, lane);
    const enum op op = lane[0]->op;
    return format("%s %s" SOFT "%s", operand(&of, a[0], op, own), sign,
                  operand(&of, a[1], op, own));
}

static char *compare(const struct scope *s, struct node *const *lane, bool negated)
{
    struct node ***a = lane_args(s->m, lane, s->n);
    bool swap = lane[0]->op != OP_EQ && is_const(a[0][0]);
    struct scope named = *s;
    named.user = is_zero(a[!swap][0]) ? NULL : lane[0]; /* zeros that the line does not write */
    if (lane[0]->op == OP_EQ) {
        named.labels = enumeration_of(s->m, a[0][0]);
        return format("%s %s" SOFT "%s", expr(s, a[0], SUM),
                      negated ? "!=" : "==", expr(&named, a[1], SUM));
    }
    const char *sign = negated ? (swap ? "<=" : ">=") : (swap ? ">" : "<");
    char *x = expr(s, a[swap], SUM), *y = expr(&named, a[!swap], SUM);
    if (lane[0]->op == OP_SLT) {
        x = format("$signed(%s)", x);
        y = format("$signed(%s)", y);
    }
    return format("%s %s" SOFT "%s", x, sign, y);
}

static char *not_text(const struct scope *s, row lane, enum level *own)
{
    struct node **a = lane_args(s->m, lane, s->n)[0];
    const enum op op = a[0]->op;
    *own = UNARY;
    if (op_info[op].kind == KIND_TEST && is_inline(s, a, op)) {
        *own = op == OP_EQ ? EQUAL : LESS;
        return compare(s, a, true);
    }
    return format("%s%s", lane[0]->width == 1 ? "!" : "~", expr(s, a, PRIMARY));
}

static char *bitwise(const struct scope *s, row lane, enum level *own)
{
    bool bit = lane[0]->width == 1, and = lane[0]->op == OP_AND;
    *own = bit ? (and? AND_AND : OR_OR) : (and? BIT_AND : BIT_OR);
    if (bit && s->n == 1)
        return and_or_bits(s, lane[0], lane[0]->op);
    return joined(s, lane, *own, and? (bit ? "&&" : "&") : (bit ? "||" : "|"));
}

static char *arithmetic(const struct scope *s, row lane, enum level *own)
{
    struct node ***a = lane_args(s->m, lane, s->n);
    enum op op = lane[0]->op;
    *own = op == OP_ADD || op == OP_SUB ? SUM : op == OP_MUL ? PRODUCT : SHIFT;
    enum level first = op == OP_ADD || op == OP_SUB ? SUM : UNARY;
    enum level second = op == OP_ADD ? SUM : op == OP_SUB ? PRODUCT : UNARY;
    const struct scope of = operands_of(s, lane);
    return format("%s %s" SOFT "%s", expr(&of, a[0], first), op_info[op].sign,
                  expr(&of, a[1], second));
}

/* Division by zero gives zero. */
static char *division(const struct scope *s, row lane, enum level *own)
{
    struct node ***a = lane_args(s->m, lane, s->n);
    unsigned width = lane[0]->width;
    const struct scope of = operands_of(s, lane);
    char *y = expr(&of, a[1], UNARY);
    char *quotient =
        format("%s %s" SOFT "%s", expr(&of, a[0], UNARY), op_info[lane[0]->op].sign, y);
    *own = PRODUCT;
    if (is_const(a[1][0]) && row_same(a[1], s->n))
        return quotient;
    *own = TERNARY;
    return format("%s == %u'd0 ? %u'd0 :" SOFT "%s", y, width, width, quotient);
}

static char *choice(const struct scope *s, row lane)
{
    struct node ***a = lane_args(s->m, lane, s->n);
    bool chain = is_inline(s, a[2], OP_MUX);
    struct scope plain = *s;
    plain.labels = NULL;
    struct scope arm = *s;
    arm.user = lane[0];
    return format("%s ?" SOFT "%s :%s%s", expr(&plain, a[0], OR_OR), expr(&arm, a[1], OR_OR),
                  chain ? CHAIN : SOFT, expr(&arm, a[2], TERNARY));
}

/* How many parts, from the high end, are adjoining bits of one net. */
static unsigned neighbours(const struct module *m, struct node *const *part, unsigned n)
{
    struct ref high, r;
    unsigned count = 1;
    if (!node_ref(m, part[0], &high))
        return 1;
    for (unsigned low = high.low; count < n && node_ref(m, part[count], &r); count++) {
        if (strcmp(r.net, high.net) != 0 || r.low + part[count]->width != low)
            break;
        low = r.low;
    }
    return count;
}

static char *joined_part(const struct module *m, struct node *const *parts, unsigned n)
{
    struct ref r = {0};
    unsigned width = 0;
    for (unsigned i = 0; i < n; i++)
        width += parts[i]->width;
    node_ref(m, parts[n - 1], &r);
    return part(r.net, r.total, r.low, width);
}

char *named_parts(const struct module *m, struct node *const *parts, unsigned n)
{
    struct text t = {0};
    for (unsigned i = 0, run; i < n; i += run) {
        run = neighbours(m, parts + i, n - i);
        put(&t, "%s%s", i ? COMMA : "", joined_part(m, parts + i, run));
        if (run == n)
            return t.s;
    }
    return format("{%s}", t.s);
}

static char *concatenation(const struct scope *s, row lane)
{
    struct node ***a = lane_args(s->m, lane, s->n);
    struct text t = {0};
    unsigned n = lane[0]->n_args;
    if (s->n == 1 && neighbours(s->m, lane[0]->args, n) == n)
        return joined_part(s->m, lane[0]->args, n);
    put(&t, "{");
    for (unsigned i = 0; i < n;) {
        unsigned run = 1;
        while (i + run < n && memcmp(a[i], a[i + run], s->n * sizeof **a) == 0)
            run++;
        char *x = expr(s, a[i], ANY);
        unsigned joined = run == 1 && s->n == 1 ? neighbours(s->m, lane[0]->args + i, n - i) : 1;
        if (joined > 1)
            x = joined_part(s->m, lane[0]->args + i, joined);
        put(&t, "%s%s", i ? COMMA : "", run > 1 ? format("{%u{%s}}", run, x) : x);
        i += run > joined ? run : joined;
    }
    put(&t, "}");
    return t.s;
}

static char *extension(const struct scope *s, row lane)
{
    struct node **a = lane_args(s->m, lane, s->n)[0];
    unsigned width = a[0]->width, more = lane[0]->width - width;
    if (width == 1)
        return format("{%u{%s}}", lane[0]->width, expr(s, a, ANY));
    char *bit = bits(s, a, width - 1, 1);
    return format("{%s," SOFT "%s}", more == 1 ? bit : format("{%u{%s}}", more, bit),
                  expr(s, a, ANY));
}

/*
 * vector[index * W +: W]; out of range gives zero. The number of a bit has as many bits as the vector's length takes, its
 * sum too: Verilator warns of others. What is cut off an index is zero where an element is taken.
 */
static char *element(const struct scope *s, row lane, enum level *own)
{
    struct node ***a = lane_args(s->m, lane, s->n);
    struct node *vec = a[0][0], *index = a[1][0];
    unsigned width = lane[0]->width, stride = get_stride(lane[0]), n = vec->width / stride;
    struct ref r;
    bool named = node_ref(s->m, vec, &r);
    assert(named && row_same(a[0], s->n));
    (void)named;
    const unsigned need = bits_to_hold(r.total - 1), w = index->width;
    char *at;
    if (width > 1 || stride > 1) {
        at = w > 31 ? bits(s, a[1], 0, bits_to_hold(n - 1)) : expr(s, a[1], UNARY);
        at = format("%s%s%s", at, times((int)stride), r.low ? format(" + %u", r.low) : "");
    } else if (w < need && r.low % (1u << w) == 0) {
        at = format("{%u'd%u, %s}", need - w, r.low >> w, expr(s, a[1], ANY));
    } else {
        at = w > need ? bits(s, a[1], 0, need) : expr(s, a[1], r.low ? SUM : ANY);
        at = w < need ? format("{%u'd0, %s}", need - w, at) : at;
        at = r.low ? format("%s + %u'd%u", at, need, r.low) : at;
    }
    char *text =
        width == 1 ? format("%s[%s]", r.net, at) : format("%s[%s +: %u]", r.net, at, width);
    *own = PRIMARY;
    if (w < 32 && n >> w)
        return text;
    *own = TERNARY;
    return format("%s < %u'd%u ?" SOFT "%s :" SOFT "%u'%s0", expr(s, a[1], SHIFT), w, n, text,
                  width, width == 1 ? "b" : "d");
}

/* ---- sums ------------------------------------------------------------------------------------ */

static char *exclusive(const struct scope *s, row lane, enum level *own)
{
    *own = BIT_XOR;
    if (s->n == 1 && lane[0]->n_args > 2)
        return xor_bits(s, lane[0], own);
    struct node ***a = lane_args(s->m, lane, s->n);
    const struct scope of = operands_of(s, lane);
    struct text t = {0};
    for (unsigned i = 0; i < lane[0]->n_args; i++)
        put(&t, "%s%s", i ? " ^" SOFT : "", operand(&of, a[i], OP_XOR, BIT_XOR));
    return t.s;
}

/* ---- any node -------------------------------------------------------------------------------- */

static char *call(const struct scope *s, row lane)
{
    struct node ***a = lane_args(s->m, lane, s->n);
    struct text t = {0};
    put(&t, "%s(", function_name(s->m->plan, lane[0]->keep));
    for (unsigned i = 0; i < lane[0]->n_args; i++)
        put(&t, "%s%s", i ? COMMA : "", expr(s, a[i], ANY));
    put(&t, ")");
    return t.s;
}

static char *operation(const struct scope *s, row lane, enum level *own)
{
    const struct node *n = lane[0];
    *own = PRIMARY;
    switch (n->op) {
    case OP_NOT:
        return not_text(s, lane, own);
    case OP_AND:
    case OP_OR:
        return bitwise(s, lane, own);
    case OP_XOR:
        return exclusive(s, lane, own);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_SHL:
    case OP_LSHR:
        return arithmetic(s, lane, own);
    case OP_UDIV:
    case OP_UREM:
        return division(s, lane, own);
    case OP_ASHR:
        *own = SHIFT;
        return format("$signed(%s) %s" SOFT "%s", expr(s, lane_args(s->m, lane, s->n)[0], ANY),
                      op_info[OP_ASHR].sign, expr(s, lane_args(s->m, lane, s->n)[1], UNARY));
    case OP_EQ:
    case OP_ULT:
    case OP_SLT:
        *own = n->op == OP_EQ ? EQUAL : LESS;
        return compare(s, lane, false);
    case OP_MUX:
        *own = TERNARY;
        return choice(s, lane);
    case OP_CONCAT:
        return concatenation(s, lane);
    case OP_SLICE:
        return bits(s, lane_args(s->m, lane, s->n)[0], n->index, n->width);
    case OP_SEXT:
        return extension(s, lane);
    case OP_GET:
        return element(s, lane, own);
    case OP_MEMREAD:
        return format("%s[%s]", s->m->plan->reg[n->index],
                      expr(s, lane_args(s->m, lane, s->n)[0], ANY));
    case OP_CALL:
        return call(s, lane);
    default: /* undefined bits that no result needs */
        assert(n->op == OP_UNDEF);
        return format("%u'%s0", n->width, n->width == 1 ? "b" : "d");
    }
}

/* By the enum, or by the line. */
static const char *constant_label(const struct scope *s, const struct node *value)
{
    const char *label = label_of(s->m->plan, s->labels, value);
    return label ? label : constant_name(s->m, s->user, value);
}

/* {1'b0, c} for a state as a choice between two of them; or NULL. */
static char *states(const struct scope *s, struct node *const *lane)
{
    struct state_choice c;
    if (!s->labels || !state_choice(s->m, s->labels, lane[0], &c))
        return NULL;
    struct node **bit = scratch(s->n * sizeof *bit);
    for (unsigned i = 0; i < s->n; i++) {
        struct state_choice x;
        if (!state_choice(s->m, s->labels, lane[i], &x) || x.label[0] != c.label[0] ||
            x.label[1] != c.label[1])
            return NULL;
        bit[i] = x.bit;
    }
    struct scope plain = *s;
    plain.labels = NULL;
    plain.user = NULL;
    enum level own;
    char *text = bit[0] == lane[0] ? operation(&plain, lane, &own) : NULL; /* it may have a name */
    return format("%s ?" SOFT "%s :" SOFT "%s",
                  text ? wrap(text, own, OR_OR) : expr(&plain, bit, OR_OR),
                  state_label(s->m->plan, &c, 1), state_label(s->m->plan, &c, 0));
}

char *expr(const struct scope *s, struct node *const *lane, int level)
{
    if (s->n > 1 && row_same(lane, s->n)) {
        struct scope one = *s;
        one.n = 1;
        return expr(&one, lane, level);
    }
    const char *label = s->n == 1 && is_const(lane[0]) ? constant_label(s, lane[0]) : NULL;
    if (label) /* also if a table has the same bits */
        return format("%s", label);
    char *name = row_bits(s, lane, 0, lane[0]->width);
    if (name)
        return name;
    if (is_const(lane[0]))
        return s->n > 1 ? row_table(s, lane) : constant(lane[0]);
    char *chosen = states(s, lane);
    if (chosen)
        return wrap(chosen, TERNARY, level);
    enum level own;
    struct scope plain = *s;
    plain.user = NULL;
    if (lane[0]->op != OP_MUX)
        plain.labels = NULL;
    char *text = operation(&plain, lane, &own);
    return wrap(text, own, level);
}

/* What the row is, even if it has a name. */
char *row_text(const struct scope *s, struct node *const *lane)
{
    enum level own;
    char *chosen = states(s, lane);
    return chosen ? chosen : operation(s, lane, &own);
}

char *scalar(struct module *m, struct node *n)
{
    struct scope s = {.m = m, .n = 1};
    return expr(&s, (struct node *[]){n}, ANY);
}
