// SPDX-License-Identifier: Apache-2.0
/*
 * budget.c - an end to designs that are too large: how much memory a run, and how many operations a module may take.
 *
 * Six loops of 16 rounds within each other are 16 million rounds, and all of them are hardware. What eats the budget
 * is told by who is at work: the execution names its loops and calls (exec_spent), all others the C line that most
 * operations of the module come from.
 */
#include "base/budget.h"
#include "base/util.h"
#include "design/module.h"

#include <stdlib.h>
#include <string.h>

static size_t most_bytes = SIZE_MAX, bytes;
static uint64_t most_steps = UINT64_MAX;
static const struct module *of; /* that is worked on */
static void (*teller)(void *);  /* names what eats the budget */
static void *told;

void budget_set(unsigned megabytes, uint64_t steps)
{
    most_bytes = (size_t)megabytes * 1000000;
    most_steps = steps;
}

void budget_of(const struct module *m, void (*tell)(void *), void *data)
{
    of = m;
    teller = tell;
    told = data;
}

struct line {
    struct loc loc;
    unsigned n;
};

static int by_line(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int files = x->loc.file == y->loc.file ? 0
                : !x->loc.file             ? -1
                : !y->loc.file             ? 1
                                           : strcmp(x->loc.file, y->loc.file);
    return files ? files : (x->loc.line > y->loc.line) - (x->loc.line < y->loc.line);
}

/* The C line that most operations come from. */
static void tell_line(const struct graph *g)
{
    struct line *line = malloc((g->n + 1) * sizeof *line);
    unsigned best = 0, first = 0;
    if (!line || g->n == 0)
        return;
    for (unsigned i = 0; i < g->n; i++)
        line[i] = (struct line){g->node[i]->loc, 0};
    qsort(line, g->n, sizeof *line, by_line);
    for (unsigned i = 0; i < g->n; i++) {
        first = by_line(&line[first], &line[i]) ? i : first;
        line[first].n++;
        best = line[first].loc.file && line[first].n > line[best].n ? first : best;
    }
    diag_note(line[best].loc, "%u of its %u operations come from here", line[best].n, g->n);
    free(line);
}

static _Noreturn void spent(const char *what)
{
    static const char advice[] =
        "fewer rounds or calls; a part of it as a module of its own; --memory and --steps raise "
        "the budget";
    struct loc loc = of ? of->loc : (struct loc){0};
    diag_error(loc, advice, "%s%s%s", of ? format("'%s' takes ", of->name) : "the design takes ",
               "more than ", what);
    if (teller)
        teller(told);
    else if (of)
        tell_line(&of->graph);
    exit(1);
}

void budget_bytes(size_t more, size_t less)
{
    bytes += more - less;
    size_t most = most_bytes;
    if (more <= less || bytes <= most)
        return;
    most_bytes = SIZE_MAX; /* to say so takes some, too */
    spent(format("%zu MB of memory", most / 1000000));
}

void budget_steps(uint64_t n)
{
    uint64_t most = most_steps;
    if (n <= most)
        return;
    most_bytes = SIZE_MAX;
    most_steps = UINT64_MAX;
    spent(format("%llu steps", (unsigned long long)most));
}
