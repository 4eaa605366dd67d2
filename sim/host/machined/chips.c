// SPDX-License-Identifier: Apache-2.0
/*
 * chips.c - chips in a row: cables, tables, clocks, and a node's NIC as software reaches it.
 */
#include "sim/host/machined/chips_inside.h"

#include <stdlib.h>
#include <string.h>

#include "router/input/route.h"
#include "router/rtr_regs.h"

static_assert(CHIP_NICS == 1 && RTR_LINKS == 2, "a chip of this row has a NIC and two links");

enum { GROUP = 0, LINKS_UP = 60000, PATIENCE = 1 << 20, NODE_LOCAL_AT = 2 };

/* ---- cables ----------------------------------------------------------------------------------------- */

/* The other end of a cable: the same link of the other of two chips; in a longer row link 1 goes up, link 0 down. */
static bool peer(const struct chips *c, unsigned chip, unsigned link, unsigned *to, unsigned *at)
{
    if (c->config.chips == 2) {
        *to = 1 - chip;
        *at = link;
        return true;
    }
    *to = link != 0 ? chip + 1 : chip - 1;
    *at = 1 - link;
    return *to < c->config.chips;
}

static void join_cables(struct chips *c)
{
    const unsigned now = c->clock % CHIPS_CABLE,
                   then = (c->clock + CHIPS_CABLE - c->config.cable) % CHIPS_CABLE;
    for (unsigned i = 0; i < c->config.chips; i++)
        for (unsigned l = 0; l < RTR_LINKS; l++)
            c->end[i].cable[l][now] = c->end[i].chip.out.cable[l];
    for (unsigned i = 0; i < c->config.chips; i++)
        for (unsigned l = 0; l < RTR_LINKS; l++) {
            unsigned to = 0, at = 0;
            if (!peer(c, i, l, &to, &at))
                continue;
            struct cable_in *in = &c->end[i].in.cable_in[l];
            in->lane_valid = 7;
            in->lane_up = 7;
            memcpy(in->lane, c->end[to].cable[at][then].lane, sizeof in->lane);
        }
}

static uint64_t draw(struct chips *c, uint64_t below)
{
    c->draw = c->draw * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (c->draw >> 33) % below;
}

static void plan_error(struct chips *c)
{
    const uint64_t cables = c->config.chips * RTR_LINKS,
                   apart = UINT64_C(1000000) / c->config.errors / cables;
    c->next_error = c->clock + 1 + draw(c, 2 * apart + 1);
}

uint64_t chips_errors(const struct chips *c)
{
    return c->errors;
}

/* One bit on its way into one link. */
static void spoil(struct chips *c)
{
    struct chip_in *in = &c->end[draw(c, c->config.chips)].in;
    struct cable_in *cable = &in->cable_in[draw(c, RTR_LINKS)];
    cable->lane[draw(c, LANES)] ^= (u16)(1u << draw(c, 16));
    c->errors++;
    plan_error(c);
}

/* ---- clocks ------------------------------------------------------------------------------------------ */

void chips_clock(struct chips *c)
{
    join_cables(c);
    if (c->next_error != 0 && c->clock >= c->next_error)
        spoil(c);
    for (unsigned i = 0; i < c->config.chips; i++) {
        struct chips_end *e = &c->end[i];
        chips_axi(&e->node, &e->chip.out, &e->in);
        chips_step(e);
    }
    c->clock++;
}

uint64_t chips_clocks(const struct chips *c)
{
    return c->clock;
}

static bool is_busy(const struct chips_end *e)
{
    const struct chips_node *n = &e->node;
    const struct nic *nic = &e->chip.nic[0];
    return n->stores_in != n->stores_done || n->reg.valid || n->writes.count != 0 ||
           n->reads.count != 0 ||
           !(nic->initiator.out.idle & nic->target.out.idle & nic->bte.out.idle);
}

bool chips_busy(const struct chips *c)
{
    bool busy = false;
    for (unsigned i = 0; i < c->config.chips; i++)
        busy |= is_busy(&c->end[i]);
    return busy;
}

