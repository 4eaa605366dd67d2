// SPDX-License-Identifier: Apache-2.0
/*
 * chip_bench.c - two chips back to back.
 */
#include "tb/system/chip/chip_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/system/router/router_bench.h"

enum { OUR_GROUP = 3, UP = 30000 };

static void model_reset(void *self)
{
    chip_reset(self);
}

static void model_step(void *self, const void *in)
{
    chip(self, in);
}

static const struct dut_model chip_model = {
    .size = sizeof(struct chip), .reset = model_reset, .step = model_step};

struct chip_network *chip_network(const struct nic_bench *b)
{
    return b->network;
}

/* ---- a clock -------------------------------------------------------------------------------------- */

static void join_cables(struct chip_network *n)
{
    for (unsigned i = 0; i < CHIPS; i++) {
        for (unsigned l = 0; l < CHIP_CABLES; l++) {
            chip_cable_step(&n->end[i].cable[l], &n->end[i].chip->out.cable[CHIP_LINK + l],
                            &n->end[1 - i].in.cable_in[CHIP_LINK + l]);
        }
    }
}

#if DEV_MAINT
/* The controller beside the chip writes the router's tables, then restarts dead links whose cables are in. */
static void manage(struct chip_end *e, uint64_t clock)
{
    const bool wrote = e->l0.busy && e->l0.write && e->l0.unit == UNIT_ROUTER;
    uint64_t restart = 0;

    chip_l0_drive(&e->l0, &e->in, &e->chip->out);
    e->table_at += wrote && !e->l0.busy && e->table_at != e->table_size;
    for (unsigned l = 0; l < CHIP_CABLES; l++) {
        restart |= (uint64_t)(e->chip->out.status[CHIP_LINK + l].state == LINK_DEAD &&
                              e->in.cable_in[CHIP_LINK + l].lane_up != 0)
                   << (CHIP_LINK + l);
    }
    if (!e->l0.busy && e->table_at != e->table_size) {
        const struct chip_write *w = &e->table[e->table_at];

        chip_l0_ask(&e->l0, true, UNIT_ROUTER, w->addr, w->data);
    } else if (!e->l0.busy && clock % 64 == 0 && restart != 0) {
        chip_l0_ask(&e->l0, true, UNIT_SUPERVISOR, SUP_REG_RESTART, restart);
    }
}

#else
/* The next write of a router's tables: it stands on the bus until the answer. */
static void drive_bus(struct chip_end *e)
{
    if (e->in.bus.valid && e->chip->out.bus.ready) {
        e->in.bus = (struct reg_request){0};
        e->table_at++;
    } else if (!e->in.bus.valid && e->table_at != e->table_size) {
        const struct chip_write *w = &e->table[e->table_at];

        e->in.bus = (struct reg_request){.valid = 1, .write = 1, .addr = w->addr, .wdata = w->data};
    }
}

/* Management restarts a dead link whose cable is in, within 64 clocks. */
static void manage(struct chip_end *e, uint64_t clock)
{
    for (unsigned l = 0; l < CHIP_CABLES; l++) {
        const unsigned link = CHIP_LINK + l;

        e->in.manage[link].restart = clock % 64 == 0 &&
                                     e->chip->out.status[link].state == LINK_DEAD &&
                                     e->in.cable_in[link].lane_up != 0;
    }
}
#endif

static void step(struct chip_network *n)
{
    join_cables(n);
    for (unsigned i = 0; i < CHIPS; i++) {
        if (n->traffic != NULL) {
            chip_traffic_look(n->traffic, i, n->end[i].chip, n->clock);
        }
        manage(&n->end[i], n->clock);
        dut_step(&n->end[i].dut, &n->end[i].in);
#if !DEV_MAINT
        drive_bus(&n->end[i]);
#endif
    }
    n->clock++;
}

