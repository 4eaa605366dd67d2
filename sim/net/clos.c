// SPDX-License-Identifier: Apache-2.0
/*
 * clos.c - the folded Clos with sidelinks of yarc routers (Scott et al., "The BlackWidow High-Radix Clos
 * Network", 2006): one slice of it.
 *
 * Rank 1: a router with 32 processors (down) and 32 uplinks or sidelinks. Rank 1.5: up to nine of those,
 * joined by sidelinks. Rank 2: uplink u of each rank-1 router goes to rank-2 router u of the subtree; up to 32
 * subtrees below the top, 16 if there is more above. Rank 2.5: up to nine such subtrees, routers of the
 * same number joined by sidelinks. Rank 3: uplink v of rank-2 router u goes to rank-3 router 16 u + v; up to 32 rank-2
 * subtrees below the top. Rank 3.5: up to nine rank-3 subtrees of 16 of those, routers of the same number joined by
 * sidelinks; 4 are the 32K processors of the largest BlackWidow. Rank-2 and rank-3 routers are halves of a chip: columns 0-3
 * and 4-7.
 *
 *     rank 1, 1.5    rows 0-3 down, rows 4-7 up or side
 *     2, 3 below     rows 0-3 down, rows 4-7 up or side, of its half
 *     top of 2, 3    8 rows down, of its half
 *
 * A destination is named by rank-2 subtree (far), rank-1 subtree in it (near) and processor (local); where rank 2 is the
 * top, far is the rank-1 subtree. A rank-2 router below the top has the name of its subtree and of no rank-1
 * subtree in it, routers at the top have no name: ROUTE_HERE says so.
 *
 * Up, across, down: from below any uplink (adaptive or by hash among all), from beside or above only down. One
 * VC per class: links in the order up, side, down make no cycle.
 */
#include <stdio.h>
#include <string.h>

#include "sim/net/families.h"

enum { DOWN = PORT_LINK, UP, SIDE };
enum {
    HALF = 32,
    QUARTER = 16,
    MOST_PEERS = 9,
    MOST_FAR = 64, /* rank-2 subtrees: what the head has names for */
    NOBODY = 0xFFFFFFFF
};
enum {
    RANK_1 = 2,
    RANK_1_5 = 3,
    RANK_2 = 4,
    RANK_2_5 = 5,
    RANK_3 = 6,
    RANK_3_5 = 7
}; /* in halves */

static const char *const kinds[] = {"unused", "processor", "down", "up", "side", NULL};

struct shape {
    unsigned rank;    /* in halves */
    unsigned forests; /* rank-3 subtrees */
    unsigned trees, leaves, processors,
        ups; /* rank-2 subtrees of all, rank-1 routers of each, ... */
    unsigned
        halves; /* of chips, for the rank-2 routers of a subtree: of chips of its own below the top */
    unsigned ups2;                /* uplinks or sidelinks of a rank-2 router */
    unsigned rank1, rank2, rank3; /* (virtual) routers of each rank */
    unsigned trees_of_one,
        rank3_of_one; /* of a rank-3 subtree: rank-2 subtrees, (virtual) rank-3 routers */
    unsigned side;    /* sidelinks to each peer */
};

/* ---- ports: where link i of a router's kind is --------------------------------------------------- */

/* Down and up links of rank 1. */
static unsigned leaf_down(unsigned i)
{
    return i;
}

static unsigned leaf_up(unsigned i)
{
    return 32 + i;
}

/* Links of one half of a chip, four to a row; first_row 0 or 4. */
static unsigned half_port(unsigned half, unsigned first_row, unsigned i)
{
    return (first_row + i / 4) * 8 + half * 4 + i % 4;
}

/* Routers are numbered: rank 1, chips of rank 2, chips of rank 3. */
static unsigned chip2(const struct shape *s, unsigned virtual)
{
    return s->rank1 + virtual / 2;
}

static unsigned chip3(const struct shape *s, unsigned virtual)
{
    return s->rank1 + (s->rank2 + 1) / 2 + virtual / 2;
}

/* ---- tables ----------------------------------------------------------------------------------- */

/* Ports of a kind in the same (virtual) router as the tile that is asked. */
static uint64_t ports_of(const struct topology *t, const struct question *q, unsigned kind)
{
    const struct shape *s = t->shape;
    const bool whole = q->router < s->rank1;
    uint64_t ports = 0;
    for (unsigned p = 0; p < t->machine->ports; p++) {
        const bool same = whole || p % 8 / 4 == q->port % 8 / 4;
        ports |= (uint64_t)(same && t->ports[q->router][p].kind == kind) << p;
    }
    return ports;
}

