// SPDX-License-Identifier: Apache-2.0
/*
 * torus.c - the 3D torus of gemini routers (Alverson et al., "The Gemini System Interconnect", 2010).
 *
 * Ten groups of four links: two groups to each neighbour in x and z, one in y. Dimension order x, y, z, the
 * shorter way round, either way when both are as long: the global table by far (x) until that is right, then by
 * near (y), then the local one (z). A candidate is a column and all links of the direction in it, so a packet
 * takes the least loaded of 8 (y: 4) parallel links.
 *
 * Ports: no column holds two directions, so no row buffer mixes them.
 *
 *     columns 0-3   x+, x-, z+, z-                   8 rows each
 *     columns 4-5   y+, y-                           rows 0-3
 *                   8 processor ports of both NICs   rows 4-7
 *
 * VCs, two per class, chosen when a packet enters a dimension and for each dimension anew: BEFORE for those that will
 * cross the dateline (between the last and the first coordinate) later in it, AFTER for those that cross it at once, and
 * from the crossing on; those that never cross take either. BEFORE ends at the link across, AFTER begins there and does
 * not reach it again: no cycle. To a processor the VC stays, but for the routers at the dateline of y, below whose links
 * the processors are: BEFORE there, or a packet waits in a row buffer behind one that crosses.
 *
 * Heads may be wrong: an input of a dimension has no candidate in a dimension before it and none back, and the VC map
 * drops who is AFTER already at the link across. So the graph of any head at any input has no cycle, either.
 */
#include <stdio.h>

#include "sim/net/families.h"

enum { X_PLUS = PORT_LINK, X_MINUS, Z_PLUS, Z_MINUS, Y_PLUS, Y_MINUS };
enum { DIMENSIONS = 3, WIDE = 8, NARROW = 4, NICS = 2, VCS = 2 };
enum { MOST_X = 64, MOST = 32 };
enum { BEFORE = 0, AFTER = 1 };                   /* VCs of a class */
enum { GO_ON, CROSS, ENTER_BEFORE, ENTER_AFTER }; /* types: what the VC map must know */

static const char *const kinds[] = {"unused", "processor", "x+", "x-", "z+",
                                    "z-",     "y+",        "y-", NULL};

struct shape {
    unsigned size[DIMENSIONS];
};

/* ---- ports ------------------------------------------------------------------------------------ */

static unsigned kind_of(unsigned dimension, bool minus)
{
    static const unsigned first[] = {X_PLUS, Y_PLUS, Z_PLUS};
    return first[dimension] + minus;
}

static unsigned col_of(unsigned kind)
{
    return kind - PORT_LINK;
}

static unsigned links_of(unsigned dimension)
{
    return dimension == 1 ? NARROW : WIDE;
}

static void position(const struct shape *s, unsigned router, unsigned at[DIMENSIONS])
{
    at[0] = router % s->size[0];
    at[1] = router / s->size[0] % s->size[1];
    at[2] = router / s->size[0] / s->size[1];
}

static unsigned router_at(const struct shape *s, const unsigned at[DIMENSIONS])
{
    return at[0] + s->size[0] * (at[1] + s->size[1] * at[2]);
}

/* ---- tables ----------------------------------------------------------------------------------- */

/* One direction, if it is the shorter and does not lead back to where the packet came from. */
static void add_direction(const struct topology *t, const struct question *q,
                          struct candidate_list *list, unsigned dimension, bool minus, unsigned at,
                          unsigned to)
{
    const struct shape *s = t->shape;
    const unsigned size = s->size[dimension], kind = kind_of(dimension, minus);
    const unsigned steps = (minus ? at + size - to : to + size - at) % size;
    const unsigned before = minus ? at : size - 1 - at; /* steps up to the dateline */
    const unsigned from = t->ports[q->router][q->port].kind;
    const unsigned links = (1U << links_of(dimension)) - 1;
    if (steps * 2 > size || from == kind)
        return;
    if (from == kind_of(dimension, !minus)) {
        topo_add(list, col_of(kind), links, before == 0 ? CROSS : GO_ON);
        return;
    }
    if (before > 0)
        topo_add(list, col_of(kind), links, ENTER_BEFORE);
    if (before == 0 || steps <= before)
        topo_add(list, col_of(kind), links, ENTER_AFTER);
}

/* In the routers at the dateline of y the links of that column take AFTER, so who leaves there takes BEFORE. */
static void processors(struct candidate_list *list, unsigned y, unsigned size)
{
    topo_add(list, col_of(Y_PLUS), 0xF0, y == size - 1 ? ENTER_BEFORE : GO_ON);
    topo_add(list, col_of(Y_MINUS), 0xF0, y == 0 ? ENTER_BEFORE : GO_ON);
}

