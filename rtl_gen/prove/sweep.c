// SPDX-License-Identifier: Apache-2.0
/*
 * sweep.c - equal parts, one after the other.
 */
#include "sweep.h"

#include "arena.h"
#include "eval.h"
#include "linear.h"
#include "smt.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct candidate {
    uint64_t signature;
    term t;
};

static int by_signature(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->signature != y->signature)
        return x->signature < y->signature ? -1 : 1;
    return x->t < y->t ? -1 : x->t > y->t;
}

/* The marks of everything that one side is made of. */
static bool *cone(const term *root, unsigned n)
{
    bool *used = calloc(term_count(), sizeof *used);
    if (!used)
        unsupported("out of memory");
    for (unsigned i = 0; i < n; i++)
        used[root[i]] = true;
    eval_mark(used);
    return used;
}

/* What is worth a question: not slices and joins of others. */
static bool is_operation(term t)
{
    enum op op = node_of(t)->op;
    return op > OP_NOT && op != OP_CONCAT && op != OP_EXTRACT && op != OP_SEXT;
}

static struct candidate *operations(const bool *here, const uint64_t *signature, unsigned *n)
{
    struct candidate *list = NULL;
    *n = 0;
    for (term t = 1; t < term_count(); t++)
        if (here[t] && is_operation(t))
            PUSH(list, *n, ((struct candidate){signature[t], t}));
    if (*n)
        qsort(list, *n, sizeof *list, by_signature);
    return list;
}

/* The oldest term of C with that signature. */
static term counterpart(const struct candidate *list, unsigned n, uint64_t signature)
{
    unsigned low = 0, high = n;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (list[mid].signature < signature)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && list[low].signature == signature ? list[low].t : NO_TERM;
}

static bool ask(term t, term c, const struct sweep_options *o)
{
    const char *example;
    struct question q = {.a = linear_form(t), .b = linear_form(c)};
    if (width_of(t) != width_of(c) || q.a == q.b)
        return false;
    if (smt_ask(o->file, &q, o->seconds, &example) != ANSWER_EQUAL)
        return false;
    linear_join(t, q.b);
    return true;
}

bool sweep(const term *c, const term *verilog, unsigned n, const struct sweep_options *o)
{
    uint32_t count = term_count();
    bool *in_c = cone(c, n), *in_verilog = cone(verilog, n), *both = calloc(count, sizeof *both),
         any = false;
    uint64_t *signature = calloc(count, sizeof *signature);
    time_t end = time(NULL) + o->limit;
    unsigned n_c;
    if (!both || !signature)
        unsupported("out of memory");
    for (term t = 1; t < count; t++)
        both[t] = in_c[t] || in_verilog[t];
    eval_signatures(both, signature);
    struct candidate *list = operations(in_c, signature, &n_c);
    linear_restart();
    for (term t = 1; t < count && time(NULL) < end; t++)
        if (in_verilog[t] && !in_c[t] && is_operation(t) &&
            !eval_is_constant(signature[t], width_of(t))) {
            term other = counterpart(list, n_c, signature[t]);
            any |= other && ask(t, other, o);
        }
    free(in_c);
    free(in_verilog);
    free(both);
    free(signature);
    return any;
}
