// SPDX-License-Identifier: Apache-2.0
/*
 * dragonfly.c - the Cray XC dragonfly of aries routers (white paper WP-Aries01-1112).
 *
 * A group is a matrix of chassis x slots. Green links join all routers of a chassis, black links, three
 * per pair, all routers of a slot; 10 global links per router go to the other groups, in bundles of equal
 * size, four links to a cable and two of those on each router of a pair where the sizes allow it.
 *
 * Ports: each column of the matrix of tiles holds one kind of link, so that no row buffer mixes kinds.
 *
 *     columns 0-2   15 green, 5 rows      columns 6-7   10 global
 *     columns 3-5   15 black              row 5         8 processor ports, 0-3 of NIC 0 and 1
 *
 * Where 16 ports are enough, groups are one chassis of a16 routers, 4 x 4 tiles: columns 0 and 1 green, 2 global, 3 processors.
 *
 * Routes. A minimal route takes green, black, global, green, black, at most one of each, in this order; which
 * global link of the bundle, the draw decides, but a router with links of its own to that group uses those.
 * A non-minimal route goes up first, each step again a free choice between going on and turning down:
 * green, black and, from any router of the group, global to any third group, there green or black; and then
 * minimally down. So at most 4 links up and 5 down. Only one of green and black at the end, because the table of a
 * green port cannot tell a packet of this group from one that came by a global link, and would send that on by a second.
 *
 * VCs. The level of a packet (0 to 3 in its class) rises when the next link's kind does not come after
 * the last one's in the order green, black, global. Within a level kinds only rise, so the channel
 * dependency graph is acyclic. It rises on the way to a processor, too: the processor port stands in a column
 * with links, and behind a packet of the same VC for one of those a packet may only wait as if it took
 * that link itself. Green and black up in the source group are level 0, in another group level 1; phase
 * bit 0 is set when the level rises and by the first link in another group: the way up ends there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/net/families.h"

enum { GREEN = PORT_LINK, BLACK, GLOBAL };
enum { MOST_GROUPS = 241, MOST_CHASSIS = 6, MOST_SLOTS = 16, BLACKS = 3, NICS = 4 };
enum { LEVELS = 4, LOCALS = MOST_CHASSIS * MOST_SLOTS, CABLE = 4 };

static const char *const kinds[] = {"unused", "processor", "green", "black", "global", NULL};

/* Where the ports of a machine stand, and what it has room for. */
struct layout {
    const struct machine *machine;
    unsigned chassis, slots, links; /* at most */
    unsigned greens, global,
        globals; /* columns of green ports from 0 on; of global ones: the first, how many */
    unsigned processor, processors, way,
        shared; /* the first, how many, how far apart; of which so many are one pair's of NICs */
};

static const struct layout aries = {
    &machine_aries, MOST_CHASSIS, MOST_SLOTS, 10, 3, 6, 2, 40, 8, 1, 4};
static const struct layout a16 = {&machine_a16, 1, 9, 4, 2, 2, 1, 3, 4, 4, 1};

struct shape {
    const struct layout *at;
    unsigned groups, chassis, slots, links;
    unsigned locals; /* routers of a group */
    unsigned pairs;  /* of routers that share cables */
    unsigned bundle; /* links between two groups */
    bool cables;     /* links come in fours */
    /* gate[p][l]: router l of a group has a link to the group p + 1 places on */
    bool gate[MOST_GROUPS][LOCALS];
};

/* ---- ports ------------------------------------------------------------------------------------ */

static unsigned port_at(const struct shape *s, unsigned row, unsigned col)
{
    return row * s->at->machine->cols + col;
}

/* To another slot of this chassis. */
static unsigned green_port(const struct shape *s, unsigned from, unsigned to)
{
    const unsigned k = to < from ? to : to - 1, cols = s->at->greens;
    return port_at(s, k / cols, k % cols);
}

/* To the same slot of another chassis. */
static unsigned black_port(const struct shape *s, unsigned from, unsigned to, unsigned link)
{
    return port_at(s, to < from ? to : to - 1, s->at->greens + link);
}