/* The dimension of the links of this kind; 0 for a processor, whose packets may begin with any. */
static unsigned dimension_of(unsigned kind)
{
    return kind == Y_PLUS || kind == Y_MINUS ? 1 : kind == Z_PLUS || kind == Z_MINUS ? 2 : 0;
}

static void torus_candidates(const struct topology *t, const struct question *q,
                             struct candidate_list *list)
{
    const struct shape *s = t->shape;
    unsigned at[DIMENSIONS];
    position(s, q->router, at);
    const unsigned fars = t->machine->fars, d = q->local ? 2 : q->index < fars ? 0 : 1;
    const unsigned to = d == 1 ? q->index - fars : q->index;
    if (q->nonminimal || to >= s->size[d])
        return;
    if (at[d] != to && d < dimension_of(t->ports[q->router][q->port].kind))
        return;
    if (at[d] != to) {
        add_direction(t, q, list, d, false, at[d], to);
        add_direction(t, q, list, d, true, at[d], to);
    } else if (q->local) {
        processors(list, at[1], s->size[1]);
    }
}

static struct hop torus_hop(const struct topology *t, unsigned router, unsigned port,
                            bool nonminimal, unsigned type, unsigned vc, unsigned phase)
{
    (void)t, (void)router, (void)port, (void)nonminimal, (void)phase;
    static const unsigned becomes[] = {
        [CROSS] = AFTER, [ENTER_BEFORE] = BEFORE, [ENTER_AFTER] = AFTER};
    const bool again = type == CROSS && vc % VCS == AFTER;
    const unsigned on = type == GO_ON ? vc : vc / VCS * VCS + becomes[type];
    return (struct hop){.vc = again ? HOP_DROPS : on, .phase = 0};
}

/* ---- wiring ----------------------------------------------------------------------------------- */

static void wire(struct topology *t, unsigned router)
{
    const struct shape *s = t->shape;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        unsigned at[DIMENSIONS];
        position(s, router, at);
        at[d] = (at[d] + 1) % s->size[d];
        if (s->size[d] == 1)
            continue;
        const unsigned plus = kind_of(d, false), minus = kind_of(d, true);
        for (unsigned row = 0; row < links_of(d); row++)
            topo_link(t, router, row * t->machine->cols + col_of(plus), plus, router_at(s, at),
                      row * t->machine->cols + col_of(minus), minus);
    }
}

static struct topology *torus_new(const struct family_sizes *sizes, char error[TOPO_ERROR])
{
    if (sizes->count != DIMENSIONS) {
        snprintf(error, TOPO_ERROR, "torus: three sizes, XxYxZ");
        return NULL;
    }
    const struct shape s = {{sizes->size[0], sizes->size[1], sizes->size[2]}};
    if (s.size[0] > MOST_X || s.size[1] > MOST || s.size[2] > MOST) {
        snprintf(error, TOPO_ERROR, "torus: at most %dx%dx%d, more have no place in the head flit",
                 MOST_X, MOST, MOST);
        return NULL;
    }
    const unsigned routers = s.size[0] * s.size[1] * s.size[2];
    struct topology *t = topo_new(&machine_gemini, routers, routers * NICS);
    const unsigned first = 4 * t->machine->cols + col_of(Y_PLUS);
    uint64_t ports = 0;

    t->shape = topo_copy(&s, sizeof s);
    t->kinds = kinds;
    t->longest = t->longest_minimal = s.size[0] / 2 + s.size[1] / 2 + s.size[2] / 2;
    t->first_vc[1] = VCS;
    t->candidates = torus_candidates;
    t->hop = torus_hop;
    for (unsigned row = 0; row < NARROW; row++)
        ports |= UINT64_C(3) << (first + row * t->machine->cols);
    for (unsigned r = 0; r < routers; r++) {
        unsigned at[DIMENSIONS];
        position(&s, r, at);
        const unsigned xy = at[0] * t->machine->nears + at[1];
        t->here[r] = (struct here){xy, at[2]};
        for (unsigned n = 0; n < NICS; n++)
            t->node[r * NICS + n] = (struct node){r, xy, at[2], n, ports};
        for (unsigned p = 0; p < t->machine->ports; p++)
            if (ports >> p & 1)
                t->ports[r][p].kind = PORT_PROCESSOR;
        wire(t, r);
    }
    return t;
}

const struct family family_torus = {
    .name = "torus",
    .help = "  torus:XxYxZ          3D torus, 8 links in x and z, 4 in y\n",
    .most = 4,
    .make = torus_new,
};
