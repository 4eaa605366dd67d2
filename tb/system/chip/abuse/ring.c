// SPDX-License-Identifier: Apache-2.0
/*
 * ring.c - cables, tables and resets of the ring.
 */
#include "tb/system/chip/abuse/ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/system/router/router_bench.h"
#include "tb/system/router/router_tables.h"

enum { NEXT = 0, BEFORE = 1, LINKS = 2, UP = 30000, DELAY = 8 };

uint32_t ring_address(unsigned node)
{
    return (uint32_t)RING_GROUP << 10 | node / CHIP_NICS << 2 | node % CHIP_NICS;
}

uint32_t ring_rogue(unsigned sub)
{
    return (uint32_t)RING_GROUP << 10 | (uint32_t)RING_ROGUE << 2 | sub;
}

const struct nic *ring_nic(const struct ring *r, unsigned node)
{
    return &r->chip[node / CHIP_NICS].nic[node % CHIP_NICS];
}

/* ---- ways ------------------------------------------------------------------------------------------- */

/* The link by which a part sends to another. */
static unsigned first_link(unsigned from, unsigned to)
{
    unsigned ahead = (to - from) % RING_PARTS;

    if (ahead == 2) { /* opposite: chips 0 and 2 by the rogue, it and chip 1 by chip 0 */
        unsigned by = from == 0 || from == 2 ? RING_ROGUE : 0;

        ahead = (by - from) % RING_PARTS;
    }
    return ahead == 1 ? NEXT : BEFORE;
}

static unsigned neighbour(unsigned part, unsigned link)
{
    return (part + (link == NEXT ? 1 : RING_PARTS - 1)) % RING_PARTS;
}

static unsigned cable_of(unsigned part, unsigned link)
{
    return link == NEXT ? part : (part + RING_PARTS - 1) % RING_PARTS;
}

bool ring_passes(unsigned from, unsigned to, unsigned cable)
{
    bool passes = false;

    while (from != to) {
        unsigned link = first_link(from, to);

        passes = passes || cable_of(from, link) == cable;
        from = neighbour(from, link);
    }
    return passes;
}

/* ---- a clock ---------------------------------------------------------------------------------------- */

static const struct device_out *out_of(const struct ring *r, unsigned part)
{
    return part == RING_ROGUE ? &r->rogue.out : &r->chip[part].device.out;
}

static const struct cable_out *cable_out(const struct ring *r, unsigned part, unsigned link)
{
    return part == RING_ROGUE ? &r->rogue.out.cable[link] : &r->chip[part].out.cable[link];
}

static struct cable_in *cable_in(struct ring *r, unsigned part, unsigned link)
{
    return part == RING_ROGUE ? &r->rogue_in.cable_in[link] : &r->in[part].cable_in[link];
}

static void carry(struct channel *way, const struct cable_out *out, struct cable_in *in)
{
    const uint16_t lane[CHANNEL_LANES] = {out->lane[0], out->lane[1], out->lane[2]};
    struct channel_symbol symbol[CHANNEL_LANES];

    channel_step(way, lane, symbol);
    *in = (struct cable_in){0};
    for (unsigned k = 0; k < CHANNEL_LANES; k++) {
        in->lane_valid |= (u3)((u3)symbol[k].valid << k);
        in->lane_up |= (u3)((u3)symbol[k].up << k);
        in->lane[k] = symbol[k].data;
    }
}

static void join_cables(struct ring *r)
{
    for (unsigned c = 0; c < RING_PARTS; c++) {
        unsigned far = (c + 1) % RING_PARTS;

        carry(&r->cable[c].way[0], cable_out(r, c, NEXT), cable_in(r, far, BEFORE));
        carry(&r->cable[c].way[1], cable_out(r, far, BEFORE), cable_in(r, c, NEXT));
    }
}

static enum link_state link_state(const struct ring *r, unsigned part, unsigned link)
{
    return part == RING_ROGUE ? r->rogue.out.status[link].state
                              : r->chip[part].out.status[link].state;
}

/* Management restarts a dead link whose cable is in, within 64 clocks. */
static void manage(struct ring *r, unsigned part)
{
    for (unsigned l = 0; l < LINKS; l++) {
        struct link_manage *m =
            part == RING_ROGUE ? &r->rogue_in.manage[l] : &r->in[part].manage[l];

        m->restart = r->clock % 64 == 0 && link_state(r, part, l) == LINK_DEAD &&
                     cable_in(r, part, l)->lane_up != 0;
    }
}

