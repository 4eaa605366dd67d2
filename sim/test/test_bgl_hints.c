// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_hints.c - ways round dead nodes: every pair of a torus, its path walked node by node, relays for what no signs reach; shares of pairs as
 * they were computed by another program; shortest ways load all links of an even ring alike.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/random.h"
#include "sim/bgl/hints.h"
#include "tb/base/harness.h"

enum { MOST_DEAD = 3 };

struct torus {
    struct shape shape;
    uint8_t *dead;
};

struct shares {
    unsigned pairs, signs, boxes, relays, none;
};

/* From node to node by its own arithmetic: x, y, z; true if it ends at `to` and meets no dead node on the way or at its ends. */
static bool walk(const struct torus *t, const int from[3], const int to[3], unsigned hints)
{
    int at[3] = {from[0], from[1], from[2]};
    for (int d = 0; d < 3; d++) {
        const int k = (int)t->shape.size[d];
        const int step = hints & 1u << 2 * d ? 1 : hints & 2u << 2 * d ? k - 1 : 0;
        for (int hops = 0; at[d] != to[d]; hops++) {
            if (step == 0 || hops == k)
                return false;
            at[d] = (at[d] + step) % k;
            if (t->dead[(at[2] * (int)t->shape.size[1] + at[1]) * (int)t->shape.size[0] + at[0]])
                return false;
        }
    }
    return true;
}

static void coordinates(const struct torus *t, unsigned node, int at[3])
{
    for (int d = 0; d < 3; d++) {
        at[d] = (int)(node % t->shape.size[d]);
        node /= t->shape.size[d];
    }
}

static bool clean(const struct torus *t, unsigned from, unsigned to, unsigned hints)
{
    int a[3], b[3];
    coordinates(t, from, a);
    coordinates(t, to, b);
    return walk(t, a, b, hints);
}

/* Every node of the box between two nodes along these hints: none is dead. */
static bool box_walk(const struct torus *t, unsigned from, unsigned to, unsigned hints)
{
    int a[3], b[3], steps[3], way[3];
    coordinates(t, from, a);
    coordinates(t, to, b);
    for (int d = 0; d < 3; d++) {
        const int k = (int)t->shape.size[d], plus = (b[d] - a[d] + k) % k;
        way[d] = hints & 1u << 2 * d ? 1 : -1;
        steps[d] = way[d] > 0 ? plus : (k - plus) % k;
    }
    for (int i = 0; i < (steps[0] + 1) * (steps[1] + 1) * (steps[2] + 1); i++) {
        const int step[3] = {i % (steps[0] + 1), i / (steps[0] + 1) % (steps[1] + 1),
                             i / (steps[0] + 1) / (steps[1] + 1)};
        int node = 0;
        for (int d = 2; d >= 0; d--) {
            const int k = (int)t->shape.size[d];
            node = node * k + (a[d] + way[d] * step[d] + k) % k;
        }
        if (t->dead[node])
            return false;
    }
    return true;
}

/* Counts a pair; false if a way that was told is none. */
static bool pair(const struct torus *t, unsigned from, unsigned to, struct shares *n)
{
    const struct shape *s = &t->shape;
    const struct place a = shape_place(s, from), b = shape_place(s, to);
    const unsigned hints = hints_round(s, t->dead, a, b, false);
    struct place relay;
    n->pairs++;
    const unsigned box = hints_round(s, t->dead, a, b, true);
    if (box) {
        n->boxes++;
        if (!box_walk(t, from, to, box))
            return false;
    }
    if (hints) {
        n->signs++;
        return clean(t, from, to, hints);
    }
    for (unsigned other = 0; other < 64; other++)
        if ((other & other >> 1 & 0x15) == 0 && clean(t, from, to, other))
            return false; /* there was one */
    if (!hints_relay(s, t->dead, a, b, &relay)) {
        n->none++;
        return true;
    }
    n->relays++;
    const unsigned over = shape_node(s, relay);
    return !t->dead[over] && clean(t, from, over, hints_round(s, t->dead, a, relay, false)) &&
           clean(t, over, to, hints_round(s, t->dead, relay, b, false));
}

