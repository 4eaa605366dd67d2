// SPDX-License-Identifier: Apache-2.0
/*
 * router_bench.c - a router in the middle of sources and sinks; router_bench.h says what is wired to what.
 */
#include "tb/system/router/router_bench.h"

#include <inttypes.h>
#include <string.h>

#include "tb/system/router/router_tables.h"

/* ---- configurations ----------------------------------------------------------------------------- */

const struct golden_machine *router_bench_machine(void)
{
#if defined(MACHINE_GEMINI)
    return &golden_machines[GOLDEN_GEMINI];
#elif defined(MACHINE_YARC)
    return &golden_machines[GOLDEN_YARC];
#elif defined(MACHINE_P16)
    return &golden_machines[GOLDEN_P16];
#elif defined(MACHINE_A16)
    return &golden_machines[GOLDEN_A16];
#elif defined(MACHINE_PROTO24)
    return &golden_machines[GOLDEN_PROTO24];
#elif defined(MACHINE_PROTO)
    return &golden_machines[GOLDEN_PROTO];
#else
    static_assert(RTR_ROWS == 6 && RTR_COLS == 8, "this machine has no branch here");
    return &golden_machines[GOLDEN_ARIES];
#endif
}

/* What a sender may have in an input queue. */
#if RTR_INQ_SHARED
enum { INPUT_GUARANTEED = RTR_INQ_GUARANTEED, INPUT_SHARED = RTR_INQ_CREDIT_SHARED };
#else
enum { INPUT_GUARANTEED = RTR_INQ_CREDIT_VC, INPUT_SHARED = 0 };
#endif

/*
 * Destinations below are routers of our group, the others are other groups from OTHER_GROUPS on. Where global has two
 * parts those with odd numbers have our far part, as long as there are near parts from OTHER_NEAR on, the others a
 * far part from OTHER_FAR on, odd ones ODD_FAR behind.
 */
enum { IN_GROUP = 24, OTHER_GROUPS = 40, OUR_GROUP = 5, OUR_ROUTER = 27 };
enum { OTHER_NEAR = 8, OTHER_FAR = 3, ODD_FAR = 32 };

/* It has our far part: of those with odd numbers as many as there are near parts. */
static bool is_near(const struct golden_machine *m, unsigned d)
{
    return d % 2 && OTHER_NEAR + (d - IN_GROUP) / 2 < 1u << m->field[PACKET_NEAR].width;
}

struct traffic_place router_bench_place(const struct golden_plan *plan, unsigned d)
{
    const struct golden_machine *m = plan->machine;
    const struct packet_bits *f = m->field;
    const unsigned down = f[PACKET_PLACE].lsb;
    const bool near = d < IN_GROUP;
    const unsigned other = (d - IN_GROUP) / 2;
    uint64_t head = packet_set(m, 0, PACKET_GLOBAL, near ? plan->global : OTHER_GROUPS + d);
    uint64_t any = packet_set(m, 0, PACKET_SUB, ~UINT64_C(0));
    if (!near && is_near(m, d)) {
        head = packet_set(m, 0, PACKET_GLOBAL, plan->global);
        head = packet_set(m, head, PACKET_NEAR, OTHER_NEAR + other);
    } else if (!near && f[PACKET_NEAR].width) {
        head = packet_set(m, 0, PACKET_FAR, OTHER_FAR + other + (d % 2 ? ODD_FAR : 0));
        any = packet_set(m, any, PACKET_NEAR, ~UINT64_C(0));
    }
    if (near)
        head = packet_set(m, head, PACKET_LOCAL, d);
    else
        any = packet_set(m, any, PACKET_LOCAL, ~UINT64_C(0));
    return (struct traffic_place){.place = head >> down, .any = any >> down};
}

struct golden_route *router_bench_route(struct golden_plan *plan, unsigned d)
{
    const struct golden_machine *m = plan->machine;
    const uint64_t head = router_bench_place(plan, d).place << m->field[PACKET_PLACE].lsb;
    if (d < IN_GROUP)
        return &plan->in_group[d];
    if (is_near(m, d))
        return &plan->to_near[packet_get(m, head, PACKET_NEAR)];
    return &plan->to_group[packet_get(m, head, PACKET_GLOBAL) >> m->field[PACKET_NEAR].width];
}

void router_bench_aim(struct router_bench_config *c, unsigned source, uint64_t destinations)
{
    struct source_config *s = &c->source[source];
    s->places = 0;
    for (unsigned d = 0; d < RTR_PORTS; d++)
        if (destinations >> d & 1)
            s->place[s->places++] = router_bench_place(&c->plan, d);
}

