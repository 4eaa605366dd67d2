// SPDX-License-Identifier: Apache-2.0
/*
 * sweep.c - equal bits of sums.
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

static struct candidate *summands(const bool *here, const bool *there, const uint64_t *signature,
                                  unsigned *n)
{
    struct candidate *list = NULL;
    *n = 0;
    for (term t = 1; t < term_count(); t++)
        if (here[t] && !there[t] && linear_is_summand(t))
            PUSH(list, *n, ((struct candidate){signature[t], t}));
    if (*n)
        qsort(list, *n, sizeof *list, by_signature);
    return list;
}

static bool join(const struct candidate *a, unsigned n_a, const struct candidate *b, unsigned n_b,
                 const struct sweep_options *o)
{
    time_t end = time(NULL) + o->limit;
    bool any = false;
    for (unsigned i = 0, k = 0; i < n_a && k < n_b && time(NULL) < end;) {
        if (a[i].signature != b[k].signature) {
            if (a[i].signature < b[k].signature)
                i++;
            else
                k++;
            continue;
        }
        const char *example;
        struct question q = {.a = a[i].t, .b = b[k].t};
        if (smt_ask(o->file, &q, o->seconds, &example) == ANSWER_EQUAL) {
            linear_join(b[k].t, a[i].t);
            any = true;
        }
        k++;
    }
    return any;
}

bool sweep(const term *c, const term *verilog, unsigned n, const struct sweep_options *o)
{
    bool *in_c = cone(c, n), *in_verilog = cone(verilog, n),
         *both = calloc(term_count(), sizeof *both);
    uint64_t *signature = calloc(term_count(), sizeof *signature);
    unsigned n_c, n_verilog;
    if (!both || !signature)
        unsupported("out of memory");
    for (term t = 1; t < term_count(); t++)
        both[t] = in_c[t] || in_verilog[t];
    eval_signatures(both, signature);
    struct candidate *a = summands(in_c, in_verilog, signature, &n_c);
    struct candidate *b = summands(in_verilog, in_c, signature, &n_verilog);
    free(in_c);
    free(in_verilog);
    free(both);
    free(signature);
    bool any = join(a, n_c, b, n_verilog, o);
    if (any)
        linear_restart();
    return any;
}
