// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_channels.c - the graph of a Blue Gene/L torus: no cycle between rings as the hardware orders its dimensions, cycles by other rules; on small
 * tori the same by following every deterministic packet, node by node.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/bgl/channels.h"
#include "tb/base/harness.h"

enum { MOST_RINGS = 6 * 64 };

static unsigned by_direction(unsigned hints, unsigned from)
{
    (void)from;
    return (unsigned)__builtin_ctz(hints & 0x15 ? hints & 0x15 : hints);
}

static unsigned last_first(unsigned hints, unsigned from)
{
    (void)from;
    return 31u - (unsigned)__builtin_clz(hints);
}

/* Goes on as it came; where it turns, from x or z to the first, from y to the last dimension. */
static unsigned zigzag(unsigned hints, unsigned from)
{
    if (from < SHAPE_PORTS && hints >> from & 1)
        return from;
    return from / 2 == 1 || from == SHAPE_PORTS ? last_first(hints, from)
                                                : channels_xyz(hints, from);
}

static const struct {
    const char *name;
    channels_rule *rule;
    bool free;
} rules[] = {{"x, y, z", channels_xyz, true},
             {"z, y, x", last_first, true},
             {"direction order", by_direction, true},
             {"a rule that turns back to what it left", zigzag, false}};

static struct shape shape(const char *name)
{
    char error[SHAPE_ERROR];
    struct shape s;
    if (!shape_read(&s, name, error))
        exit(EXIT_FAILURE);
    return s;
}

/* Number of the ring of a direction through a node. */
static unsigned ring(const struct shape *s, int node[3], unsigned port)
{
    int at[3] = {node[0], node[1], node[2]};
    at[port / 2] = 0;
    return port * s->nodes +
           (unsigned)(at[0] + (int)s->size[0] * (at[1] + (int)s->size[1] * at[2]));
}

/* Rings that wait, over others, for themselves: of packets with any hints that enter at any node, injected or from any dynamic VC, and stay. */
static unsigned circles(const struct shape *s, channels_rule *rule)
{
    static bool waits[MOST_RINGS][MOST_RINGS];
    unsigned found = 0;
    memset(waits, 0, sizeof waits);
    const unsigned rings = 6 * s->nodes;
    for (unsigned pair = 0; pair < s->nodes * s->nodes; pair++)
        for (unsigned way = 0; way < 8 * (SHAPE_PORTS + 1); way++) {
            const unsigned signs = way % 8, came = way / 8;
            const struct place a = shape_place(s, pair % s->nodes),
                               b = shape_place(s, pair / s->nodes);
            int at[3];
            unsigned from = came, held = 0;
            bool inside = false;
            if (came < SHAPE_PORTS &&
                (s->size[came / 2] == 1 || (signs >> came / 2 & 1) != came % 2))
                continue; /* nothing turns back */
            for (int d = 0; d < 3; d++)
                at[d] = a.at[d];
            for (;;) {
                unsigned hints = 0;
                for (unsigned d = 0; d < 3; d++)
                    hints |= at[d] != b.at[d] ? 1u << (2 * d + (signs >> d & 1)) : 0;
                if (!hints)
                    break;
                const unsigned port = rule(hints, from), k = s->size[port / 2];
                const unsigned next = ring(s, at, port);
                if (inside && next != held)
                    waits[held][next] = true;
                held = next;
                inside = true;
                from = port;
                at[port / 2] = (at[port / 2] + (port & 1 ? (int)k - 1 : 1)) % (int)k;
            }
        }
    for (unsigned m = 0; m < rings; m++)
        for (unsigned i = 0; i < rings; i++)
            for (unsigned j = 0; waits[i][m] && j < rings; j++)
                waits[i][j] |= waits[m][j];
    for (unsigned i = 0; i < rings; i++)
        found += waits[i][i];
    return found;
}

int main(int argc, char **argv)
{
    static const char *const small[] = {"3x3x3", "4x3x2", "4x4x1", "2x2x3"};
    static const char *const large[] = {"8x8x8", "5x7x6", "64x32x32", "256x1x1"};
    test_no_options(argc, argv);
    for (unsigned r = 0; r < sizeof rules / sizeof *rules; r++) {
        struct channels c;
        for (unsigned i = 0; i < 4; i++) {
            const struct shape s = shape(small[i]);
            channels_check(&s, rules[r].rule, &c);
            const unsigned golden = circles(&s, rules[r].rule);
            tap_ok((c.cycles == 0) == (golden == 0),
                   "%s, %s: %llu cycles between rings, packets followed: %u rings in one", small[i],
                   rules[r].name, (unsigned long long)c.cycles, golden);
        }
        for (unsigned i = 0; i < 4; i++) {
            const struct shape s = shape(large[i]);
            const bool line = i == 3;
            channels_check(&s, rules[r].rule, &c);
            tap_ok((c.cycles == 0) == (rules[r].free || line),
                   "%s, %s: %llu cycles between %llu rings", large[i], rules[r].name,
                   (unsigned long long)c.cycles, (unsigned long long)c.rings);
            tap_ok(c.channels == (line ? 16ull : 32ull) * s.nodes, "%s: %llu channels", large[i],
                   (unsigned long long)c.channels);
        }
    }
    return tap_done();
}