static void chips_clock(struct nic_bench *b)
{
    struct chip_network *n = b->network;

    for (unsigned i = 0; i < b->nodes; i++) {
        struct chip_in *in = &n->end[i / CHIP_NICS].in;

        in->s_axi[i % CHIP_NICS] = b->node[i].s_axi;
        in->m_axi[i % CHIP_NICS] = b->node[i].m_axi;
        in->s_axil[i % CHIP_NICS] = b->node[i].s_axil;
    }
    step(n);
}

/* What is between two NICs keeps a tag or a context busy, so the NICs know. */
static bool chips_idle(const struct nic_bench *b)
{
    (void)b;
    return true;
}

static void chips_free(struct nic_bench *b)
{
    struct chip_network *n = b->network;

    for (unsigned i = 0; i < CHIPS; i++) {
        dut_free(&n->end[i].dut);
        free(n->end[i].table);
    }
    free(n);
}

static const struct nic_fabric chips = {chips_clock, chips_idle, chips_free};

/* ---- begin ------------------------------------------------------------------------------------------ */

void chip_bench_tables(unsigned number, router_tables_writer *write, void *to)
{
    struct golden_plan plan;
    const uint8_t bias[4] = {0};

    golden_plan_start(&plan, router_bench_machine(), OUR_GROUP, number);
    for (unsigned i = 0; i < CHIP_NICS; i++) {
        plan.here[i].minimal = router_tables_tiles(i / NL_NICS * NL_TILES, NL_TILES);
    }
    plan.in_group[1 - number].minimal = (((uint64_t)1 << CHIP_CABLES) - 1) << CHIP_PORT;
    router_tables_write(&plan, bias, write, to);
}

static void add_write(void *to, unsigned addr, uint64_t data)
{
    struct chip_end *e = to;

    if (e->table_size % 1024 == 0) {
        struct chip_write *table = realloc(e->table, (e->table_size + 1024) * sizeof(*table));

        if (table == NULL) {
            abort();
        }
        e->table = table;
    }
    e->table[e->table_size++] = (struct chip_write){(u16)addr, data};
}

static bool all_up(const struct chip_network *n)
{
    bool up = true;

    for (unsigned i = 0; i < CHIPS; i++) {
        up = up && n->end[i].table_at == n->end[i].table_size;
        for (unsigned l = 0; l < CHIP_CABLES; l++) {
            up = up && n->end[i].chip->out.status[CHIP_LINK + l].state == LINK_RUN;
        }
    }
    return up;
}

bool chip_bench_up(const struct nic_bench *b)
{
    return all_up(b->network);
}

unsigned chip_bench_dead(const struct nic_bench *b, unsigned chip)
{
    const struct chip_network *n = b->network;
    unsigned dead = 0;

    for (unsigned l = 0; l < CHIP_CABLES; l++) {
        dead |= (unsigned)(n->end[chip].chip->out.status[CHIP_LINK + l].state == LINK_DEAD) << l;
    }
    return dead;
}

void chip_bench_cable(struct nic_bench *b, unsigned cable, enum lane_state state)
{
    struct chip_network *n = b->network;

    for (unsigned i = 0; i < CHIPS; i++) {
        for (unsigned k = 0; k < CHANNEL_LANES; k++) {
            chip_cable_lane(&n->end[i].cable[cable], k, state);
        }
    }
}

void chip_bench_restart(struct nic_bench *b, unsigned chip)
{
    struct chip_end *e = &((struct chip_network *)b->network)->end[chip];

    dut_reset(&e->dut);
#if DEV_MAINT
    e->l0 = (struct chip_l0){0};
#else
    e->in.bus = (struct reg_request){0};
#endif
    e->table_at = 0;
    for (unsigned i = 0; i < CHIP_NICS; i++) {
        nic_bench_restart(b, chip * CHIP_NICS + i, true);
    }
}