/* What an index of the global table says of the destination; NOBODY: not this. */
struct aim {
    unsigned tree, leaf;
};

static struct aim aim_of(const struct topology *t, const struct question *q)
{
    const struct shape *s = t->shape;
    const unsigned fars = t->machine->fars, own = topo_far(t, q->router);
    if (s->rank <= RANK_2)
        return (struct aim){0, q->index < s->rank1 ? q->index : NOBODY};
    if (q->index < fars)
        return (struct aim){q->index < s->trees ? q->index : NOBODY, NOBODY};
    const unsigned leaf = q->index - fars;
    return own < s->trees && leaf < s->leaves ? (struct aim){own, own * s->leaves + leaf}
                                              : (struct aim){NOBODY, NOBODY};
}

/* The number of a router within its rank: of the half at this port above rank 1. */
static unsigned virtual_of(const struct shape *s, unsigned router, unsigned port)
{
    const unsigned chip = router - s->rank1, chips2 = (s->rank2 + 1) / 2;
    return (chip < chips2 ? chip : chip - chips2) * 2 + port % 8 / 4;
}

static unsigned rank_of(const struct shape *s, unsigned router)
{
    return router < s->rank1 ? 1 : router < s->rank1 + (s->rank2 + 1) / 2 ? 2 : 3;
}

/* Those of them behind which, one link on, is the subtree that holds the destination. */
static uint64_t towards(const struct topology *t, const struct question *q, unsigned kind,
                        struct aim aim)
{
    const struct shape *s = t->shape;
    uint64_t ports = ports_of(t, q, kind);
    for (uint64_t left = ports; left; left &= left - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(left);
        const unsigned next = (unsigned)t->ports[q->router][p].router;
        const unsigned rank = rank_of(s, next);
        const unsigned number = virtual_of(s, next, t->ports[q->router][p].port);
        const bool leads = rank == 1   ? next == aim.leaf
                           : rank == 2 ? number / s->halves == aim.tree
                                       : number / s->rank3_of_one == aim.tree / s->trees_of_one;
        if (!leads)
            ports &= ~(UINT64_C(1) << p);
    }
    return ports;
}

static void leaf_candidates(const struct topology *t, const struct question *q,
                            struct candidate_list *list)
{
    const struct shape *s = t->shape;
    if (q->index < s->processors)
        topo_add_ports(t, list, UINT64_C(1) << leaf_down(q->index), 0);
}

static void clos_candidates(const struct topology *t, const struct question *q,
                            struct candidate_list *list)
{
    const struct shape *s = t->shape;
    const unsigned from = t->ports[q->router][q->port].kind;
    if (q->nonminimal)
        return;
    if (q->local) {
        if (q->router < s->rank1)
            leaf_candidates(t, q, list);
        return;
    }
    const struct aim aim = aim_of(t, q);
    const bool own =
        q->index < t->machine->fars ? q->index == topo_far(t, q->router) : aim.leaf == q->router;
    if ((aim.tree == NOBODY && aim.leaf == NOBODY) || own)
        return;
    const uint64_t down = towards(t, q, DOWN, aim);
    const bool from_below = from == DOWN || from == PORT_PROCESSOR;
    if (down)
        topo_add_ports(t, list, down, 0);
    else if (from_below) {
        topo_add_ports(t, list, ports_of(t, q, UP), 0);
        topo_add_ports(t, list, towards(t, q, SIDE, aim), 0);
    }
}

static struct hop clos_hop(const struct topology *t, unsigned router, unsigned port,
                           bool nonminimal, unsigned type, unsigned vc, unsigned phase)
{
    (void)t, (void)router, (void)port, (void)nonminimal, (void)type, (void)phase;
    return (struct hop){.vc = vc, .phase = 0};
}

/* ---- wiring ----------------------------------------------------------------------------------- */

/* Every two of `count` routers by s->side links; port(i) is where link i of a router is. */
static void wire_leaf_sides(struct topology *t)
{
    const struct shape *s = t->shape;
    for (unsigned a = 0; a < s->rank1; a++)
        for (unsigned b = a + 1; b < s->rank1; b++)
            for (unsigned k = 0; k < s->side; k++)
                topo_link(t, a, leaf_up((b - 1) * s->side + k), SIDE, b, leaf_up(a * s->side + k),
                          SIDE);
}

