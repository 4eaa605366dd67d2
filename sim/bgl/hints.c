// SPDX-License-Identifier: Apache-2.0
/*
 * hints.c - hint bits that lead round dead nodes.
 */
#include "sim/bgl/hints.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"
#include "sim/bgl/lines.h"

enum { WAYS = 8 };

bool hints_path_clean(const struct shape *s, const uint8_t *dead, struct place from,
                      struct place to, unsigned hints)
{
    if (dead[shape_node(s, from)])
        return false;
    for (unsigned port = 0; port < SHAPE_PORTS; port++)
        while (hints >> port & 1 && from.at[port / 2] != to.at[port / 2]) {
            from = shape_neighbour(s, from, port);
            if (dead[shape_node(s, from)])
                return false;
        }
    return true;
}

bool hints_box_clean(const struct shape *s, const uint8_t *dead, struct place from, struct place to,
                     unsigned hints)
{
    unsigned steps[3], port[3];
    for (unsigned d = 0; d < 3; d++) {
        port[d] = 2 * d + (hints >> (2 * d + 1) & 1);
        steps[d] = shape_hops(s, from, to, hints & 3u << 2 * d);
    }
    struct place z = from;
    for (unsigned k = 0; k <= steps[2]; k++) {
        struct place y = z;
        for (unsigned j = 0; j <= steps[1]; j++) {
            struct place x = y;
            for (unsigned i = 0; i <= steps[0]; i++) {
                if (dead[shape_node(s, x)])
                    return false;
                x = shape_neighbour(s, x, port[0]);
            }
            y = shape_neighbour(s, y, port[1]);
        }
        z = shape_neighbour(s, z, port[2]);
    }
    return true;
}

unsigned hints_round(const struct shape *s, const uint8_t *dead, struct place from, struct place to,
                     bool box)
{
    const unsigned shortest = shape_hints(s, from, to);
    unsigned best = 0, hops = UINT_MAX;
    for (unsigned turned = 0; turned < WAYS; turned++) {
        unsigned hints = shortest;
        bool other = true;
        for (unsigned d = 0; d < 3; d++)
            if (turned >> d & 1) {
                other &= (shortest >> 2 * d & 3) != 0;
                hints ^= 3u << 2 * d;
            }
        if (!other || shape_hops(s, from, to, hints) >= hops ||
            !(box ? hints_box_clean : hints_path_clean)(s, dead, from, to, hints))
            continue;
        best = hints;
        hops = shape_hops(s, from, to, hints);
    }
    return best;
}

bool hints_relay(const struct shape *s, const uint8_t *dead, struct place from, struct place to,
                 struct place *relay)
{
    unsigned best = UINT_MAX;
    for (unsigned i = 0; i < s->nodes; i++) {
        const struct place over = shape_place(s, i);
        if (dead[i] || i == shape_node(s, from) || i == shape_node(s, to))
            continue;
        if (shape_hops(s, from, over, shape_hints(s, from, over)) +
                shape_hops(s, over, to, shape_hints(s, over, to)) >=
            best)
            continue;
        const unsigned there = hints_round(s, dead, from, over, false),
                       on = hints_round(s, dead, over, to, false);
        const unsigned hops = shape_hops(s, from, over, there) + shape_hops(s, over, to, on);
        if (there && on && hops < best) {
            best = hops;
            *relay = over;
        }
    }
    return best != UINT_MAX;
}

uint8_t *hints_read_dead(const struct shape *s, const char *path)
{
    uint8_t *dead = sim_alloc(s->nodes, 1);
    struct lines lines = lines_open(path);
    unsigned count = 0;
    for (char *line; (line = lines_next(&lines)) != NULL;) {
        struct place p;
        char *word[2];
        if (lines_words(line, word, 2) != 1 || !lines_place(s, word[0], &p))
            lines_wrong(&lines, "a line is X,Y,Z, a node of this torus");
        if (dead[shape_node(s, p)])
            lines_wrong(&lines, "this node is dead already");
        dead[shape_node(s, p)] = 1;
        count++;
    }
    lines_close(&lines);
    if (s->nodes - count < 2)
        sim_fail("%s: of %u nodes %u are dead", path, s->nodes, count);
    return dead;
}