static unsigned global_port(const struct shape *s, unsigned k)
{
    return port_at(s, k / s->at->globals, s->at->global + k % s->at->globals);
}

static unsigned processor_port(const struct shape *s, unsigned k)
{
    return s->at->processor + k * s->at->way;
}

static uint64_t black_ports(const struct shape *s, unsigned from, unsigned to)
{
    return UINT64_C(7) << black_port(s, from, to, 0);
}

/* All ports of a router that are of one kind. */
static uint64_t ports_of(const struct topology *t, unsigned router, unsigned kind)
{
    uint64_t ports = 0;
    for (unsigned p = 0; p < t->machine->ports; p++)
        ports |= (uint64_t)(t->ports[router][p].kind == kind) << p;
    return ports;
}

/* Global ports of a router that lead to a group, or (others) to any but that one. */
static uint64_t global_ports(const struct topology *t, unsigned router, unsigned group, bool others)
{
    const struct shape *s = t->shape;
    uint64_t ports = 0;
    for (unsigned k = 0; k < s->links; k++) {
        const int32_t peer = t->ports[router][global_port(s, k)].router;
        if (peer != TOPO_NOBODY && ((unsigned)peer / s->locals == group) != others)
            ports |= UINT64_C(1) << global_port(s, k);
    }
    return ports;
}

/* ---- tables ----------------------------------------------------------------------------------- */

/* Towards another router of the group: green before black. */
static void minimal_local(const struct topology *t, const struct question *q,
                          struct candidate_list *list)
{
    const struct shape *s = t->shape;
    const unsigned here = q->router % s->locals;
    const unsigned chassis = here / s->slots, slot = here % s->slots;
    const unsigned to_chassis = q->index / s->slots, to_slot = q->index % s->slots;
    if (slot != to_slot)
        topo_add_ports(t, list, UINT64_C(1) << green_port(s, slot, to_slot),
                       GREEN - PORT_PROCESSOR);
    else
        topo_add_ports(t, list, black_ports(s, chassis, to_chassis), BLACK - PORT_PROCESSOR);
}

/* Towards the routers of the group that have a link to group `to`; those of this slot by black. */
static void minimal_global(const struct topology *t, const struct question *q,
                           struct candidate_list *list)
{
    const struct shape *s = t->shape;
    const unsigned here = q->router % s->locals, group = q->router / s->locals;
    const unsigned chassis = here / s->slots, slot = here % s->slots;
    const bool *gate = s->gate[(q->index + s->groups - group - 1) % s->groups];
    uint64_t green = 0, black = 0;

    if (gate[here]) {
        topo_add_ports(t, list, global_ports(t, q->router, q->index, false),
                       GLOBAL - PORT_PROCESSOR);
        return;
    }
    for (unsigned l = 0; l < s->locals; l++) {
        if (!gate[l])
            continue;
        if (l % s->slots == slot)
            black |= black_ports(s, chassis, l / s->slots);
        else
            green |= UINT64_C(1) << green_port(s, slot, l % s->slots);
    }
    topo_add_ports(t, list, black, BLACK - PORT_PROCESSOR);
    if (black == 0 || t->ports[q->router][q->port].kind != GREEN)
        topo_add_ports(t, list, green, GREEN - PORT_PROCESSOR);
}

/* Links of a router of one kind behind which a packet for this group can still go up to a third one. */
static uint64_t candidates_up(const struct topology *t, unsigned router, unsigned kind,
                              unsigned group)
{
    uint64_t ports = ports_of(t, router, kind), useful = 0;
    for (uint64_t left = ports; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const unsigned peer = (unsigned)t->ports[router][port].router;
        if (global_ports(t, peer, group, true) != 0 ||
            (kind == GREEN && candidates_up(t, peer, BLACK, group) != 0))
            useful |= UINT64_C(1) << port;
    }
    return useful;
}

