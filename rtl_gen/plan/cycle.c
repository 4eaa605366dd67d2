// SPDX-License-Identifier: Apache-2.0
/*
 * cycle.c - whether nets would be defined by each other once rows of nodes are vectors: a depth-first search.
 *
 * The graph has no cycle, but {b, a} as one net has where b uses something that uses a.
 */
#include "plan/plan.h"
#include "graph/graph.h"

/* A node or vector to visit, or one all of whose operands were visited. */
struct visit {
    struct node *node;
    struct vector *vector;
    bool finished;
};

/* Each search has two numbers of its own, so that nothing has to be cleared before it. */
struct search {
    struct module *m;
    unsigned open, done; /* on the path to where the search is; visited with all below it */
    bool cycle;
    unsigned n; /* in `stack` */
};

static struct visit *stack;
static unsigned stack_room;

static void push_node(void *context, struct node *n)
{
    struct search *s = context;
    PUSH_WORK(stack, s->n, stack_room, (struct visit){.node = n});
}

static void push_view(void *context, const struct view *view)
{
    struct search *s = context;
    PUSH_WORK(stack, s->n, stack_room, (struct visit){.vector = view->vector});
}

/* Whether it is met for the first time; met again on the path to itself it is on a cycle. */
static bool enter(struct search *s, unsigned *state, struct visit at)
{
    s->cycle |= *state == s->open;
    if (*state >= s->open)
        return false;
    *state = s->open;
    at.finished = true;
    PUSH_WORK(stack, s->n, stack_room, at);
    return true;
}

static void visit(struct search *s, struct visit at)
{
    if (at.node && info_of(s->m, at.node)->vec)
        at = (struct visit){.vector = info_of(s->m, at.node)->vec};
    unsigned *state = at.vector ? &at.vector->visited : &info_of(s->m, at.node)->visited;
    if (at.finished) {
        *state = s->done;
        return;
    }
    if (!enter(s, state, at))
        return;
    if (at.vector)
        walk_vector(s->m, at.vector,
                    (struct row_visit){.context = s, .node = push_node, .view = push_view});
    for (unsigned i = 0; at.node && i < at.node->n_args; i++)
        push_node(s, at.node->args[i]);
}

bool vectors_acyclic(struct module *m, unsigned first)
{
    unsigned number = 2 * ++m->plan->n_searches;
    struct search s = {.m = m, .open = number, .done = number + 1};
    for (unsigned i = first; i < m->plan->n_vectors; i++)
        for (visit(&s, (struct visit){.vector = m->plan->vector[i]}); s.n > 0;)
            visit(&s, stack[--s.n]);
    return !s.cycle;
}