void chip_bench_reset_nic(struct nic_bench *b, unsigned node, bool host_too)
{
    struct chip_end *e = &((struct chip_network *)b->network)->end[node / CHIP_NICS];

    e->in.nic_rst[node % CHIP_NICS] = 1;
    nic_bench_clock(b);
    e->in.nic_rst[node % CHIP_NICS] = 0;
    nic_bench_restart(b, node, host_too);
}

static void start_network(struct chip_network *n, const struct channel_config *cable,
                          const struct cosim_module *cosim, uint64_t seed)
{
    harness_clock = &n->clock;
    for (unsigned i = 0; i < CHIPS; i++) {
        struct chip_end *e = &n->end[i];

        dut_start(&e->dut, i != 0 ? "chip 1" : "chip 0", &chip_model, cosim, NULL);
        e->chip = e->dut.self;
        e->in.number = (u16)(i + 1);
        for (unsigned l = 0; l < CHIP_CABLES; l++) {
            chip_cable_start(&e->cable[l], cable, &n->end[1 - i].cable[l], seed + 10 * i + l);
        }
        chip_bench_tables(i, add_write, e);
    }
    while (!all_up(n)) {
        if (n->clock > UP) {
            fprintf(stderr, "chip_bench: the links do not come up within %d clocks\n", UP);
            exit(1);
        }
        step(n);
    }
}

struct nic_bench *chip_bench_new(uint64_t seed, struct golden_nic *golden,
                                 const struct channel_config *cable,
                                 const struct cosim_module *cosim)
{
    struct nic_bench *b = nic_bench_new(CHIPS * CHIP_NICS, seed, golden);
    struct chip_network *n = calloc(1, sizeof(*n));

    if (n == NULL) {
        abort();
    }
    b->fabric = &chips;
    b->network = n;
    start_network(n, cable, cosim, seed);
    for (unsigned i = 0; i < b->nodes; i++) {
        const struct chip_out *out = &n->end[i / CHIP_NICS].chip->out;
        unsigned nic = i % CHIP_NICS;

        b->node[i].address = (uint32_t)OUR_GROUP << (RTR_LOCAL_BITS + RTR_SUB_BITS) |
                             i / CHIP_NICS << RTR_SUB_BITS | nic;
        b->node[i].nic = &n->end[i / CHIP_NICS].chip->nic[nic];
        b->node[i].from_s_axi = &out->s_axi[nic];
        b->node[i].from_m_axi = &out->m_axi[nic];
        b->node[i].from_s_axil = &out->s_axil[nic];
    }
    nic_bench_enable(b);
    harness_clock = &n->clock;
    return b;
}

/* ---- verdict ------------------------------------------------------------------------------------------ */

uint64_t chip_bench_link_count(const struct nic_bench *b, unsigned counter)
{
    const struct chip_network *n = b->network;
    uint64_t sum = 0;

    for (unsigned i = 0; i < CHIPS; i++) {
        for (unsigned l = 0; l < CHIP_CABLES; l++) {
            sum += (uint64_t)n->end[i].chip->device.link[CHIP_LINK + l].lcb.regs.counter[counter];
        }
    }
    return sum;
}

uint64_t chip_bench_mismatches(const struct nic_bench *b)
{
    const struct chip_network *n = b->network;
    uint64_t sum = 0;

    for (unsigned i = 0; i < CHIPS; i++) {
        sum += n->end[i].dut.mismatches + n->end[i].dut.rtl_failed;
    }
    return sum;
}

#if DEV_MAINT
bool chip_bench_l0(struct nic_bench *b, unsigned chip, const struct chip_l0 *access,
                   uint64_t *reply)
{
    struct chip_network *n = b->network;
    struct chip_l0 *l = &n->end[chip].l0;

    while (l->busy) {
        nic_bench_clock(b);
    }
    chip_l0_ask(l, access->write, access->unit, access->address, access->data);
    l->byte = access->byte;
    while (l->busy) {
        nic_bench_clock(b);
    }
    *reply = l->data;
    return !l->error;
}
#endif