/* The next write of a router's tables is held on the bus until the answer. */
static void drive_bus(struct ring *r, unsigned part)
{
    struct reg_request *bus = part == RING_ROGUE ? &r->rogue_in.bus : &r->in[part].bus;
    struct ring_tables *t = &r->tables[part];

    if (bus->valid && out_of(r, part)->bus.ready) {
        *bus = (struct reg_request){0};
        t->at++;
    } else if (!bus->valid && t->at != t->count) {
        const struct ring_write *w = &t->write[t->at];

        *bus = (struct reg_request){.valid = 1, .write = 1, .addr = w->address, .wdata = w->data};
    }
}

void ring_clock(struct ring *r)
{
    join_cables(r);
    for (unsigned i = 0; i < RING_PARTS; i++) {
        manage(r, i);
    }
    for (unsigned i = 0; i < RING_CHIPS; i++) {
        chip(&r->chip[i], &r->in[i]);
    }
    device(&r->rogue, &r->rogue_in);
    for (unsigned i = 0; i < RING_PARTS; i++) {
        drive_bus(r, i);
    }
    r->clock++;
}

bool ring_up(const struct ring *r)
{
    bool up = true;

    for (unsigned i = 0; i < RING_PARTS; i++) {
        up = up && r->tables[i].at == r->tables[i].count;
        for (unsigned l = 0; l < LINKS; l++) {
            up = up && link_state(r, i, l) == LINK_RUN;
        }
    }
    return up;
}

void ring_pull(struct ring *r, unsigned cable, bool out)
{
    struct ring_cable *c = &r->cable[cable];

    c->out = out;
    for (unsigned k = 0; k < 2 * CHANNEL_LANES; k++) {
        channel_lane(&c->way[k % 2], k / 2, out ? LANE_DOWN : LANE_GOOD);
    }
}

void ring_reset_chip(struct ring *r, unsigned chip)
{
    chip_reset(&r->chip[chip]);
    r->in[chip].bus = (struct reg_request){0};
    r->tables[chip].at = 0;
}

void ring_hold_nic(struct ring *r, unsigned node, bool hold)
{
    r->in[node / CHIP_NICS].nic_rst[node % CHIP_NICS] = hold;
}

/* ---- begin ------------------------------------------------------------------------------------------ */

static void add_write(void *to, unsigned address, uint64_t data)
{
    struct ring_tables *t = to;

    if (t->count % 1024 == 0) {
        struct ring_write *more = realloc(t->write, (t->count + 1024) * sizeof(*more));

        if (more == NULL) {
            abort();
        }
        t->write = more;
    }
    t->write[t->count++] = (struct ring_write){(uint16_t)address, data};
}

static void make_tables(struct ring *r, unsigned part)
{
    struct golden_plan plan;
    const uint8_t bias[4] = {0};

    golden_plan_start(&plan, router_bench_machine(), RING_GROUP, part);
    for (unsigned sub = 0; sub < CHIP_NICS || (part == RING_ROGUE && sub < 4); sub++) {
        plan.here[sub].minimal = part == RING_ROGUE
                                     ? router_tables_tiles(0, 1)
                                     : router_tables_tiles(sub / NL_NICS * NL_TILES, NL_TILES);
    }
    for (unsigned to = 0; to < RING_PARTS; to++) {
        if (to != part) {
            plan.in_group[to].minimal = (uint64_t)1 << first_link(part, to);
        }
    }
    router_tables_write(&plan, bias, add_write, &r->tables[part]);
}

struct ring *ring_new(uint64_t seed)
{
    static const struct channel_config cable = {.delay = DELAY};
    struct ring *r = calloc(1, sizeof(*r));

    if (r == NULL) {
        abort();
    }
    for (unsigned i = 0; i < RING_PARTS; i++) {
        channel_start(&r->cable[i].way[0], &cable, &r->cable[i].way[1], seed + 2 * i);
        channel_start(&r->cable[i].way[1], &cable, &r->cable[i].way[0], seed + 2 * i + 1);
        make_tables(r, i);
    }
    for (unsigned i = 0; i < RING_CHIPS; i++) {
        chip_reset(&r->chip[i]);
        r->in[i].number = (u16)(i + 1);
    }
    device_reset(&r->rogue);
    r->rogue_in.chip = RING_ROGUE + 1;
    while (!ring_up(r)) {
        if (r->clock > UP) {
            fprintf(stderr, "ring: the links do not come up within %d clocks\n", UP);
            exit(1);
        }
        ring_clock(r);
    }
    return r;
}

void ring_free(struct ring *r)
{
    for (unsigned i = 0; i < RING_PARTS; i++) {
        free(r->tables[i].write);
    }
    free(r);
}

void ring_restore(struct ring *r, const struct ring *kept)
{
    memcpy(r, kept, sizeof(*r));
}