static void wire_rank2_sides(struct topology *t)
{
    const struct shape *s = t->shape;
    for (unsigned u = 0; u < s->ups; u++)
        for (unsigned a = 0; a < s->trees; a++)
            for (unsigned b = a + 1; b < s->trees; b++)
                for (unsigned k = 0; k < s->side; k++) {
                    const unsigned va = a * s->halves + u, vb = b * s->halves + u;
                    topo_link(t, chip2(s, va), half_port(va % 2, 4, (b - 1) * s->side + k), SIDE,
                              chip2(s, vb), half_port(vb % 2, 4, a * s->side + k), SIDE);
                }
}

static void wire_rank2(struct topology *t)
{
    const struct shape *s = t->shape;
    for (unsigned leaf = 0; leaf < s->rank1; leaf++)
        for (unsigned u = 0; u < s->ups; u++) {
            const unsigned virtual = leaf / s->leaves * s->halves + u;
            topo_link(t, leaf, leaf_up(u), UP, chip2(s, virtual),
                      half_port(virtual % 2, 0, leaf % s->leaves), DOWN);
        }
}

static void wire_rank3(struct topology *t)
{
    const struct shape *s = t->shape;
    for (unsigned v2 = 0; v2 < s->rank2; v2++)
        for (unsigned k = 0; k < s->ups2 && v2 % s->halves < s->ups; k++) {
            const unsigned tree = v2 / s->halves, forest = tree / s->trees_of_one;
            const unsigned v3 = forest * s->rank3_of_one + v2 % s->halves * s->ups2 + k;
            topo_link(t, chip2(s, v2), half_port(v2 % 2, 4, k), UP, chip3(s, v3),
                      half_port(v3 % 2, 0, tree % s->trees_of_one), DOWN);
        }
}

static void wire_rank3_sides(struct topology *t)
{
    const struct shape *s = t->shape;
    for (unsigned v = 0; v < s->rank3_of_one; v++)
        for (unsigned a = 0; a < s->forests; a++)
            for (unsigned b = a + 1; b < s->forests; b++)
                for (unsigned k = 0; k < s->side; k++) {
                    const unsigned va = a * s->rank3_of_one + v, vb = b * s->rank3_of_one + v;
                    topo_link(t, chip3(s, va), half_port(va % 2, 4, (b - 1) * s->side + k), SIDE,
                              chip3(s, vb), half_port(vb % 2, 4, a * s->side + k), SIDE);
                }
}

/* ---- sizes ------------------------------------------------------------------------------------ */

static bool read_shape(struct shape *s, const unsigned *sizes, unsigned count)
{
    const unsigned fixed = s->rank == RANK_1   ? 1
                           : s->rank <= RANK_2 ? 2
                           : s->rank <= RANK_3 ? 3
                                               : 4;
    if (count != fixed && (s->rank == RANK_1 || count != fixed + 1))
        return false;
    s->forests = fixed == 4 ? sizes[0] : 1;
    s->trees_of_one = fixed >= 3 ? sizes[fixed - 3] : 1;
    s->trees = s->forests * s->trees_of_one;
    s->leaves = fixed == 1 ? 1 : sizes[fixed - 2];
    s->processors = sizes[fixed - 1];
    s->ups = s->rank == RANK_1 ? 0 : count > fixed ? sizes[fixed] : HALF;
    s->ups2 = s->rank >= RANK_2_5 ? QUARTER : 0;
    s->rank1 = s->trees * s->leaves;
    s->halves = s->rank > RANK_2 ? s->ups + s->ups % 2 : s->ups;
    s->rank2 = s->rank >= RANK_2 ? s->trees * s->halves : 0;
    s->rank3_of_one = s->rank >= RANK_3 ? s->ups * s->ups2 : 0;
    s->rank3 = s->forests * s->rank3_of_one;
    if (s->rank == RANK_1_5)
        s->side = s->leaves > 1 ? s->ups / (s->leaves - 1) : 0;
    if (s->rank == RANK_2_5)
        s->side = s->trees > 1 ? s->ups2 / (s->trees - 1) : 0;
    if (s->rank == RANK_3_5)
        s->side = s->forests > 1 ? QUARTER / (s->forests - 1) : 0;
    return true;
}

