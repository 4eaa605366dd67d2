// SPDX-License-Identifier: Apache-2.0
/* torus3.c - networks of SeaStar chips and their tables. */
#include "sim/seastar/torus3.h"

#include <stdio.h>
#include <stdlib.h>

enum { DIMENSIONS = 3, MOST_SIZE = 255 };

/* z, x, y. */
static const unsigned order[DIMENSIONS] = {2, 0, 1};

bool torus3_read(struct torus3 *t, const char *text, char error[TORUS3_ERROR])
{
    const char *at = text;
    *t = (struct torus3){.datelines = true, .nodes = 1};
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        char *end;
        const unsigned long size = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        if (size < 1 || size > MOST_SIZE) {
            snprintf(error, TORUS3_ERROR,
                     "seastar:%s: sizes are 1 to %d, as in 8x8x8 or 27mx16mx24", text, MOST_SIZE);
            return false;
        }
        t->size[d] = (unsigned)size;
        t->mesh[d] = *end == 'm';
        at = end + t->mesh[d];
        if (*at != (d + 1 < DIMENSIONS ? 'x' : 0)) {
            snprintf(error, TORUS3_ERROR, "seastar:%s: three sizes, as in 8x8x8 or 27mx16mx24",
                     text);
            return false;
        }
        at++;
        t->nodes *= t->size[d];
    }
    if (t->nodes > TORUS3_MOST) {
        snprintf(error, TORUS3_ERROR, "seastar:%s: %u nodes: more than the %d of one partition",
                 text, t->nodes, TORUS3_MOST);
        return false;
    }
    return true;
}

static unsigned coordinate(const struct torus3 *t, unsigned node, unsigned d)
{
    unsigned below = 1;
    for (unsigned k = 0; k < d; k++)
        below *= t->size[k];
    return node / below % t->size[d];
}

static unsigned dimension_of(unsigned port)
{
    return (port - 1) / 2;
}

unsigned torus3_opposite(unsigned port)
{
    return ((port - 1) ^ 1) + 1;
}

unsigned torus3_neighbour(const struct torus3 *t, unsigned node, unsigned port)
{
    const unsigned d = dimension_of(port), size = t->size[d], at = coordinate(t, node, d);
    const unsigned next = (port % 2 ? at + 1 : at + size - 1) % size;
    unsigned below = 1;
    for (unsigned k = 0; k < d; k++)
        below *= t->size[k];
    return node + below * next - below * at;
}

static bool odd(const struct torus3 *t, unsigned node)
{
    return (coordinate(t, node, 0) + coordinate(t, node, 1) + coordinate(t, node, 2)) % 2;
}

/* Whether plus is the way from one coordinate to another; half a ring goes by `even`. */
static bool goes_plus(const struct torus3 *t, unsigned d, unsigned from, unsigned to, bool even)
{
    const unsigned size = t->size[d], ahead = (to + size - from) % size;
    return t->mesh[d] ? to > from : 2 * ahead == size ? even : 2 * ahead < size;
}

/* Hops from here to there in a direction of the ring cross its dateline, one of them at once. */
static bool crosses_later(unsigned from, unsigned to, bool plus)
{
    return plus ? to < from : to > from;
}

static bool crosses_now(unsigned from, unsigned size, bool plus)
{
    return plus ? from == size - 1 : from == 0;
}

struct torus3_entry torus3_entry(const struct torus3 *t, unsigned node, unsigned port, unsigned dst)
{
    for (unsigned i = 0; i < DIMENSIONS; i++) {
        const unsigned d = order[i];
        const unsigned from = coordinate(t, node, d), to = coordinate(t, dst, d);
        if (from == to)
            continue;
        const bool parity = odd(t, node) != odd(t, dst);
        const bool goes_on = port > 0 && dimension_of(port) == d;
        /* one that goes on keeps its direction: what came by minus's side goes plus */
        const bool plus = goes_on ? port % 2 == 0 : goes_plus(t, d, from, to, !parity);
        const bool now = crosses_now(from, t->size[d], plus);
        struct torus3_entry e = {.port = 1 + 2 * d + !plus};
        if (t->mesh[d])
            e.v = goes_on ? false : parity;
        else if (goes_on)
            e.v = now;
        else
            e.v = crosses_later(from, to, plus) ? now : parity;
        e.v = e.v && t->datelines;
        return e;
    }
    return (struct torus3_entry){.port = 0};
}
