// SPDX-License-Identifier: Apache-2.0
/*
 * device_bench.c - two devices back to back; device_bench.h says what is wired to what.
 */
#include "tb/system/device/device_bench.h"

#include <inttypes.h>
#include <string.h>

#include "hls/router/input/inq_store.h"
#include "tb/system/router/router_bench.h"
#include "tb/system/router/router_tables.h"

/* Processors' destinations, and ports of each. */
enum {
    OUR_GROUP = 3,
    SUBS = DEV_PROCESSORS < 4 ? DEV_PROCESSORS : 4,
    SUB_PORTS = DEV_PROCESSORS / SUBS
};

static void model_reset(void *self)
{
    device_reset(self);
}

static void model_step(void *self, const void *in)
{
    device(self, in);
}

static const struct dut_model device_model = {
    .size = sizeof(struct device), .reset = model_reset, .step = model_step};

struct device_bench_config device_bench_defaults(void)
{
    return (struct device_bench_config){
        .cable = {.delay = 12, .ber = 1e-6, .burst_rate = 1e-5, .burst_min = 1, .burst_max = 16},
        .load = 0.8,
        .ready = 1,
        .min_length = 1,
        .max_length = RTR_PACKET,
        .vcs = (1u << RTR_VCS) - 1,
        .links = (UINT64_C(1) << RTR_LINKS) - 1,
    };
}

/* ---- who may go where ----------------------------------------------------------------------------- */

/* Router e: its own processors by sub, the other router by any of the links. */
static struct golden_plan plan_of(const struct golden_machine *m, unsigned e, uint64_t links)
{
    struct golden_plan plan;
    golden_plan_start(&plan, m, OUR_GROUP, e);
    for (unsigned i = 0; i < SUBS; i++)
        plan.here[i].minimal = ((UINT64_C(1) << SUB_PORTS) - 1) << (RTR_LINKS + i * SUB_PORTS);
    plan.in_group[1 - e].minimal = links;
    return plan;
}

/* Both as one: destination e is any processor of device e; the two routers check which. */
static struct golden_plan plan_of_both(const struct golden_machine *m)
{
    const uint64_t some = (UINT64_C(1) << DEV_PROCESSORS) - 1;
    struct golden_plan plan;
    golden_plan_start(&plan, m, OUR_GROUP, 2);
    plan.in_group[0].minimal = some;
    plan.in_group[1].minimal = some << DEV_PROCESSORS;
    return plan;
}

/* Of the processors of device `end`. */
static struct source_config source_of(const struct golden_machine *m,
                                      const struct device_bench_config *config, unsigned end)
{
    struct source_config c = {
        .guaranteed = RTR_INQ_GUARANTEED,
        .shared = RTR_INQ_CREDIT_SHARED,
        .load = config->load,
        .bad = config->bad,
        .min_length = config->min_length,
        .max_length = config->max_length,
        .vcs = config->vcs,
        .modes = 1u << PACKET_IN_ORDER | 1u << PACKET_ADAPTIVE0,
        .phases = 1,
        .hashes = 1,
    };
    for (unsigned e = 0; e < 2; e++)
        for (unsigned i = 0; i < SUBS && !(config->across && e == end); i++) {
            uint64_t head = packet_set(m, 0, PACKET_GLOBAL, OUR_GROUP);
            head = packet_set(m, head, PACKET_LOCAL, e);
            head = packet_set(m, head, PACKET_SUB, i);
            c.place[c.places++].place = head >> m->field[PACKET_PLACE].lsb;
        }
    return c;
}

/* ---- start ---------------------------------------------------------------------------------------- */

static void step(struct device_bench *b);

struct writer {
    struct device_bench *bench;
    unsigned end;
};

/* One request on the configuration bus of one router. */
static void bus_write(void *to, unsigned addr, uint64_t data)
{
    enum { BUS_CLOCKS = 100 };
    const struct writer *w = to;
    struct device_end *e = &w->bench->end[w->end];
    e->in.bus = (struct reg_request){.valid = 1, .write = 1, .addr = (u16)addr, .wdata = data};
    for (unsigned i = 0; i < BUS_CLOCKS && (i == 0 || !e->device->out.bus.ready); i++)
        step(w->bench);
    e->in.bus = (struct reg_request){0};
    step(w->bench);
}

/* The same to one tile alone, where it says all. */
struct port_writer {
    struct writer writer;
    unsigned port;
};

static void port_write(void *to, unsigned addr, uint64_t data)
{
    struct port_writer *w = to;
    const unsigned tile = w->port / RTR_COLS << 13 | w->port % RTR_COLS << 10;
    bus_write(&w->writer, tile | (addr & ~RTR_REG_ALL), data);
}