static const char *misfit(const struct shape *s)
{
    const unsigned most = s->rank == RANK_1_5 ? MOST_PEERS : s->rank == RANK_2 ? HALF : QUARTER;
    if (s->processors > HALF || s->ups > HALF)
        return "at most 32 processors and 32 uplinks at a rank-1 router";
    if (s->leaves > most)
        return "at most 9 subtrees in rank 1.5, 32 in rank 2, 16 in each subtree above";
    if (s->rank == RANK_2_5 && s->trees > MOST_PEERS)
        return "at most 9 rank-2 subtrees in rank 2.5";
    if (s->rank == RANK_3 && s->trees > HALF)
        return "at most 32 rank-2 subtrees in rank 3";
    if (s->rank == RANK_3_5 && (s->forests > MOST_PEERS || s->trees_of_one > QUARTER))
        return "at most 9 rank-3 subtrees of 16 rank-2 subtrees in rank 3.5";
    if (s->trees > MOST_FAR)
        return "at most 64 rank-2 subtrees, more have no place in the head flit";
    if (s->rank % 2 && s->side == 0)
        return "sidelinks need two subtrees or more and a link to each other one";
    return NULL;
}

static unsigned leaf_name(const struct shape *s, unsigned leaf, unsigned nears)
{
    return s->rank <= RANK_2 ? leaf * nears : leaf / s->leaves * nears + leaf % s->leaves;
}

static void name_routers(struct topology *t)
{
    const struct shape *s = t->shape;
    const unsigned nears = t->machine->nears;
    for (unsigned r = 0; r < t->routers; r++) {
        const unsigned rank = rank_of(s, r), tree = virtual_of(s, r, 0) / (s->halves + !s->halves);
        const bool below = rank == 2 && s->rank > RANK_2;
        t->here[r].global = rank == 1
                                ? leaf_name(s, r, nears)
                                : HERE_NO_NEAR | (below ? tree * nears : (unsigned)HERE_NO_FAR);
    }
    for (unsigned n = 0; n < t->nodes; n++) {
        const unsigned leaf = n / s->processors, i = n % s->processors;
        t->node[n] =
            (struct node){leaf, leaf_name(s, leaf, nears), i, 0, UINT64_C(1) << leaf_down(i)};
        t->ports[leaf][leaf_down(i)].kind = PORT_PROCESSOR;
    }
}

static struct topology *clos_new(const struct family_sizes *sizes, char error[TOPO_ERROR])
{
    static const unsigned longest[] = {
        [RANK_1] = 0, [RANK_1_5] = 1, [RANK_2] = 2, [RANK_2_5] = 3, [RANK_3] = 4, [RANK_3_5] = 5};
    struct shape s = {.rank = sizes->rank};
    if (!read_shape(&s, sizes->size, sizes->count)) {
        snprintf(error, TOPO_ERROR,
                 "clos: rank 1 takes a size, 1.5 and 2 two or three, 2.5 and 3 three or four, 3.5 "
                 "four or five");
        return NULL;
    }
    if (misfit(&s)) {
        snprintf(error, TOPO_ERROR, "clos: %s", misfit(&s));
        return NULL;
    }
    const unsigned routers = s.rank1 + (s.rank2 + 1) / 2 + (s.rank3 + 1) / 2;
    struct topology *t = topo_new(&machine_yarc, routers, s.rank1 * s.processors);
    t->shape = topo_copy(&s, sizeof s);
    t->kinds = kinds;
    t->longest = t->longest_minimal = longest[s.rank];
    t->first_vc[1] = 1;
    t->candidates = clos_candidates;
    t->hop = clos_hop;
    name_routers(t);
    if (s.rank == RANK_1_5)
        wire_leaf_sides(t);
    if (s.rank >= RANK_2)
        wire_rank2(t);
    if (s.rank == RANK_2_5)
        wire_rank2_sides(t);
    if (s.rank >= RANK_3)
        wire_rank3(t);
    if (s.rank == RANK_3_5)
        wire_rank3_sides(t);
    return t;
}

const struct family family_clos = {
    .name = "clos",
    .help = "  clos:1xP             one rank-1 router with P processors\n"
            "  clos:1.5xNxP[xU]     N rank-1 subtrees of P processors, joined by U sidelinks each "
            "(32)\n"
            "  clos:2xNxP[xU]       N rank-1 subtrees under rank 2, U uplinks each (32)\n"
            "  clos:2.5xMxNxP[xU]   M rank-2 subtrees of N rank-1 subtrees, joined by sidelinks\n"
            "  clos:3xMxNxP[xU]     M rank-2 subtrees under rank 3\n"
            "  clos:3.5xKxMxNxP[xU] K rank-3 subtrees of M rank-2 subtrees, joined by sidelinks\n",
    .ranked = true,
    .most = FAMILY_SIZES,
    .make = clos_new,
};