void router_bench_defaults(struct router_bench_config *c)
{
    const struct golden_machine *m = router_bench_machine();
    const struct source_config source = {
        .guaranteed = INPUT_GUARANTEED,
        .shared = INPUT_SHARED,
        .load = 1,
        .min_length = packet_by_end(m) ? 2 : 1,
        .max_length = m->longest,
        .vcs = (1u << m->vcs) - 1,
        .modes = 1 << PACKET_IN_ORDER,
        .phases = 1,
        .hashes = 1,
        .hops = RTR_PORTS < 64 ? (UINT64_C(1) << RTR_PORTS % 64) - 1 : ~UINT64_C(0),
    };
    const struct sink_config sink = {
        .guaranteed = INPUT_GUARANTEED, .shared = INPUT_SHARED, .drain = 1, .ready = 1};
    memset(c, 0, sizeof *c);
    c->model = &router_bench_native;
    golden_plan_start(&c->plan, m, OUR_GROUP, OUR_ROUTER);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        router_bench_route(&c->plan, p)->minimal = UINT64_C(1) << p;
        c->source[p] = source;
        c->sink[p] = sink;
        router_bench_aim(c, p, source.hops);
    }
}

static void native_reset(void *self)
{
    router_reset(self);
}

static void native_step(void *self, const void *in)
{
    router(self, in);
}

const struct dut_model router_bench_native = {
    .size = sizeof(struct router), .reset = native_reset, .step = native_step};

/* ---- start --------------------------------------------------------------------------------------- */

static void write_table(void *to, unsigned addr, uint64_t data)
{
    router_bench_write(to, addr, data);
}

void router_bench_start(struct router_bench *b, const struct router_bench_config *config,
                        uint64_t seed)
{
    struct rng seeds;
    rng_seed(&seeds, seed);
    memset(b, 0, sizeof *b);
    b->config = *config;
    dut_start(&b->dut, "router", config->model, config->cosim, NULL);
    b->out = b->dut.self;
    golden_router_start(&b->golden, &b->config.plan);
    harness_clock = &b->clock;
    for (unsigned p = 0; p < RTR_PORTS; p++)
        sink_begin(&b->sink[p], config->plan.machine, &config->sink[p], rng_next(&seeds));
    router_bench_kill(b, config->dead);
    if (!config->knows_plan) /* takes longer than it takes to learn of dead ports */
        router_tables_write(&b->config.plan, config->bias, write_table, b);
    for (unsigned p = 0; p < RTR_PORTS; p++)
        source_begin(&b->source[p], p, config->plan.machine, &config->source[p], rng_next(&seeds));
}

void router_bench_free(struct router_bench *b)
{
    dut_free(&b->dut);
    golden_router_free(&b->golden);
}

void router_bench_kill(struct router_bench *b, uint64_t dead)
{
    golden_router_kill(&b->golden, dead, b->clock + (b->config.learns ? 0 : RTR_COLS + 2));
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        b->in.from_link[p].dead = dead >> p & 1;
        b->source[p].stopped = b->config.learns > 0;
    }
    router_bench_run(b, b->config.learns);
    for (unsigned p = 0; p < RTR_PORTS; p++)
        b->source[p].stopped = false;
}

/* ---- one clock ------------------------------------------------------------------------------------ */

static void drive_input(struct router_bench *b, unsigned p)
{
    struct port_in *in = &b->in.from_link[p];
    bool bad = false;
    in->valid = source_step(&b->source[p], &bad);
    in->flit = (rtr_flit)b->source[p].flit;
    in->bad = bad;
#if RTR_LENGTH_BITS == 0
    const struct golden_entering e = {b->source[p].flit, bad, b->source[p].tail, b->source[p].cut};
    in->tail = e.tail;
    in->ok = e.cut ? OK_CUT : OK_GOOD;
    if (in->valid)
        golden_router_enters_by_end(&b->golden, p, &e, b->clock);
#else
    if (in->valid)
        golden_router_enters(&b->golden, p, b->source[p].flit, bad, b->clock);
#endif
}

static void note_latency(struct router_bench *b)
{
    const uint64_t latency = b->golden.last_clock - b->golden.last.clock;
    b->latency_sum += latency;
    b->latency_count++;
    if (latency > b->latency_most)
        b->latency_most = latency;
}

static void drive_output(struct router_bench *b, unsigned p)
{
    enum { MOST_LOAD = 127 };
    const struct port_out *out = &b->out->to_link[p];
    struct port_in *in = &b->in.from_link[p];
    struct port_sink *sink = &b->sink[p];
    in->ready = sink->ready;
    in->room = (rtr_vcs)sink->room_before;
    in->spare = (rtr_vcs)sink->spare_before;
    in->peer_load = (rtr_load)(sink->total < MOST_LOAD ? sink->total : MOST_LOAD);
    if (!out->valid || !in->ready)
        return;
    const struct golden_leaving leaving = {
        .flit = out->flit, .head = out->head, .tail = out->tail, .bad = out->bad};
    sink_takes(sink, out->flit, out->tail);
    if (golden_router_leaves(&b->golden, p, &leaving, b->clock))
        note_latency(b);
}

void router_bench_step(struct router_bench *b)
{
    if (b->over)
        return;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        drive_input(b, p);
        drive_output(b, p);
    }
    dut_step(&b->dut, &b->in);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        const struct port_out *out = &b->out->to_link[p];
        if (out->freed.valid)
            credit_give(&b->source[p].credits, out->freed.vc, 1);
        if (out->start.valid)
            sink_started(&b->sink[p], out->start.vc);
        sink_step(&b->sink[p]);
    }
    b->clock++;
    b->over = b->config.watch && !b->config.watch(b);
}

