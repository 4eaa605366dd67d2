// SPDX-License-Identifier: Apache-2.0
/*
 * shape.c - a torus of X x Y x Z nodes.
 */
#include "sim/bgl/fast/shape.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

bool shape_read(struct shape *s, const char *text, char error[SHAPE_ERROR])
{
    const char *at = text;
    s->nodes = 1;
    for (unsigned d = 0; d < 3; d++) {
        char *end = NULL;
        const unsigned long size = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;
        if (!end || *end != (d < 2 ? 'x' : '\0')) {
            snprintf(error, SHAPE_ERROR, "%.40s: a torus is XxYxZ, as 8x8x8", text);
            return false;
        }
        if (size < 1 || size > SHAPE_MOST) {
            snprintf(error, SHAPE_ERROR, "%.40s: a dimension has 1 to %d nodes", text, SHAPE_MOST);
            return false;
        }
        s->size[d] = (unsigned)size;
        s->nodes *= s->size[d];
        at = end + 1;
    }
    return true;
}

unsigned shape_hints(const struct shape *s, struct place from, struct place to)
{
    unsigned hints = 0;
    for (unsigned d = 0; d < 3; d++) {
        const unsigned k = s->size[d], m = from.at[d];
        const unsigned plus = (to.at[d] + k - m) % k;
        const bool tie = 2 * plus == k;
        if (plus)
            hints |= (tie ? m % 2 == 0 : 2 * plus < k) ? 1u << 2 * d : 2u << 2 * d;
    }
    return hints;
}

unsigned shape_hops(const struct shape *s, struct place from, struct place to, unsigned hints)
{
    unsigned hops = 0;
    for (unsigned d = 0; d < 3; d++) {
        const unsigned k = s->size[d], plus = (to.at[d] + k - from.at[d]) % k;
        const unsigned way = hints >> 2 * d & 3;
        hops += way == 1 ? plus : way == 2 ? k - plus : 0;
    }
    return hops;
}

double shape_fullest(const struct shape *s, unsigned within)
{
    double nodes = 1, most = 0;
    for (unsigned d = 0; d < 3; d++)
        if (within >> d & 1)
            nodes *= s->size[d];
    for (unsigned d = 0; d < 3; d++) {
        const double k = s->size[d];
        const double hops = s->size[d] % 2 ? (k - 1 / k) / 4 : k / 4; /* of a mean pair */
        if (within >> d & 1 && s->size[d] > 1 && most < nodes * hops / 2)
            most = nodes * hops / 2;
    }
    return most;
}

unsigned shape_midplanes(const struct shape *s)
{
    unsigned count = 1;
    for (unsigned d = 0; d < 3; d++)
        count *= (s->size[d] + SHAPE_MIDPLANE - 1) / SHAPE_MIDPLANE;
    return count;
}

unsigned shape_midplane(const struct shape *s, struct place p)
{
    unsigned number = 0;
    for (unsigned d = 3; d-- > 0;)
        number = number * ((s->size[d] + SHAPE_MIDPLANE - 1) / SHAPE_MIDPLANE) +
                 p.at[d] / SHAPE_MIDPLANE;
    return number;
}