/* ---- routing tables ----------------------------------------------------------------------------------- */

static void write_router(struct chips *c, unsigned chip, enum route_kind kind, unsigned index,
                         uint64_t data)
{
    struct chips_end *e = &c->end[chip];
    e->in.bus = (struct reg_request){.valid = 1,
                                     .write = 1,
                                     .addr = RTR_REG_ALL | RTR_REG_ROUTE,
                                     .wdata = (uint64_t)kind << 61 | (uint64_t)index << 48 | data};
    while (!e->chip.out.bus.ready)
        chips_clock(c);
    chips_clock(c);
    e->in.bus = (struct reg_request){0};
    chips_clock(c);
}

/* Both candidates of an entry: ports, or one of them twice. */
static route_entry entry(unsigned first, unsigned second)
{
    const struct route_candidate one = {.valid = 1,
                                        .col = (rtr_col)(first % RTR_COLS),
                                        .row = (rtr_row)(first / RTR_COLS)},
                                 two = {.valid = first != second,
                                        .col = (rtr_col)(second % RTR_COLS),
                                        .row = (rtr_row)(second / RTR_COLS)};
    return route_entry_pack(one, two);
}

static void write_tables(struct chips *c, unsigned chip)
{
    write_router(c, chip, ROUTE_BIAS, 0, 0);
    write_router(c, chip, ROUTE_HERE, 0, (uint64_t)GROUP << RTR_LOCAL_BITS | chip);
    for (unsigned to = 0; to < c->config.chips; to++) {
        const unsigned up = to > chip, both = c->config.chips == 2;
        const route_entry e = to == chip ? entry(RTR_LINKS, RTR_LINKS + NL_TILES - 1)
                              : both     ? entry(0, 1)
                                         : entry(up, up);
        for (unsigned draw = 0; draw < 1 << ROUTE_DRAW_BITS; draw++)
            if (to != chip || draw == 0) /* at its own router the draw is the NIC: 0 alone */
                write_router(c, chip, ROUTE_MINIMAL,
                             route_index_of(route_way_local((rtr_local)to), (u2)draw), e);
    }
    /* A packet keeps its VC: a row has no circle. */
    for (unsigned n = 0; n < 2; n++)
        for (unsigned vc = 0; vc < RTR_VCS; vc++)
            for (unsigned phase = 0; phase < 1 << RTR_PHASE_BITS; phase++)
                write_router(c, chip, ROUTE_VC_MAP,
                             route_map_index_of((u1)n, 0, (rtr_vc)vc, (rtr_phase)phase),
                             route_map_pack((u3)vc, (rtr_phase)phase));
}

static bool links_up(const struct chips *c)
{
    bool up = true;
    for (unsigned i = 0; i < c->config.chips; i++)
        for (unsigned l = 0; l < RTR_LINKS; l++) {
            unsigned to = 0, at = 0;
            up &= !peer(c, i, l, &to, &at) || c->end[i].chip.out.status[l].state == LINK_RUN;
        }
    return up;
}

/* ---- begin and end ------------------------------------------------------------------------------------- */

void chips_free(struct chips *c)
{
    if (c == NULL)
        return;
    for (unsigned i = 0; c->end != NULL && i < c->config.chips; i++)
        chips_power_down(&c->end[i]);
    free(c->end);
    free(c);
}

struct chips *chips_new(const struct chips_config *config)
{
    struct chips *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->config = *config;
    c->end = calloc(config->chips, sizeof *c->end);
    if (c->end == NULL) {
        chips_free(c);
        return NULL;
    }
    bool good = true;
    for (unsigned i = 0; i < config->chips; i++) {
        c->end[i].node.chips = c;
        c->end[i].node.number = i;
        c->end[i].in.number = (u16)(i + 1);
        good &= chips_power_up(&c->end[i]);
    }
    for (unsigned n = 0; good && n < LINKS_UP && !links_up(c); n++)
        chips_clock(c);
    if (!good || !links_up(c)) {
        chips_free(c);
        return NULL;
    }
    for (unsigned i = 0; i < config->chips; i++)
        write_tables(c, i);
    c->draw = config->seed;
    if (config->errors != 0)
        plan_error(c);
    return c;
}