static struct torus torus(const char *name)
{
    char error[SHAPE_ERROR];
    struct torus t;
    if (!shape_read(&t.shape, name, error))
        exit(EXIT_FAILURE);
    t.dead = calloc(t.shape.nodes, 1);
    return t;
}

/* Kills so many nodes, no two on one line. */
static void kill_nodes(struct torus *t, unsigned count, struct sim_random *random)
{
    int at[MOST_DEAD][3];
    for (unsigned i = 0; i < count;) {
        const unsigned node = sim_below(random, t->shape.nodes);
        bool line = false;
        coordinates(t, node, at[i]);
        for (unsigned j = 0; j < i; j++)
            line |= (at[i][0] == at[j][0]) + (at[i][1] == at[j][1]) + (at[i][2] == at[j][2]) >= 2;
        if (line)
            continue;
        t->dead[node] = 1;
        i++;
    }
}

/* Every pair of living nodes. */
static struct shares all_pairs(const struct torus *t, bool *good)
{
    struct shares n = {0};
    for (unsigned from = 0; from < t->shape.nodes; from++)
        for (unsigned to = 0; to < t->shape.nodes; to++)
            if (from != to && !t->dead[from] && !t->dead[to] && !pair(t, from, to, &n))
                *good = false;
    return n;
}

static void round_dead(struct sim_random *random)
{
    static const double signs[] = {99.68, 99.36, 99.04}, boxes[] = {99.10, 98.09, 96.87};
    static const char *const tori[] = {"3x3x3", "4x4x4", "5x3x4", "8x8x8"};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned count = 1; count <= MOST_DEAD; count++) {
            struct torus t = torus(tori[i]);
            bool good = true;
            kill_nodes(&t, count, random);
            const struct shares n = all_pairs(&t, &good);
            const double by_signs = 100.0 * n.signs / n.pairs, by_boxes = 100.0 * n.boxes / n.pairs;
            tap_ok(good && n.none == 0,
                   "%s, %u dead: %u pairs, %u by signs, %u by a relay, %u without a way, all ways "
                   "clean",
                   tori[i], count, n.pairs, n.signs, n.relays, n.none);
            if (i == 3)
                tap_ok(fabs(by_signs - signs[count - 1]) < 0.02 &&
                           fabs(by_boxes - boxes[count - 1]) < 0.005 + 0.5 * (count - 1),
                       "8x8x8, %u dead: %.2f %% by signs, of %.2f %% all dynamic ways are clean",
                       count, by_signs, by_boxes);
            free(t.dead);
        }
}

/* Each link of a ring of K is crossed by K / 8 packets of each node's K, both ways alike. */
static void ring_even(void)
{
    for (unsigned k = 2; k <= 64; k *= 2) {
        char name[20];
        snprintf(name, sizeof name, "%ux1x1", k);
        struct torus t = torus(name);
        unsigned links[2][64] = {{0}}, least = UINT32_MAX, most = 0;
        for (unsigned from = 0; from < k; from++)
            for (unsigned to = 0; to < k; to++) {
                const unsigned hints =
                    shape_hints(&t.shape, shape_place(&t.shape, from), shape_place(&t.shape, to));
                for (unsigned at = from; at != to; at = (at + (hints & 1 ? 1 : k - 1)) % k)
                    links[hints & 1 ? 0 : 1][at]++;
            }
        for (unsigned way = 0; way < 2; way++)
            for (unsigned at = 0; at < k; at++) {
                least = links[way][at] < least ? links[way][at] : least;
                most = links[way][at] > most ? links[way][at] : most;
            }
        tap_ok(least == most || k == 2, "a ring of %u: links carry %u to %u pairs", k, least, most);
        tap_ok(k == 2 || (most == k * k / 8 && shape_fullest(&t.shape, 1) == most),
               "a ring of %u: its fullest link carries %g", k, shape_fullest(&t.shape, 1));
        free(t.dead);
    }
}

int main(int argc, char **argv)
{
    struct sim_random random = sim_random_of(test_seed(argc, argv), 0);
    ring_even();
    round_dead(&random);
    return tap_done();
}