/* What packets that come in at a port may take: a row of links, another one for the next port. */
static void write_rows(struct device_bench *b, unsigned end)
{
    enum { ROWS = RTR_LINKS / RTR_COLS };
    for (unsigned port = 0; port < RTR_PORTS && ROWS > 1; port++) {
        const uint64_t row = ((UINT64_C(1) << RTR_COLS) - 1) << port % ROWS * RTR_COLS;
        struct port_writer w = {{b, end}, port};
        if (b->config.links & row)
            router_tables_route(&b->end[end].golden.plan, 1 - end, b->config.links & row,
                                port_write, &w);
    }
}

static void start_end(struct device_bench *b, unsigned i, const struct golden_machine *m,
                      struct rng *seeds)
{
    struct device_end *e = &b->end[i];
    const struct golden_plan plan = plan_of(m, i, b->config.links);
    const struct sink_config sink = {.guaranteed = RTR_INQ_GUARANTEED,
                                     .shared = RTR_INQ_CREDIT_SHARED,
                                     .drain = 1,
                                     .ready = b->config.ready};
    dut_start(&e->dut, i ? "device 1" : "device 0", &device_model, b->config.cosim, NULL);
    e->device = e->dut.self;
    golden_router_start(&e->golden, &plan);
    for (unsigned l = 0; l < RTR_LINKS; l++)
        channel_start(&e->cable[l], &b->config.cable, &b->end[1 - i].cable[l], rng_next(seeds));
    for (unsigned p = 0; p < DEV_PROCESSORS; p++)
        sink_begin(&e->sink[p], m, &sink, rng_next(seeds));
}

void device_bench_start(struct device_bench *b, const struct device_bench_config *config,
                        uint64_t seed)
{
    const struct golden_machine *m = router_bench_machine();
    const struct golden_plan both = plan_of_both(m);
    const uint8_t bias[4] = {0};
    struct rng seeds;
    rng_seed(&seeds, seed);
    memset(b, 0, sizeof *b);
    b->config = *config;
    harness_clock = &b->clock;
    golden_router_start(&b->fabric, &both);
    for (unsigned i = 0; i < 2; i++)
        start_end(b, i, m, &seeds);
    for (unsigned i = 0; i < 2; i++) {
        struct writer w = {b, i};
        router_tables_write(&b->end[i].golden.plan, bias, bus_write, &w);
        write_rows(b, i);
    }
    for (unsigned i = 0; i < 2; i++) {
        const struct source_config source = source_of(m, config, i);
        for (unsigned p = 0; p < DEV_PROCESSORS; p++)
            source_begin(&b->end[i].source[p], p, m, &source, rng_next(&seeds));
    }
}

void device_bench_free(struct device_bench *b)
{
    for (unsigned i = 0; i < 2; i++) {
        dut_free(&b->end[i].dut);
        golden_router_free(&b->end[i].golden);
    }
    golden_router_free(&b->fabric);
}

/* ---- one clock ------------------------------------------------------------------------------------- */

static void join_cables(struct device_bench *b)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned l = 0; l < RTR_LINKS; l++) {
            const struct cable_out *out = &b->end[i].device->out.cable[l];
            struct cable_in *in = &b->end[1 - i].in.cable_in[l];
            const uint16_t lane[CHANNEL_LANES] = {out->lane[0], out->lane[1], out->lane[2]};
            struct channel_symbol symbol[CHANNEL_LANES];
            channel_step(&b->end[i].cable[l], lane, symbol);
            *in = (struct cable_in){0};
            for (unsigned n = 0; n < CHANNEL_LANES; n++) {
                in->lane_valid |= (u3)((u3)symbol[n].valid << n);
                in->lane_up |= (u3)((u3)symbol[n].up << n);
                in->lane[n] = symbol[n].data;
            }
        }
}

static void drive_processor(struct device_bench *b, unsigned i, unsigned p)
{
    struct device_end *e = &b->end[i];
    struct port_in *in = &e->in.from_processor[p];
    const struct port_out *out = &e->device->out.to_processor[p];
    bool bad = false;
    in->valid = source_step(&e->source[p], &bad);
    in->flit = (rtr_flit)e->source[p].flit;
    in->bad = bad;
    in->ready = e->sink[p].ready;
    in->room = (rtr_vcs)e->sink[p].room_before;
    in->spare = (rtr_vcs)e->sink[p].spare_before;
    if (in->valid)
        golden_router_enters(&b->fabric, i * DEV_PROCESSORS + p, e->source[p].flit, bad, b->clock);
    if (out->valid && in->ready) {
        const struct golden_leaving leaving = {
            .flit = out->flit, .head = out->head, .tail = out->tail, .bad = out->bad};
        e->marked += out->tail && out->bad;
        sink_takes(&e->sink[p], out->flit, out->tail);
        golden_router_leaves(&b->fabric, i * DEV_PROCESSORS + p, &leaving, b->clock);
    }
}

