// SPDX-License-Identifier: Apache-2.0
/*
 * check.c - random terms in all their forms, compared by value.
 */
#include "solve/check.h"

#include "terms/arena.h"
#include "terms/bits.h"
#include "solve/blast.h"
#include "terms/eval.h"
#include "solve/linear.h"

#include <string.h>

enum {
    POOL = 64,         /* terms to take operands from */
    ROUNDS = 8,        /* pools */
    STEPS = 120,       /* operations for each */
    ASSIGNMENTS = 200, /* values of the symbols */
    WIDEST = 70        /* bits */
};

struct form {
    term raw, made;
    const char *how;
};

struct check {
    uint64_t random;
    term pool[POOL];
    struct form *form;
    unsigned n_forms;
};

static uint32_t draw(struct check *c, uint32_t n)
{
    c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(c->random >> 33) % n;
}

static uint32_t draw_width(struct check *c)
{
    static const uint32_t width[] = {1, 1, 2, 3, 4, 7, 8, 9, 16, 33, 64, 65, WIDEST};
    return width[draw(c, sizeof width / sizeof *width)];
}

static term any_const(struct check *c, uint32_t width)
{
    uint32_t kind = draw(c, 5);
    uint64_t value = (uint64_t)draw(c, 1u << 31) << 31 | draw(c, 1u << 31);
    if (kind == 0)
        return term_ones(width);
    return term_const(width, kind == 1 ? 0 : kind == 2 ? UINT64_C(1) << draw(c, 64) : value);
}

/* One of the pool made as wide as that: cut, or with zeros, copies of the sign or another above it. */
static term operand(struct check *c, uint32_t width)
{
    term t = c->pool[draw(c, POOL)];
    uint32_t has = width_of(t);
    if (draw(c, 8) == 0)
        return any_const(c, width);
    if (has >= width)
        return term_extract(t, draw(c, has - width + 1), width);
    switch (draw(c, 3)) {
    case 0:
        return term_zext(t, width);
    case 1:
        return term_sext(t, width);
    default:
        return term_concat(operand(c, width - has), t);
    }
}

static struct node any_node(struct check *c)
{
    struct node n = {.op = OP_SELECT + draw(c, OP_SEXT - OP_SELECT + 1), .width = draw_width(c)};
    bool compares = op_info[n.op].kind == KIND_TEST;
    bool shifts = op_info[n.op].kind == KIND_SHIFT;
    uint32_t width = compares || n.op == OP_SELECT ? draw_width(c) : n.width;
    if (n.op == OP_EXTRACT || n.op == OP_SEXT) {
        uint32_t other = 1 + draw(c, n.width), more = draw(c, WIDEST);
        n.a = operand(c, n.op == OP_SEXT ? other : n.width + more);
        n.aux = n.op == OP_SEXT ? 0 : draw(c, more + 1);
        return n;
    }
    if (n.op == OP_CONCAT) {
        n.a = operand(c, draw_width(c));
        n.b = operand(c, draw_width(c));
        n.width = width_of(n.a) + width_of(n.b);
        return n;
    }
    n.a = operand(c, n.op == OP_ITE ? 1 : width);
    if (n.op == OP_ITE)
        n.c = operand(c, width);
    if (n.op != OP_NOT && n.op != OP_SELECT)
        n.b = operand(c, shifts ? draw_width(c) : width);
    if (compares)
        n.width = 1;
    if (n.op == OP_SELECT)
        n.aux = 64 * width + n.width % 64; /* a memory for each pair of widths */
    return n;
}

static void add_form(struct check *c, term raw, term made, const char *how)
{
    if (width_of(raw) != width_of(made))
        unsupported("%s: %u bits became %u", how, width_of(raw), width_of(made));
    if (raw != made)
        PUSH(c->form, c->n_forms, ((struct form){raw, made, how}));
}

static void grow(struct check *c)
{
    const struct node n = any_node(c);
    term raw = term_raw(&n), made = term_rebuild(&n, n.a, n.b, n.c);
    add_form(c, raw, made, "constructor");
    add_form(c, raw, linear_form(raw), "sum of bits");
    add_form(c, raw, blast(raw), "in bits");
    if (width_of(made) <= WIDEST)
        c->pool[draw(c, POOL)] = draw(c, 4) ? made : raw;
}

static bool compare(struct check *c)
{
    struct eval e;
    bool *used = resized(NULL, term_count() * sizeof *used);
    memset(used, 0, term_count() * sizeof *used);
    for (unsigned i = 0; i < c->n_forms; i++)
        used[c->form[i].raw] = used[c->form[i].made] = true;
    eval_mark(used);
    eval_start(&e, used);
    for (unsigned k = 0; k < ASSIGNMENTS; k++) {
        eval_more(&e, NULL, 0, false);
        for (unsigned i = 0; i < c->n_forms; i++) {
            const struct form *f = &c->form[i];
            const struct node *n = node_of(f->raw);
            if (memcmp(e.value[f->raw], e.value[f->made], words(n->width) * sizeof **e.value) == 0)
                continue;
            printf("# operation %d of %u bits, %s: t%u is not t%u\n", (int)n->op, n->width, f->how,
                   f->made, f->raw);
            return false;
        }
    }
    return true;
}

bool check_terms(uint64_t seed)
{
    struct check c = {.random = seed};
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < POOL; i++)
            c.pool[i] = term_var("v", draw_width(&c));
        c.n_forms = 0;
        for (unsigned i = 0; i < STEPS; i++)
            grow(&c);
        if (!compare(&c))
            return false;
        printf("# round %u: %u forms, %u terms\n", round, c.n_forms, term_count());
    }
    return true;
}
