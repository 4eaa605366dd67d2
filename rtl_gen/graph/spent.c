// SPDX-License-Identifier: Apache-2.0
/*
 * spent.c - which line of the C a graph that is too large comes from.
 */
#include "graph/walk.h"
#include "base/budget.h"

#include <stdlib.h>
#include <string.h>

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
static void tell_line(void *data)
{
    const struct graph *g = data;
    struct line *line = g->n ? malloc(g->n * sizeof *line) : NULL;
    unsigned best = 0, first = 0;
    if (!line)
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

void graph_budget(struct module *m)
{
    budget_of(m->name, m->loc, tell_line, &m->graph);
}