/* What goes through the ports of one router in this clock. */
static void watch_router(struct device_bench *b, unsigned i)
{
    struct device_end *e = &b->end[i];
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        const bool has_link = p < RTR_LINKS;
        const struct port_out *out = &e->device->router.out.to_link[p];
        const struct port_in *in =
            has_link ? &e->device->link[p].out.to_router : &e->in.from_processor[p - RTR_LINKS];
        if (in->valid)
            golden_router_enters(&e->golden, p, in->flit, in->bad, b->clock);
        if (out->valid && in->ready) {
            const struct golden_leaving leaving = {
                .flit = out->flit, .head = out->head, .tail = out->tail, .bad = out->bad};
            golden_router_leaves(&e->golden, p, &leaving, b->clock);
        }
    }
}

static void after_step(struct device_end *e)
{
    dut_step(&e->dut, &e->in);
    for (unsigned p = 0; p < DEV_PROCESSORS; p++) {
        const struct port_out *out = &e->device->out.to_processor[p];
        if (out->freed.valid)
            credit_give(&e->source[p].credits, out->freed.vc, 1);
        if (out->start.valid)
            sink_started(&e->sink[p], out->start.vc);
        sink_step(&e->sink[p]);
    }
    for (unsigned l = 0; l < RTR_LINKS; l++)
        e->reports += e->device->out.status[l].report.valid;
}

static void step(struct device_bench *b)
{
    join_cables(b);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned p = 0; p < DEV_PROCESSORS; p++)
            drive_processor(b, i, p);
    for (unsigned i = 0; i < 2; i++) {
        watch_router(b, i);
        after_step(&b->end[i]);
    }
    b->clock++;
}

void device_bench_run(struct device_bench *b, uint64_t clocks)
{
    while (clocks-- > 0)
        step(b);
}

bool device_bench_await(struct device_bench *b, uint64_t limit)
{
    for (;;) {
        unsigned up = 0;
        for (unsigned i = 0; i < 2; i++)
            for (unsigned l = 0; l < RTR_LINKS; l++)
                up += b->end[i].device->out.status[l].state == LINK_RUN;
        if (up == 2 * RTR_LINKS)
            return true;
        if (limit-- == 0)
            return false;
        step(b);
    }
}

bool device_bench_drain(struct device_bench *b, uint64_t limit)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned p = 0; p < DEV_PROCESSORS; p++)
            b->end[i].source[p].stopped = true;
    for (;;) {
        bool busy = golden_router_lost(&b->fabric) > 0;
        for (unsigned i = 0; i < 2; i++)
            for (unsigned p = 0; p < DEV_PROCESSORS; p++)
                busy |= b->end[i].source[p].left > 0;
        if (!busy)
            return true;
        if (limit-- == 0)
            return false;
        step(b);
    }
}

/* ---- verdict ---------------------------------------------------------------------------------------- */

uint64_t device_bench_link_count(const struct device_bench *b, unsigned counter)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned l = 0; l < RTR_LINKS; l++)
            sum += b->end[i].device->link[l].lcb.regs.counter[counter];
    return sum;
}

uint64_t device_bench_mismatches(const struct device_bench *b)
{
    return b->end[0].dut.mismatches + b->end[1].dut.mismatches + b->end[0].dut.rtl_failed +
           b->end[1].dut.rtl_failed;
}

static bool golden_satisfied(const struct golden_router *g, const char *name)
{
    if (golden_router_clean(g))
        return true;
    tap_why("%s: lost %" PRIu64 ", duplicated %" PRIu64 ", corrupt %" PRIu64 ", misrouted %" PRIu64
            ", reordered %" PRIu64 ", wrong %" PRIu64 "; first: %s",
            name, golden_router_lost(g), g->duplicated, g->corrupt, g->misrouted, g->reordered,
            g->wrong, g->first_error);
    return false;
}

bool device_bench_clean(const struct device_bench *b)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned p = 0; p < DEV_PROCESSORS; p++) {
            const struct device_end *e = &b->end[i];
            if (e->source[p].credits.wrong || e->sink[p].charged.wrong || e->sink[p].unannounced) {
                tap_why("device %u, processor %u: credits or announcements wrong", i, p);
                return false;
            }
        }
    return golden_satisfied(&b->end[0].golden, "router 0") &&
           golden_satisfied(&b->end[1].golden, "router 1") &&
           golden_satisfied(&b->fabric, "end to end");
}
