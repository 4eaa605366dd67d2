// SPDX-License-Identifier: Apache-2.0
/*
 * shape.h - a torus of X x Y x Z nodes: numbers, coordinates, neighbours, shortest ways.
 *
 * Ports are x+ 0, x- 1, y+ 2, y- 3, z+ 4, z- 5; what leaves by port o arrives at the neighbour's port o ^ 1. Hint bit o is port o.
 */
#ifndef SIM_BGL_FAST_SHAPE_H
#define SIM_BGL_FAST_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

enum { SHAPE_PORTS = 6, SHAPE_MOST = 256, SHAPE_MIDPLANE = 8, SHAPE_ERROR = 120 };

struct shape {
    unsigned size[3];
    unsigned nodes;
};

struct place {
    uint8_t at[3];
};

/* Reads "8x8x8"; false, and a line in error, if there is no such torus. */
bool shape_read(struct shape *s, const char *text, char error[SHAPE_ERROR]);

static inline unsigned shape_node(const struct shape *s, struct place p)
{
    return p.at[0] + s->size[0] * (p.at[1] + s->size[1] * p.at[2]);
}

static inline struct place shape_place(const struct shape *s, unsigned node)
{
    return (struct place){{(uint8_t)(node % s->size[0]), (uint8_t)(node / s->size[0] % s->size[1]),
                           (uint8_t)(node / s->size[0] / s->size[1])}};
}

/* The coordinate behind `at` on a ring of so many nodes, the way of a port. */
static inline unsigned shape_step(unsigned size, unsigned at, unsigned port)
{
    if (port & 1)
        return at == 0 ? size - 1 : at - 1;
    return at + 1 == size ? 0 : at + 1;
}

static inline struct place shape_neighbour(const struct shape *s, struct place p, unsigned port)
{
    const unsigned d = port >> 1;
    p.at[d] = (uint8_t)shape_step(s->size[d], p.at[d], port);
    return p;
}

/*
 * Hints of the shortest way, as hardware sets them: of two that are as short an even coordinate takes plus, an odd one minus, so that
 * each link of a ring of even size carries as many pairs.
 */
unsigned shape_hints(const struct shape *s, struct place from, struct place to);

/* Hops of a way by these hints. */
unsigned shape_hops(const struct shape *s, struct place from, struct place to, unsigned hints);

/*
 * Packets that the fullest links carry when each node sends one to each node of the lines that `within` names (bit d: dimension d), itself
 * included; links of all directions are alike.
 */
double shape_fullest(const struct shape *s, unsigned within);

/* Midplanes of 8 x 8 x 8, begun ones counted; and the one a node is in. */
unsigned shape_midplanes(const struct shape *s);
unsigned shape_midplane(const struct shape *s, struct place p);

#endif