/* Up: where to go on from a port of this kind. */
static void nonminimal(const struct topology *t, const struct question *q,
                       struct candidate_list *list)
{
    const struct shape *s = t->shape;
    const unsigned from = t->ports[q->router][q->port].kind;
    const bool green = from == PORT_PROCESSOR || (from == GLOBAL && !q->local);
    const bool black = green || from == GREEN;
    const bool any =
        q->local || from == GLOBAL || s->groups == 2; /* or only towards a third group */
    const uint64_t greens =
        any ? ports_of(t, q->router, GREEN) : candidates_up(t, q->router, GREEN, q->index);
    const uint64_t blacks =
        any ? ports_of(t, q->router, BLACK) : candidates_up(t, q->router, BLACK, q->index);
    if (green)
        topo_add_ports(t, list, greens, GREEN - PORT_PROCESSOR);
    if (black)
        topo_add_ports(t, list, blacks, BLACK - PORT_PROCESSOR);
    if (!q->local && from != GLOBAL)
        topo_add_ports(t, list, global_ports(t, q->router, q->index, true),
                       GLOBAL - PORT_PROCESSOR);
}

/* aries: four ports of each pair of NICs; a16: one of each. */
static uint64_t nic_ports(const struct shape *s, unsigned nic)
{
    const unsigned shared = s->at->shared;
    return ((UINT64_C(1) << shared) - 1) << processor_port(s, shared > 1 ? nic / 2 * shared : nic);
}

static void dragonfly_candidates(const struct topology *t, const struct question *q,
                                 struct candidate_list *list)
{
    const struct shape *s = t->shape;
    const struct here *here = &t->here[q->router];
    const bool own = q->local && q->index == here->local;
    if (q->local ? q->index >= s->locals : q->index >= s->groups || q->index == here->global)
        return;
    if (own && !q->nonminimal)
        topo_add_ports(t, list, nic_ports(s, q->sub), 0);
    else if (q->nonminimal && !own)
        nonminimal(t, q, list);
    else if (q->local && !own)
        minimal_local(t, q, list);
    else if (!own)
        minimal_global(t, q, list);
}

static struct hop dragonfly_hop(const struct topology *t, unsigned router, unsigned port,
                                bool nonminimal, unsigned type, unsigned vc, unsigned phase)
{
    const unsigned from = t->ports[router][port].kind, to = type + PORT_PROCESSOR;
    const unsigned level = vc % LEVELS, top = LEVELS - 1;
    const bool rises = to <= from && from != PORT_PROCESSOR; /* and for every processor */
    const bool down = phase & 1 || rises || from == GLOBAL;

    (void)nonminimal;
    return (struct hop){.vc = vc - level + (level + rises > top ? top : level + rises),
                        .phase = down && to != PORT_PROCESSOR};
}

/* ---- wiring ----------------------------------------------------------------------------------- */

static void wire_group(struct topology *t, unsigned group)
{
    const struct shape *s = t->shape;
    for (unsigned l = 0; l < s->locals; l++) {
        const unsigned router = group * s->locals + l, chassis = l / s->slots, slot = l % s->slots;
        for (unsigned peer = slot + 1; peer < s->slots; peer++)
            topo_link(t, router, green_port(s, slot, peer), GREEN, router + peer - slot,
                      green_port(s, peer, slot), GREEN);
        for (unsigned peer = chassis + 1; peer < s->chassis; peer++)
            for (unsigned k = 0; k < BLACKS; k++)
                topo_link(t, router, black_port(s, chassis, peer, k), BLACK,
                          router + (peer - chassis) * s->slots, black_port(s, peer, chassis, k),
                          BLACK);
        for (unsigned k = 0; k < s->at->processors; k++)
            t->ports[router][processor_port(s, k)].kind = PORT_PROCESSOR;
    }
}

/* Router and port of link k of the bundle to the group p + 1 places on. */
static void bundle_end(const struct shape *s, unsigned p, unsigned k, unsigned *local,
                       unsigned *port)
{
    if (s->cables) {
        const unsigned cable = k / CABLE * (s->groups - 1) + p, pairs = s->pairs;
        *local = cable % pairs * 2 + k % 2;
        *port = global_port(s, cable / pairs * 2 + k % CABLE / 2);
    } else {
        const unsigned link = k * (s->groups - 1) + p;
        *local = link % s->locals;
        *port = global_port(s, link / s->locals);
    }
}

