// SPDX-License-Identifier: Apache-2.0
/*
 * case.c - choices by comparisons of one value with constants, which become a case.
 *
 * All targets that are chosen by the same value go into one case. Values for which all of them get the same are one
 * arm; those for which they get what all other values give have none.
 */
#include "plan/plan.h"
#include "graph/graph.h"
#include "graph/table.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEWEST_LINKS = 3, /* one after another, that begin a case; of an enum one less */
    FEWEST_ARMS = 3,  /* all others included */
    WIDEST = 16       /* bits of a selector */
};

/* The target's value if none of the links before was it. */
static struct target next_link(struct target t, struct node **room)
{
    *room = t.value[0]->args[2];
    t.value = room;
    return t;
}

struct node *case_selector(struct module *m, const struct target *t)
{
    return opens(m, t, 1) ? table_subject(t->value[0]) : NULL;
}

bool case_begins(struct module *m, const struct target *t)
{
    struct target link = *t;
    struct node *room;
    const struct node *selector = case_selector(m, t);
    unsigned links = 0, enough = FEWEST_LINKS;
    if (selector && selector->width == 1 && !t->net)
        enough = 1; /* states.c */
    else if (selector && enumeration_of(m, selector))
        enough--;
    while (links < enough && case_selector(m, &link) == selector && selector) {
        links++;
        link = next_link(link, &room);
    }
    return selector && links == enough;
}

/* The comparisons with the values that the targets are chosen by, and what each target gets for each. */
struct table {
    struct node **test;
    unsigned n, n_targets;
    struct node ***result; /* by value; NULL: as for all others */
    struct node **rest;
};

/* 1 + number of a value in the table at hand; 0: it has none */
static unsigned number_of[1 << WIDEST];

static uint64_t tested(const struct node *test)
{
    return const_value(test->args[1]);
}

static void find_values(struct module *m, struct table *x, const struct target *t,
                        const struct node *selector)
{
    struct target link = *t;
    struct node *room;
    for (; case_selector(m, &link) == selector; link = next_link(link, &room)) {
        unsigned n;
        struct node **list = table_tests(link.value[0]->args[0], &n);
        for (unsigned i = 0; i < n; i++) {
            unsigned *number = &number_of[tested(list[i])];
            if (*number)
                continue;
            PUSH(x->test, x->n, list[i]);
            *number = x->n;
        }
    }
}

static void find_results(struct module *m, struct table *x, const struct target *t, unsigned k,
                         const struct node *selector)
{
    struct target link = *t;
    struct node *room;
    for (; case_selector(m, &link) == selector; link = next_link(link, &room)) {
        unsigned n;
        struct node **list = table_tests(link.value[0]->args[0], &n);
        info_of(m, link.value[0])->opened = true;
        for (unsigned i = 0; i < n; i++) {
            struct node **result = &x->result[number_of[tested(list[i])] - 1][k];
            *result = *result ? *result : link.value[0]->args[1];
        }
    }
    x->rest[k] = link.value[0];
    for (unsigned i = 0; i < x->n; i++)
        if (!x->result[i][k])
            x->result[i][k] = x->rest[k];
}

static bool same(const struct table *x, struct node *const *a, struct node *const *b)
{
    return memcmp(a, b, x->n_targets * sizeof *a) == 0;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = tested(*(struct node *const *)a), y = tested(*(struct node *const *)b);
    return (x > y) - (x < y);
}

/* Values with the same results together, in the order in which the first of each was met. */
static unsigned gather(const struct table *x, struct outcome **list)
{
    unsigned n = 0, slots = 2;
    while (slots < 2 * x->n)
        slots *= 2;
    unsigned *slot = scratch(slots * sizeof *slot); /* 1 + number of the outcome */
    for (unsigned i = 0; i < x->n; i++) {
        uint64_t hash = 0;
        for (unsigned k = 0; k < x->n_targets; k++)
            hash = (hash ^ x->result[i][k]->id) * 0x9e3779b97f4a7c15u;
        unsigned at = (unsigned)(hash >> 40) % slots;
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a slot is 0 before there is a list
        while (slot[at] && !same(x, (*list)[slot[at] - 1].result, x->result[i]))
            at = (at + 1) % slots;
        if (same(x, x->result[i], x->rest))
            continue;
        if (!slot[at]) {
            PUSH(*list, n, (struct outcome){.result = x->result[i]});
            slot[at] = n;
        }
        struct outcome *o = &(*list)[slot[at] - 1];
        PUSH(o->test, o->n, x->test[i]);
    }
    return n;
}

bool names_states(const struct module *m, const struct node *selector)
{
    const struct node *of = selector->op == OP_SLICE ? selector->args[0] : selector;
    return of->op == OP_REG && m->reg[of->index].process;
}

static int by_first_value(const void *a, const void *b)
{
    const struct outcome *x = a, *y = b;
    return by_value(&x->test[0], &y->test[0]);
}

unsigned case_outcomes(struct module *m, const struct target *t, unsigned n,
                       const struct node *selector, struct outcome **list)
{
    struct table x = {.n_targets = n, .rest = arena(n * sizeof *x.rest)};
    *list = NULL;
    for (unsigned k = 0; k < n; k++)
        find_values(m, &x, &t[k], selector);
    x.result = arena(x.n * sizeof *x.result);
    for (unsigned i = 0; i < x.n; i++)
        x.result[i] = arena(n * sizeof **x.result);
    for (unsigned k = 0; k < n; k++)
        find_results(m, &x, &t[k], k, selector);
    for (unsigned i = 0; i < x.n; i++)
        number_of[tested(x.test[i])] = 0;
    unsigned arms = gather(&x, list);
    for (unsigned i = 0; i < arms; i++)
        qsort((*list)[i].test, (*list)[i].n, sizeof *(*list)[i].test, by_value);
    const bool states = names_states(m, selector);
    if (states && arms > 1)
        qsort(*list, arms, sizeof **list, by_first_value);
    bool all = x.n == 1u << selector->width; /* no other values: the last arm is for them */
    if (all && arms)
        (*list)[arms - 1].n = 0;
    else
        PUSH(*list, arms, (struct outcome){.result = x.rest});
    return arms < (states ? FEWEST_ARMS - 1 : FEWEST_ARMS) ? 0 : arms;
}
