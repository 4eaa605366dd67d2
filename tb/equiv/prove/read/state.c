// SPDX-License-Identifier: Apache-2.0
/*
 * state.c - copies of states where paths part, choices where they meet.
 */
#include "read/exec.h"

#include "terms/arena.h"

#include <string.h>

uint32_t state_object(struct state *s)
{
    struct content *empty = arena(sizeof *empty);
    empty->shared = true; /* nothing to free */
    PUSH(s->object, s->n_objects, empty);
    return s->n_objects - 1;
}

/* The copy can grow for itself. */
static void *copied(const void *from, unsigned n, size_t size)
{
    unsigned room = 2;
    while (room < n + 1)
        room *= 2;
    void *to = arena(room * size);
    if (n)
        memcpy(to, from, n * size);
    return to;
}

struct state *state_copy(struct state *s, unsigned n_shared, unsigned n_memories)
{
    struct state *copy = arena(sizeof *copy);
    *copy = *s;
    copy->object = copied(s->object, s->n_objects, sizeof *s->object);
    copy->memory = copied(s->memory, n_memories, sizeof *s->memory);
    copy->shared = copied(s->shared, n_shared, sizeof *s->shared);
    for (uint32_t i = 0; i < s->n_objects; i++)
        s->object[i]->shared = true;
    return copy;
}

const struct path *path_and(const struct path *path, term literal)
{
    if (literal == term_true())
        return path;
    struct path *longer = arena(sizeof *longer);
    *longer = (struct path){path, literal, path ? path->depth + 1 : 1};
    return longer;
}

static term path_since(const struct path *path, const struct path *stem)
{
    term result = term_true();
    for (; path != stem; path = path->above)
        result = term_and(path->literal, result);
    return result;
}

term path_term(const struct path *path)
{
    return path_since(path, NULL);
}

static const struct path *common(const struct path *a, const struct path *b)
{
    while (a != b) {
        unsigned depth_a = a ? a->depth : 0, depth_b = b ? b->depth : 0;
        if (depth_a >= depth_b)
            a = a->above;
        if (depth_b >= depth_a)
            b = b->above;
    }
    return a;
}

/* The condition right below the stem. */
static term first_literal(const struct path *path, const struct path *stem)
{
    while (path && path->above != stem)
        path = path->above;
    return path ? path->literal : term_true();
}

static struct state *meet(struct state *a, struct state *b, unsigned n_shared, unsigned n_memories)
{
    const struct path *stem = common(a->path, b->path);
    term rest_a = path_since(a->path, stem), rest_b = path_since(b->path, stem);
    term cond = first_literal(a->path, stem);
    if (first_literal(b->path, stem) != term_not(cond))
        cond = rest_a;
    if (a->n_objects != b->n_objects)
        unsupported("paths meet with different local variables");
    for (uint32_t i = 0; i < a->n_objects; i++)
        a->object[i] = content_choose(cond, a->object[i], b->object[i]);
    for (unsigned i = 0; i < n_shared; i++)
        a->shared[i] = choose(cond, a->shared[i], b->shared[i]);
    for (unsigned i = 0; i < n_memories; i++)
        if (a->memory[i] != b->memory[i]) {
            struct written *w = arena(sizeof *w);
            *w = (struct written){.cond = cond, .yes = a->memory[i], .no = b->memory[i]};
            a->memory[i] = w;
        }
    a->path = path_and(stem, term_or(rest_a, rest_b));
    return a;
}

static unsigned depth_of(const struct path *path)
{
    return path ? path->depth : 0;
}

struct state *state_meet(struct state **list, unsigned n, unsigned n_shared, unsigned n_memories)
{
    while (n > 1) {
        unsigned deepest = 0, other = 0, best = 0;
        for (unsigned i = 1; i < n; i++)
            if (depth_of(list[i]->path) > depth_of(list[deepest]->path))
                deepest = i;
        for (unsigned i = 0; i < n; i++) {
            unsigned stem = depth_of(common(list[i]->path, list[deepest]->path)) + 1;
            if (i != deepest && stem > best) {
                best = stem;
                other = i;
            }
        }
        list[deepest] = meet(list[deepest], list[other], n_shared, n_memories);
        list[other] = list[--n];
    }
    return list[0];
}