static void wire_globals(struct topology *t)
{
    struct shape *s = t->shape;
    for (unsigned a = 0; a < s->groups; a++) {
        for (unsigned b = a + 1; b < s->groups; b++) {
            for (unsigned k = 0; k < s->bundle; k++) {
                unsigned al, ap, bl, bp;
                bundle_end(s, b - a - 1, k, &al, &ap);
                bundle_end(s, s->groups + a - b - 1, k, &bl, &bp);
                topo_link(t, a * s->locals + al, ap, GLOBAL, b * s->locals + bl, bp, GLOBAL);
                s->gate[b - a - 1][al] = true;
                s->gate[s->groups + a - b - 1][bl] = true;
            }
        }
    }
}

static bool fits(struct shape *s, char error[TOPO_ERROR])
{
    s->locals = s->chassis * s->slots;
    s->pairs = (s->locals + 1) / 2;
    s->bundle = s->groups > 1 ? s->locals * s->links / (s->groups - 1) : 0;
    s->cables = s->bundle >= CABLE && s->locals % 2 == 0 && s->links % 2 == 0;
    if (s->cables)
        s->bundle -= s->bundle % CABLE;
    if (s->groups > MOST_GROUPS || s->chassis > s->at->chassis || s->slots > s->at->slots ||
        s->links > s->at->links)
        snprintf(
            error, TOPO_ERROR,
            "dragonfly: at most %d groups of %u chassis of %u %s routers with %u global links each",
            MOST_GROUPS, s->at->chassis, s->at->slots, s->at->machine->name, s->at->links);
    else if (s->groups > 1 && s->bundle == 0)
        snprintf(error, TOPO_ERROR, "dragonfly: %u global links of a group do not reach %u others",
                 s->locals * s->links, s->groups - 1);
    else
        return true;
    return false;
}

static struct topology *dragonfly_new(const struct layout *at, const struct family_sizes *sizes,
                                      char error[TOPO_ERROR])
{
    struct shape s = {.at = at};
    if (sizes->count < 3) {
        snprintf(error, TOPO_ERROR, "dragonfly: three or four sizes, GROUPSxCHASSISxSLOTS[xLINKS]");
        return NULL;
    }
    s.groups = sizes->size[0];
    s.chassis = sizes->size[1];
    s.slots = sizes->size[2];
    s.links = sizes->count > 3 ? sizes->size[3] : s.at->links;
    if (!fits(&s, error))
        return NULL;

    const unsigned routers = s.groups * s.locals;
    struct topology *t = topo_new(s.at->machine, routers, routers * NICS);
    t->shape = topo_copy(&s, sizeof s);
    t->kinds = kinds;
    t->period = s.locals;
    t->longest_minimal = 5;
    t->longest = 10;
    t->first_vc[1] = LEVELS;
    t->candidates = dragonfly_candidates;
    t->hop = dragonfly_hop;
    for (unsigned r = 0; r < routers; r++) {
        t->here[r] = (struct here){r / s.locals, r % s.locals};
        for (unsigned n = 0; n < NICS; n++)
            t->node[r * NICS + n] =
                (struct node){r, r / s.locals, r % s.locals, n, nic_ports(&s, n)};
    }
    for (unsigned g = 0; g < s.groups; g++)
        wire_group(t, g);
    wire_globals(t);
    return t;
}

static struct topology *of_aries(const struct family_sizes *sizes, char error[TOPO_ERROR])
{
    return dragonfly_new(&aries, sizes, error);
}

static struct topology *of_a16(const struct family_sizes *sizes, char error[TOPO_ERROR])
{
    return dragonfly_new(&a16, sizes, error);
}

const struct family family_dragonfly = {
    .name = "dragonfly",
    .help = "  dragonfly:GxCxS[xL]  G groups of C chassis of S routers, L global links each (10)\n",
    .most = 4,
    .make = of_aries,
};

const struct family family_dragonfly16 = {
    .name = "dragonfly16",
    .help =
        "  dragonfly16:Gx1xS[xL]  the same of routers with 16 ports: S up to 9, L up to 4 (4)\n",
    .most = 4,
    .make = of_a16,
};