/* ---- a NIC as software reaches it ------------------------------------------------------------------------ */

uint32_t chips_address(const struct chips *c, unsigned node)
{
    (void)c;
    return (uint32_t)GROUP << (RTR_LOCAL_BITS + RTR_SUB_BITS) | node << NODE_LOCAL_AT;
}

bool chips_room(const struct chips *c, unsigned node)
{
    const struct chips_node *n = &c->end[node].node;
    return n->stores_in - n->stores_done < CHIPS_STORES;
}

static void post(struct chips_node *n, const struct chips_store *s)
{
    while (!chips_room(n->chips, n->number))
        chips_clock(n->chips);
    n->store[n->stores_in++ % CHIPS_STORES] = *s;
}

static void store(void *context, uint64_t address, const void *bytes, unsigned count)
{
    const unsigned first = (unsigned)(address % CHIPS_LINE);
    struct chips_store s = {.address = address - first,
                            .beats = (first + count + CHIPS_LINE - 1) / CHIPS_LINE};
    memcpy(s.data + first, bytes, count);
    s.strobes = (count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1) << first;
    post(context, &s);
}

static uint64_t load(void *context, uint64_t address)
{
    struct chips_node *n = context;
    post(n, &(struct chips_store){.read = true, .address = address, .beats = 1});
    while (n->stores_in != n->stores_done)
        chips_clock(n->chips);
    return n->answer;
}

static void access_register(struct chips_node *n, struct chips_register r)
{
    n->reg = r;
    for (unsigned i = 0; i < PATIENCE && n->reg.valid; i++)
        chips_clock(n->chips);
    n->reg.refused |= n->reg.valid;
    n->reg.valid = false;
}

static bool reg_write(void *context, uint16_t address, uint64_t value)
{
    struct chips_node *n = context;
    access_register(n, (struct chips_register){.valid = true, .address = address, .data = value});
    return !n->reg.refused;
}

static uint64_t reg_read(void *context, uint16_t address)
{
    struct chips_node *n = context;
    access_register(n, (struct chips_register){.valid = true, .read = true, .address = address});
    return n->reg.refused ? 0 : n->reg.data;
}

static void advance(void *context, unsigned clocks)
{
    struct chips_node *n = context;
    while (clocks-- > 0)
        chips_clock(n->chips);
}

static uint64_t clocks(void *context)
{
    struct chips_node *n = context;
    return n->chips->clock;
}

struct nic_host chips_host(struct chips *c, unsigned node)
{
    return (struct nic_host){&c->end[node].node, store, load, reg_write, reg_read, advance, clocks};
}

bool chips_irq(const struct chips *c, unsigned node)
{
    return c->end[node].chip.out.irq[0];
}

struct chips_count chips_counts(const struct chips *c, unsigned node)
{
    return c->end[node].node.count;
}

/* Of the clock that was last: what stands in registers now is what it brought. */
struct chips_marks chips_marks(const struct chips *c, unsigned node)
{
    const struct chips_end *e = &c->end[node];
    const struct axi_from_man *from = &e->chip.out.m_axi[0];
    struct chips_marks m = {.store = e->in.s_axi[0].wvalid && e->chip.out.s_axi[0].wready,
                            .address = from->awvalid | from->arvalid,
                            .answer = e->in.m_axi[0].bvalid ||
                                      (e->in.m_axi[0].rvalid && e->in.m_axi[0].rlast)};
    for (unsigned t = 0; t < NL_TILES; t++) {
        m.flit_out |= e->chip.netlink[0].out.to_tile[t].valid;
        m.flit_in |= e->chip.device.out.to_processor[t].valid;
    }
    return m;
}
