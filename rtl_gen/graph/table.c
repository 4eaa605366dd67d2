// SPDX-License-Identifier: Apache-2.0
/*
 * table.c - choices by comparisons of one value with constants.
 */
#include "graph/table.h"
#include "base/number.h"
#include "base/util.h"
#include "graph/graph.h"

enum { WIDEST = 16 }; /* bits of a subject */

/* The comparisons that an OR of them consists of, in its order; NULL if it is anything else. */
static struct node **comparisons(struct node *cond, unsigned *n)
{
    static struct node **open;
    static unsigned room;
    struct node **list = NULL;
    unsigned n_open = 0;
    *n = 0;
    PUSH_WORK(open, n_open, room, cond);
    while (n_open > 0) {
        struct node *x = open[--n_open];
        if (x->op == OP_OR) {
            PUSH_WORK(open, n_open, room, x->args[1]);
            PUSH_WORK(open, n_open, room, x->args[0]);
        } else if (x->op == OP_EQ && is_const(x->args[1]) && x->args[0]->width <= WIDEST) {
            PUSH_SCRATCH(list, *n, x);
        } else {
            return NULL;
        }
    }
    return list;
}

struct node **table_tests(struct node *cond, unsigned *n)
{
    struct node **list = comparisons(cond, n);
    for (unsigned i = 1; list && i < *n; i++)
        if (list[i]->args[0] != list[0]->args[0])
            return NULL;
    return list;
}

struct node *table_subject(const struct node *choice)
{
    unsigned n;
    struct node **list = choice->op == OP_MUX ? table_tests(choice->args[0], &n) : NULL;
    return list ? list[0]->args[0] : NULL;
}

unsigned table_levels(unsigned links)
{
    unsigned pairs =
        (links + 2) / 2; /* one table of four inputs takes two arms with what selects them */
    return 1 + (log2_up(pairs) + 1) / 2;
}