void router_bench_run(struct router_bench *b, uint64_t clocks)
{
    while (clocks-- > 0 && !b->over)
        router_bench_step(b);
}

static bool busy(const struct router_bench *b)
{
    if (golden_router_lost(&b->golden) > 0)
        return true;
    for (unsigned p = 0; p < RTR_PORTS; p++)
        if (b->source[p].left > 0 || credit_used(&b->source[p].credits) > 0 || b->sink[p].total > 0)
            return true;
    return false;
}

void router_bench_change(struct router_bench *b, unsigned kind)
{
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        struct source_config *from = &b->source[p].config;
        struct sink_config *to = &b->sink[p].config;
        from->load = kind == 0 ? 0.2 : kind == 3 ? 0.6 : 1.0;
        from->bubble = kind == 2 ? 0.2 : 0;
        from->bad = 0.01;
        from->illegal = kind == 4 ? 0.05 : 0;
        from->modes = 0x7f;
        to->drain = kind == 3 ? 0.4 : 1.0;
        to->ready = kind == 2 || kind == 3 ? 0.7 : 1.0;
    }
}

bool router_bench_drain(struct router_bench *b, uint64_t limit)
{
    for (unsigned p = 0; p < RTR_PORTS; p++)
        b->source[p].stopped = true;
    while (busy(b)) {
        if (limit-- == 0 || b->over) {
            tap_why("clock %" PRIu64 ": not drained, %" PRIu64 " packets in, %" PRIu64 " out%s",
                    b->clock, b->golden.packets_in, b->golden.packets_out,
                    b->over ? ", ended by its watch" : "");
            return false;
        }
        router_bench_step(b);
    }
    return true;
}

/* ---- registers ------------------------------------------------------------------------------------ */

/*
 * A request stays until ready answers it. Ours answers each within 64 clocks; from one that leaves a request without an
 * answer no more is expected.
 */
static uint64_t bus(struct router_bench *b, struct reg_request request)
{
    const unsigned clocks = b->unanswered ? 1 : 1000;
    b->in.bus = request;
    for (unsigned i = 0; i < clocks && !b->over && (i == 0 || !b->out->bus.ready); i++)
        router_bench_step(b);
    b->unanswered += !b->out->bus.ready;
    b->in.bus = (struct reg_request){0};
    const uint64_t data = b->out->bus.rdata;
    b->refused = b->out->bus.error;
    router_bench_step(b);
    return data;
}

void router_bench_write(struct router_bench *b, unsigned addr, uint64_t data)
{
    bus(b, (struct reg_request){.valid = 1, .write = 1, .addr = (u16)addr, .wdata = data});
}

uint64_t router_bench_read(struct router_bench *b, unsigned addr)
{
    return bus(b, (struct reg_request){.valid = 1, .addr = (u16)addr});
}

unsigned router_bench_address(unsigned port, unsigned reg)
{
    return port / RTR_COLS << 13 | port % RTR_COLS << 10 | reg;
}

uint64_t router_bench_count(const struct router_bench *b, unsigned counter)
{
    uint64_t sum = 0;
    const struct router *router = b->dut.self;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        const struct tile_ctl *ctl = &router->tile[p].ctl;
        sum += (uint64_t)(ctl->counter[counter] + ctl->recent[counter]);
    }
    return sum;
}

/* ---- verdict -------------------------------------------------------------------------------------- */

static bool port_clean(const struct router_bench *b, unsigned p, bool drained)
{
    const struct port_source *source = &b->source[p];
    const struct port_sink *sink = &b->sink[p];
    if (source->credits.wrong)
        tap_why("port %u: %" PRIu64 " credits of the input queue that were never taken", p,
                source->credits.wrong);
    else if (sink->charged.wrong)
        tap_why("port %u: %" PRIu64 " packets were chosen without room for them", p,
                sink->charged.wrong);
    else if (sink->unannounced)
        tap_why("port %u: %" PRIu64 " heads on the link that were not announced", p,
                sink->unannounced);
    else if (drained && (credit_used(&source->credits) || credit_used(&sink->charged)))
        tap_why("port %u: %u credits of the input queue, %u of the next one never came back", p,
                credit_used(&source->credits), credit_used(&sink->charged));
    else
        return true;
    return false;
}

bool router_bench_clean(const struct router_bench *b)
{
    const struct golden_router *g = &b->golden;
    const bool drained = !busy(b);
    if (!golden_router_clean(g)) {
        tap_why("lost %" PRIu64 ", duplicated %" PRIu64 ", corrupt %" PRIu64 ", misrouted %" PRIu64
                ", reordered %" PRIu64 ", wrong %" PRIu64 "; first: %s",
                golden_router_lost(g), g->duplicated, g->corrupt, g->misrouted, g->reordered,
                g->wrong, g->first_error);
        return false;
    }
    for (unsigned p = 0; p < RTR_PORTS; p++)
        if (!port_clean(b, p, drained))
            return false;
    return true;
}
