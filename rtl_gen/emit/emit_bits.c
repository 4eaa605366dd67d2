// SPDX-License-Identifier: Apache-2.0
/*
 * emit_bits.c - operations on single bits with many operands: neighbouring bits of one net are
 * reduced together, as one writes them by hand.
 */
#include "emit/emit.h"
#include "graph/graph.h"

#include <string.h>

/* ---- and, or --------------------------------------------------------------------------------- */

/* The operands of one operation on bits, through operations without a name. */
static void flatten(const struct scope *s, struct node *n, enum op op, struct node ***list,
                    unsigned *count)
{
    if (!is_inline(s, &n, op)) {
        PUSH(*list, *count, n);
        return;
    }
    flatten(s, n->args[0], op, list, count);
    flatten(s, n->args[1], op, list, count);
}

/* The bit that an operand is, or the inverse of. */
static bool bit_ref(const struct module *m, const struct node *n, bool inverse, struct ref *r)
{
    if (inverse && n->op != OP_NOT)
        return false;
    return node_ref(m, inverse ? n->args[0] : n, r);
}

/* Operands that are neighbouring bits of one net with the first: how many, and from which bit. */
static unsigned neighbour_bits(const struct scope *s, struct node **list, unsigned n,
                               unsigned first, bool inverse, struct ref *low, bool *taken)
{
    struct ref r, other;
    unsigned count = 0;
    bool *in = arena(n);
    if (!bit_ref(s->m, list[first], inverse, &r))
        return 0;
    unsigned from = r.low, to = r.low;
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = first; i < n; i++) {
            if (taken[i] || in[i] || !bit_ref(s->m, list[i], inverse, &other) ||
                strcmp(other.net, r.net) != 0 || other.low + 1 < from || other.low > to + 1)
                continue;
            in[i] = more = true;
            from = other.low < from ? other.low : from;
            to = other.low > to ? other.low : to;
            count++;
        }
    }
    if (count < 3)
        return 0;
    for (unsigned i = first; i < n; i++)
        taken[i] |= in[i];
    *low = (struct ref){r.net, from, r.total};
    return to - from + 1;
}

/* x[3] && x[2] && x[1] is &x[3:1], !x[3] && !x[2] && !x[1] is x[3:1] == 0. */
char *and_or_bits(const struct scope *s, struct node *n, enum op op)
{
    struct node **list = NULL;
    unsigned count = 0;
    struct text t = {0};
    flatten(s, n->args[0], op, &list, &count);
    flatten(s, n->args[1], op, &list, &count);
    bool *taken = arena(count);
    for (unsigned i = 0; i < count; i++) {
        const char *between = t.n ? op == OP_AND ? " &&" SOFT : " ||" SOFT : "";
        struct ref r;
        unsigned width;
        if (taken[i])
            continue;
        bool inverse = list[i]->op == OP_NOT;
        if ((width = neighbour_bits(s, list, count, i, inverse, &r, taken)) == 0) {
            put(&t, "%s%s", between, expr(s, &list[i], EQUAL));
            continue;
        }
        char *bits = part(r.net, r.total, r.low, width);
        if (inverse == (op == OP_AND))
            put(&t, "%s%s %s %u'd0", between, bits, op == OP_AND ? "==" : "!=", width);
        else
            put(&t, "%s%s", between, inverse ? format("!(&%s)", bits) : format("(&%s)", bits));
    }
    return t.s;
}

/* ---- sums of single bits --------------------------------------------------------------------- */

/* The terms of one net in a sum: a mask over its bits. */
struct taps {
    const char *net;
    unsigned total, count, low, high;
    bool *bit;
};

static struct taps *taps_of(struct taps **list, unsigned *n, const struct ref *r)
{
    for (unsigned i = 0; i < *n; i++)
        if (strcmp((*list)[i].net, r->net) == 0)
            return &(*list)[i];
    PUSH(*list, *n,
         (struct taps){.net = r->net, .total = r->total, .low = r->total, .bit = arena(r->total)});
    return &(*list)[*n - 1];
}

static void add_tap(struct taps *t, unsigned bit)
{
    t->bit[bit] = true;
    t->count++;
    t->low = bit < t->low ? bit : t->low;
    t->high = bit > t->high ? bit : t->high;
}

enum { FEW = 8, WIDEST = 256 }; /* terms that stand one by one; bits of a mask */

/* Bits `low` .. of nets, the first one lowest, with a mask over them, reduced. */
static char *masked(const struct taps *t, unsigned n, unsigned low, unsigned width)
{
    struct text nets = {0};
    uint64_t *mask = arena((width + 63) / 64 * sizeof *mask);
    unsigned at = 0, ones = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned b = low; b < t[i].total && at < width; b++, at++) {
            mask[at / 64] |= (uint64_t)t[i].bit[b] << (at % 64);
            ones += t[i].bit[b];
        }
    for (unsigned i = n; i-- > 0;)
        put(&nets, "%s%s", nets.n ? COMMA : "",
            n > 1 ? t[i].net : part(t->net, t->total, low, width));
    char *bits = n > 1 ? format("{%s}", nets.s) : nets.s;
    if (ones == width)
        return format("^%s", bits);
    return format("^(%s &" SOFT "%s)", bits,
                  width <= 64 ? format("%u'h%llx", width, (unsigned long long)mask[0])
                              : literal(width, mask, width));
}

/* Terms of one net: of more than three the whole net, so that all sums of its bits are cut alike. */
static char *masked_net(const struct taps *t)
{
    unsigned width = t->high - t->low + 1;
    if (width > t->count && t->count > 3 && t->total <= WIDEST)
        return masked(t, 1, 0, t->total);
    return masked(t, 1, t->low, width);
}

/*
 * One sum: terms that are bits of one net, three or more of them, become a masked reduction; many, of few nets, one of
 * all of these.
 */
char *xor_bits(const struct scope *s, const struct node *n, enum level *own)
{
    struct taps *list = NULL;
    unsigned count = 0;
    struct text t = {0};
    struct ref r;
    const char *between = "";
    for (unsigned i = 0; i < n->n_args; i++)
        if (node_ref(s->m, n->args[i], &r))
            add_tap(taps_of(&list, &count, &r), r.low);
    unsigned pieces = 0, total = 0, all = 0;
    for (unsigned i = 0; i < count; i++) {
        total += list[i].total;
        all += list[i].count;
    }
    *own = PRIMARY;
    if (count > 1 && all > FEW && total <= WIDEST && all == n->n_args)
        return format("(%s)", masked(list, count, 0, total));
    for (unsigned i = 0; i < n->n_args; i++) {
        struct taps *tap = NULL;
        if (node_ref(s->m, n->args[i], &r))
            tap = taps_of(&list, &count, &r);
        if (tap && tap->count >= 3) {
            if (tap->low != r.low)
                continue; /* printed with the lowest */
            put(&t, "%s(%s)", between, masked_net(tap));
        } else {
            put(&t, "%s%s", between, expr(s, &n->args[i], EQUAL));
        }
        pieces++;
        between = " ^" SOFT;
    }
    *own = pieces > 1 ? BIT_XOR : PRIMARY;
    return t.s;
}
