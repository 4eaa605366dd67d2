// SPDX-License-Identifier: Apache-2.0
/*
 * flows.c - lists of flows: drawn, computed, or read from a file.
 */
#include "sim/engine/flows.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

struct flow {
    unsigned from, to;
    double weight;
};

/* A list that grows. */
struct list {
    struct flow *flow;
    size_t count, room;
};

static void add(struct list *list, unsigned from, unsigned to, double weight)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        struct flow *more = realloc(list->flow, list->room * sizeof *more);
        if (!more)
            sim_fail("out of memory");
        list->flow = more;
    }
    list->flow[list->count++] = (struct flow){from, to, weight};
}

static int by_ends(const void *a, const void *b)
{
    const struct flow *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

/* Flows with the same ends become one. */
static void merge(struct list *list)
{
    size_t kept = 0;
    qsort(list->flow, list->count, sizeof *list->flow, by_ends);
    for (size_t i = 0; i < list->count; i++)
        if (kept > 0 && by_ends(&list->flow[kept - 1], &list->flow[i]) == 0)
            list->flow[kept - 1].weight += list->flow[i].weight;
        else
            list->flow[kept++] = list->flow[i];
    list->count = kept;
}

/* The flows of a list, which is freed. */
static struct flows made_of(struct list *list, const struct topology *t)
{
    merge(list);
    struct flows f = {.first = sim_alloc(t->nodes + 1, sizeof *f.first),
                      .to = sim_alloc(list->count, sizeof *f.to),
                      .upto = sim_alloc(list->count, sizeof *f.upto),
                      .share = sim_alloc(t->nodes, sizeof *f.share)};
    double busiest = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct flow *flow = &list->flow[i];
        f.first[flow->from + 1]++;
        f.share[flow->from] += flow->weight;
        f.to[i] = flow->to;
        f.upto[i] = f.share[flow->from];
    }
    for (unsigned n = 0; n < t->nodes; n++) {
        f.first[n + 1] += f.first[n];
        busiest = fmax(busiest, f.share[n]);
    }
    for (unsigned n = 0; n < t->nodes; n++)
        f.share[n] /= busiest;
    free(list->flow);
    return f;
}

/* ---- computed ----------------------------------------------------------------------------------- */

struct flows flows_permuted(const struct topology *t, uint64_t seed)
{
    struct list list = {0};
    struct sim_random r = {seed ^ UINT64_C(0x7065726d75746564)};
    unsigned *order = sim_alloc(t->nodes, sizeof *order);
    for (unsigned i = 0; i < t->nodes; i++) {
        const unsigned k = sim_below(&r, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (unsigned i = 0; i < t->nodes; i++)
        add(&list, order[i], order[(i + 1) % t->nodes], 1);
    free(order);
    return made_of(&list, t);
}

/* Sides of a box of n places, the longest as short as can be; x varies fastest. */
static void box_of(unsigned n, unsigned side[3])
{
    unsigned best = UINT32_MAX;
    for (unsigned x = 1; x * x * x <= n; x++)
        for (unsigned y = x; n % x == 0 && y * y <= n / x; y++)
            if (n / x % y == 0 && n / x / y < best) {
                best = n / x / y;
                side[0] = x;
                side[1] = y;
                side[2] = best;
            }
}

struct flows flows_halo(const struct topology *t)
{
    struct list list = {0};
    unsigned side[3];
    box_of(t->nodes, side);
    for (unsigned i = 0; i < t->nodes; i++) {
        const unsigned at[3] = {i % side[0], i / side[0] % side[1], i / side[0] / side[1]};
        const unsigned step[3] = {1, side[0], side[0] * side[1]};
        for (unsigned d = 0; d < 3; d++)
            for (unsigned way = 0; way < 2; way++) {
                const unsigned next = (at[d] + (way ? 1 : side[d] - 1)) % side[d];
                if (next != at[d])
                    add(&list, i, i - at[d] * step[d] + next * step[d], 1);
            }
    }
    return made_of(&list, t);
}

/* ---- of a file ---------------------------------------------------------------------------------- */

/* The node at *at, which goes on behind it; a number too large for any is UINT32_MAX. */
static bool read_node(char **at, unsigned *node)
{
    char *end;
    *at += strspn(*at, BLANKS);
    if (!isdigit((unsigned char)**at))
        return false;
    const unsigned long value = strtoul(*at, &end, 10);
    *node = value < UINT32_MAX ? (unsigned)value : UINT32_MAX;
    *at = end;
    return *end == '\0' || strchr(BLANKS, *end);
}

/* A decimal number with nothing but blanks behind it; a line that ends first has weight 1. */
static bool read_weight(const char *at, double *weight)
{
    char *end;
    at += strspn(at, BLANKS);
    *weight = 1;
    if (*at == '\0')
        return true;
    const size_t length = strspn(at, "0123456789.eE+-");
    if (!isdigit((unsigned char)*at) && *at != '.')
        return false;
    *weight = strtod(at, &end);
    return end == at + length && end[strspn(end, BLANKS)] == '\0' && isfinite(*weight);
}

/* The flow of a line, into a list. */
static void read_flow(char *line, const char *path, size_t number, const struct topology *t,
                      struct list *list)
{
    unsigned from, to;
    double weight;
    if (!read_node(&line, &from) || !read_node(&line, &to) || !read_weight(line, &weight))
        sim_fail("%s:%zu: a line is FROM TO, or FROM TO WEIGHT, in numbers", path, number);
    if (from >= t->nodes || to >= t->nodes)
        sim_fail("%s:%zu: there is no node %u; %s has %u", path, number,
                 from >= t->nodes ? from : to, t->name, t->nodes);
    if (weight > 0)
        add(list, from, to, weight);
}

struct flows flows_of_file(const char *path, const struct topology *t)
{
    struct list list = {0};
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        sim_fail("--pattern file:%s: %s", path, strerror(errno));
    for (size_t number = 1; getline(&line, &room, file) >= 0; number++) {
        const char first = line[strspn(line, BLANKS)];
        if (first != '\0' && first != '#')
            read_flow(line, path, number, t, &list);
    }
    if (ferror(file))
        sim_fail("--pattern file:%s: %s", path, strerror(errno));
    fclose(file);
    free(line);
    if (list.count == 0)
        sim_fail("%s: nobody sends anything", path);
    return made_of(&list, t);
}

/* ---- asked -------------------------------------------------------------------------------------- */

void flows_free(struct flows *f)
{
    free(f->first);
    free(f->to);
    free(f->upto);
    free(f->share);
    *f = (struct flows){0};
}

unsigned flows_count(const struct flows *f, const struct topology *t)
{
    return f->first ? f->first[t->nodes] : 0;
}

unsigned flows_number(const struct flows *f, const struct topology *t, unsigned from, unsigned to)
{
    unsigned low = f->first[from], high = f->first[from + 1];
    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        if (f->to[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->first[from + 1] && f->to[low] == to ? low : f->first[t->nodes];
}

unsigned flows_draw(const struct flows *f, unsigned from, struct sim_random *r)
{
    unsigned low = f->first[from], high = f->first[from + 1] - 1;
    const double drawn = sim_unit(r) * f->upto[high];
    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        if (f->upto[middle] > drawn)
            high = middle;
        else
            low = middle + 1;
    }
    return f->to[low];
}
