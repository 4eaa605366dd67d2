// SPDX-License-Identifier: Apache-2.0
/*
 * router_tables.c - from ports to candidates, entries and writes on the configuration bus.
 *
 * A destination has four entries of two candidates in each table, and its candidates go round in them: with
 * four ports each stands in two entries. For our own router the entry is that of the destination's sub.
 */
#include "tb/system/router/router_tables.h"

#include "hls/router/input/route.h"
#include "hls/router/rtr_regs.h"

enum { DRAWS = 1 << ROUTE_DRAW_BITS };

/* Where the words go. */
struct tables {
    const struct golden_plan *plan;
    router_tables_writer *write;
    void *to;
};

static void write_word(const struct tables *t, enum route_kind kind, unsigned index, uint64_t data)
{
    const uint64_t word = (uint64_t)kind << 61 | (uint64_t)index << 48 | data;
    t->write(t->to, RTR_REG_ALL | RTR_REG_ROUTE, word);
}

/* The first port of *ports as a candidate, with two steps all of its column and type; takes them off. */
static struct route_candidate next_candidate(const struct golden_plan *p, uint64_t *ports)
{
    const unsigned first = (unsigned)__builtin_ctzll(*ports);
    struct route_candidate c = {
        .valid = 1, .type = (u2)p->type[first], .col = (rtr_col)(first % RTR_COLS)};
#if RTR_TWO_STEP
    for (unsigned port = first; port < RTR_PORTS; port += RTR_COLS) {
        if ((*ports >> port & 1) && p->type[port] == p->type[first]) {
            c.rows |= (u8)(1 << port / RTR_COLS);
            *ports &= ~(UINT64_C(1) << port);
        }
    }
#else
    c.row = (rtr_row)(first / RTR_COLS);
    *ports &= *ports - 1;
#endif
    return c;
}

/* All candidates of a destination; how many. */
static unsigned candidates(const struct golden_plan *p, uint64_t ports,
                           struct route_candidate list[2 * DRAWS])
{
    unsigned count = 0;
    while (ports && count < 2 * DRAWS)
        list[count++] = next_candidate(p, &ports);
    return count;
}

static route_entry entry_of(const struct route_candidate *list, unsigned count, unsigned draw)
{
    if (count == 0)
        return 0;
    const struct route_candidate second =
        count > 1 ? list[(2 * draw + 1) % count] : (struct route_candidate){0};
    return route_entry_pack(list[2 * draw % count], second);
}

static void write_route(const struct tables *t, route_way way, const struct golden_route *route)
{
    for (unsigned n = 0; n < 2; n++) {
        struct route_candidate list[2 * DRAWS] = {0};
        const unsigned count = candidates(t->plan, n ? route->nonminimal : route->minimal, list);
        for (unsigned draw = 0; count > 0 && draw < DRAWS; draw++)
            write_word(t, n ? ROUTE_NONMINIMAL : ROUTE_MINIMAL, route_index_of(way, (u2)draw),
                       entry_of(list, count, draw));
    }
}

/* Our own router: an entry per sub. */
static void write_here(const struct tables *t)
{
    const struct golden_plan *p = t->plan;
    for (unsigned sub = 0; sub < DRAWS; sub++) {
        struct route_candidate list[2 * DRAWS] = {0};
        const unsigned count = candidates(p, p->here[sub].minimal, list);
        if (count > 0)
            write_word(t, ROUTE_MINIMAL,
                       route_index_of(route_way_local((rtr_local)p->local), (u2)sub),
                       entry_of(list, count, 0));
    }
}

static void write_map(const struct tables *t)
{
    const struct golden_plan *p = t->plan;
    const unsigned phases = 1u << p->machine->field[PACKET_PHASE].width;
    unsigned types = 0; /* that ports have */
    for (unsigned port = 0; port < RTR_PORTS; port++)
        types |= 1u << p->type[port];
    for (unsigned i = 0; i < 2 * PLAN_TYPES * PLAN_VCS * PLAN_PHASES; i++) {
        const unsigned phase = i % PLAN_PHASES, vc = i / PLAN_PHASES % PLAN_VCS;
        const unsigned type = i / PLAN_PHASES / PLAN_VCS % PLAN_TYPES;
        const unsigned nonminimal = i / PLAN_PHASES / PLAN_VCS / PLAN_TYPES;
        const struct golden_hop *hop = &p->vc_map[nonminimal][type][vc][phase];
        if (phase < phases && vc < RTR_VCS && (types >> type & 1))
            write_word(t, ROUTE_VC_MAP,
                       route_map_index_of((u1)nonminimal, (u2)type, (rtr_vc)vc, (rtr_phase)phase),
                       route_map_pack((u3)hop->vc, (rtr_phase)hop->phase));
    }
}

void router_tables_write(const struct golden_plan *p, const uint8_t bias[4],
                         router_tables_writer *write, void *to)
{
    const struct tables t = {.plan = p, .write = write, .to = to};
    const struct packet_bits *f = p->machine->field;
    uint64_t biases = 0;
    for (unsigned i = 0; i < 4; i++)
        biases |= (uint64_t)bias[i] << 7 * i;
    write_word(&t, ROUTE_BIAS, 0, biases);
    write_word(&t, ROUTE_HERE, 0, (uint64_t)p->global << f[PACKET_LOCAL].width | p->local);
    const unsigned near = f[PACKET_NEAR].width;
    for (unsigned g = 0; g < 1u << (f[PACKET_GLOBAL].width - near); g++)
        write_route(&t, route_way_far((route_far)g), &p->to_group[g]);
    for (unsigned n = 0; near && n < 1u << near; n++)
        write_route(&t, route_way_near((route_near)n), &p->to_near[n]);
    for (unsigned l = 0; l < 1u << f[PACKET_LOCAL].width; l++)
        if (l != p->local)
            write_route(&t, route_way_local((rtr_local)l), &p->in_group[l]);
    write_here(&t);
    write_map(&t);
}

void router_tables_route(const struct golden_plan *p, unsigned local, uint64_t ports,
                         router_tables_writer *write, void *to)
{
    const struct tables t = {.plan = p, .write = write, .to = to};
    const struct golden_route route = {.minimal = ports};
    write_route(&t, route_way_local((rtr_local)local), &route);
}

uint64_t router_tables_tiles(unsigned first, unsigned count)
{
    uint64_t ports = RTR_PROCESSORS, tiles = 0;
    for (unsigned i = 0; i < first + count; i++) {
        tiles |= i < first ? 0 : ports & -ports;
        ports &= ports - 1;
    }
    return tiles;
}
