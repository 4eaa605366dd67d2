// SPDX-License-Identifier: Apache-2.0
/* waits.c - the graph of channels of a network of SeaStar chips, and its strongly connected components (Tarjan, without recursion). */
#include "sim/seastar/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"

enum { VCS = 2, OUTS = TORUS3_PORTS * VCS };

struct graph {
    const struct torus3 *t;
    size_t channels;
    uint16_t *next; /* of each channel: bit (port, VC) of its output */
    bool *used;
};

static size_t channel(unsigned node, unsigned port, unsigned vc)
{
    return ((size_t)node * TORUS3_PORTS + port) * VCS + vc;
}

/* A packet from its node to another, channel by channel. */
static void follow(struct graph *g, unsigned src, unsigned dst, struct waits *w)
{
    const unsigned most = g->t->size[0] + g->t->size[1] + g->t->size[2];
    unsigned node = src, port = 0, vc = 0, hops = 0;
    while (hops <= most) {
        const struct torus3_entry e = torus3_entry(g->t, node, port, dst);
        const size_t here = channel(node, port, vc);
        if (port)
            g->used[here] = true;
        if (e.port == 0)
            break;
        const bool goes_on = port && (port - 1) / 2 == (e.port - 1) / 2;
        vc = goes_on ? vc | e.v : e.v;
        if (port)
            g->next[here] |= (uint16_t)(1u << (e.port * VCS + vc));
        node = torus3_neighbour(g->t, node, e.port);
        port = torus3_opposite(e.port);
        hops++;
    }
    w->lost += node != dst;
    w->hops += hops;
    w->most_hops = hops > w->most_hops ? hops : w->most_hops;
}

/* Successor i of a channel, SIZE_MAX if it has none of that number. */
static size_t successor(const struct graph *g, size_t c, unsigned i)
{
    const unsigned node = (unsigned)(c / OUTS), port = i / VCS;
    if (!(g->next[c] >> i & 1))
        return SIZE_MAX;
    return channel(torus3_neighbour(g->t, node, port), torus3_opposite(port), i % VCS);
}

struct tarjan {
    uint32_t *index, *low, *stack, *path;
    uint8_t *turn;
    bool *on;
    uint32_t count, depth, length;
};

static void enter(struct tarjan *s, size_t c)
{
    s->index[c] = s->low[c] = ++s->count;
    s->stack[s->depth++] = (uint32_t)c;
    s->path[s->length++] = (uint32_t)c;
    s->on[c] = true;
}

static void leave(struct tarjan *s, size_t c, struct waits *w)
{
    uint64_t members = 0;
    size_t m;
    if (s->low[c] != s->index[c])
        return;
    do {
        m = s->stack[--s->depth];
        s->on[m] = false;
        members++;
    } while (m != c);
    if (members < 2)
        return;
    if (w->cycles++ == 0)
        snprintf(w->example, sizeof w->example, "port %u, VC %u of node %u, and %llu more",
                 (unsigned)(c / VCS % TORUS3_PORTS), (unsigned)(c % VCS), (unsigned)(c / OUTS),
                 (unsigned long long)members - 1);
    w->cyclic += members;
    w->largest = members > w->largest ? members : w->largest;
}

static void search(const struct graph *g, struct tarjan *s, size_t root, struct waits *w)
{
    enter(s, root);
    while (s->length > 0) {
        const size_t c = s->path[s->length - 1];
        if (s->turn[c] == OUTS) {
            s->length--;
            leave(s, c, w);
            if (s->length > 0 && s->low[c] < s->low[s->path[s->length - 1]])
                s->low[s->path[s->length - 1]] = s->low[c];
            continue;
        }
        const size_t next = successor(g, c, s->turn[c]++);
        if (next == SIZE_MAX)
            continue;
        if (!s->index[next])
            enter(s, next);
        else if (s->on[next] && s->index[next] < s->low[c])
            s->low[c] = s->index[next];
    }
}

void waits_check(const struct torus3 *t, struct waits *w)
{
    struct graph g = {.t = t, .channels = (size_t)t->nodes * OUTS};
    struct tarjan s = {0};
    *w = (struct waits){.bytes = (double)g.channels * (4 * 4 + 2 + 3)};
    g.next = sim_alloc(g.channels, sizeof *g.next);
    g.used = sim_alloc(g.channels, sizeof *g.used);
    s.index = sim_alloc(g.channels, sizeof *s.index);
    s.low = sim_alloc(g.channels, sizeof *s.low);
    s.stack = sim_alloc(g.channels, sizeof *s.stack);
    s.path = sim_alloc(g.channels, sizeof *s.path);
    s.turn = sim_alloc(g.channels, sizeof *s.turn);
    s.on = sim_alloc(g.channels, sizeof *s.on);
    for (unsigned src = 0; src < t->nodes; src++)
        for (unsigned dst = 0; dst < t->nodes; dst++)
            follow(&g, src, dst, w);
    for (size_t c = 0; c < g.channels; c++) {
        w->channels += g.used[c];
        w->dependencies += (unsigned)__builtin_popcount(g.next[c]);
        if (g.used[c] && !s.index[c])
            search(&g, &s, c, w);
    }
    free(g.next);
    free(g.used);
    free(s.index);
    free(s.low);
    free(s.stack);
    free(s.path);
    free(s.turn);
    free(s.on);
}
