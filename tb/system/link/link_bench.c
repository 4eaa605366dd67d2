// SPDX-License-Identifier: Apache-2.0
/*
 * link_bench.c - the pair of LCBs; link_bench.h says what is wired to what.
 *
 * All that crosses between the ends in a step is taken from registers, so the order of the two
 * calls does not matter.
 */
#include "tb/system/link/link_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Each end's clock of the world begins elsewhere, so that all parts of it are seen. */
static const uint64_t time_origin[2] = {0x123456789ABC, 0xBA9876543210F};

struct bench_config bench_defaults(void)
{
    const struct traffic_config traffic = {.load = 1,
                                           .min_length = 1,
                                           .max_length =
                                               GOLDEN_MOST_FLITS < 14 ? GOLDEN_MOST_FLITS : 14,
                                           .vcs = 0xff,
                                           .drain = 1,
                                           .shared = LCB_SHARED * 8};
    const struct channel_config cable = {
        .burst_min = 1, .burst_max = CHANNEL_MAX_BURST, .delay = 1};
    return (struct bench_config){.traffic = {traffic, traffic}, .cable = {cable, cable}};
}

unsigned bench_load(uint64_t clock)
{
    const unsigned fours = clock >> 2 & 0xff;
    return fours < 128 ? fours : 255 - fours;
}

/* Gives the LCB how much shared space its input queue has, before the peer learns of it. */
static void grant_space(struct bench *b, unsigned i)
{
    const uint64_t shared = b->config.traffic[i].shared / 8;
    if (shared != LCB_SHARED)
        bench_write(b, i, LCB_REG_TIMEOUT, LCB_TIMEOUT | shared << 16);
}

static void step(void *b)
{
    bench_step(b);
}

void bench_start(struct bench *b, const struct bench_config *config, uint64_t seed)
{
    struct rng seeds;
    rng_seed(&seeds, seed);
    memset(b, 0, sizeof *b);
    b->config = *config;
    b->ends = (struct two_ends){.bench = b, .step = step};
    for (unsigned i = 0; i < 2; i++) {
        struct bench_end *e = &b->end[i];
        dut_start(&e->dut, i ? "LCB 1" : "LCB 0", &ends_model, config->cosim, NULL);
        e->lcb = e->dut.self;
        b->ends.lcb[i] = e->lcb;
        b->ends.in[i] = &e->in;
        source_start(&e->source, &config->traffic[i], rng_next(&seeds));
        sink_start(&e->sink, &config->traffic[i], rng_next(&seeds));
        golden_flow_start(&e->flow);
        channel_start(&b->cable[i], &config->cable[i], &b->cable[1 - i], rng_next(&seeds));
    }
    harness_clock = &b->clock;
    for (unsigned i = 0; i < 2; i++)
        grant_space(b, i);
}

void bench_free(struct bench *b)
{
    for (unsigned i = 0; i < 2; i++) {
        dut_free(&b->end[i].dut);
        golden_flow_free(&b->end[i].flow);
    }
}

/* ---- one clock ------------------------------------------------------------------------------- */

static void cable_to_lanes(struct lcb_in *in, const struct channel_symbol symbol[CHANNEL_LANES])
{
    unsigned valid = 0, up = 0;
    for (unsigned l = 0; l < CHANNEL_LANES; l++) {
        valid |= (unsigned)symbol[l].valid << l;
        up |= (unsigned)symbol[l].up << l;
        in->rx_lane[l] = symbol[l].data;
    }
    in->rx_lane_valid = (lcb_lanes)valid;
    in->rx_lane_up = (lcb_lanes)up;
}

static void upper_side(struct bench *b, unsigned i)
{
    struct bench_end *e = &b->end[i];
    unsigned vc = 0;
    e->in.flit_valid = source_offers(&e->source, e->lcb->out.room);
    e->in.flit = e->source.flit;
    e->in.flit_bad = e->source.marked;
    e->in.freed_valid = sink_frees(&e->sink, &vc);
    e->in.freed_vc = (u3)vc;
    e->in.load = (u7)bench_load(b->clock);
    e->in.now = (lcb_time)(b->clock + time_origin[i]);
}

/* What the LCB takes in this clock is decided by the registers before it. */
static void hand_over(struct bench *b, struct bench_end *e)
{
    if (!e->in.flit_valid || !e->lcb->out.flit_ready)
        return;
    e->taken_at[e->flow.sent % BENCH_TAKEN] = b->clock;
    golden_sent(&e->flow, e->in.flit, e->in.flit_bad);
    source_taken(&e->source);
}

/* A whole micropacket is in front of lcb_rx. */
static void tap_micropacket(struct bench_end *e, const struct golden_lanes *sender)
{
    const struct golden_micropacket *due = &sender->log[e->due % GOLDEN_SENT];
    if (memcmp(due, &e->coming, sizeof e->coming) == 0) {
        e->due++;
        return;
    }
    e->due++;
    if (!golden_micropacket_good(e->coming.slot))
        return;
    for (uint64_t back = 1; back <= GOLDEN_SENT && back <= sender->sent; back++) {
        const uint64_t n = sender->sent - back;
        if (memcmp(&sender->log[n % GOLDEN_SENT], &e->coming, sizeof e->coming) == 0) {
            e->due = n + 1;
            return;
        }
    }
    e->gross_escapes++;
}

static void tap(struct bench_end *e, const struct golden_lanes *sender)
{
    const struct lcb *lcb = e->lcb;
    if (!lcb->lanes_in.out.valid || !lcb->link.out.arm)
        return;
    e->coming.slot[lcb->rx.slot] = lcb->lanes_in.out.word;
    if (lcb->rx.slot == GOLDEN_SLOTS - 1)
        tap_micropacket(e, sender);
}

static void hand_up(struct bench *b, struct bench_end *e, struct bench_end *sender)
{
    const struct lcb_out *out = &e->lcb->out;
    struct golden_flow *f = &sender->flow;
    const struct golden_arrival a = {
        .flit = out->rx_flit, .head = out->rx_head, .tail = out->rx_tail, .bad = out->rx_bad};
    const uint64_t delivered = f->delivered;
    golden_arrived(f, &a);
    sink_arrived(&e->sink, out->rx_flit);
    if (f->delivered == delivered)
        return;
    const uint64_t index = f->sent - f->pending.count - 1;
    const uint64_t latency = b->clock - sender->taken_at[index % BENCH_TAKEN];
    e->latency_sum += latency;
    e->latency_count++;
    if (latency > e->latency_most)
        e->latency_most = latency;
}

/* Follows the window of lcb_tx: when each number's micropacket began and when it was acknowledged. */
static void time_trips(struct bench *b, struct bench_end *e)
{
    struct bench_trip *t = &e->trip;
    const struct lcb_tx *tx = &e->lcb->tx;
    if (tx->next != t->next) {
        t->next = tx->next;
        t->began[(lcb_seq)(tx->next - 1)] = b->clock - (GOLDEN_SLOTS - 1);
    }
    for (; t->base != tx->base; t->base++) {
        const uint64_t clocks = b->clock - t->began[t->base];
        t->clocks += clocks;
        t->micropackets += clocks / GOLDEN_SLOTS + 1;
        t->repeats += (clocks + BENCH_AHEAD) / GOLDEN_SLOTS + 1;
        t->count++;
    }
}

static void check_time(struct bench *b, unsigned i)
{
    enum { OLDEST = 1 << 14 };
    const struct lcb_out *out = &b->end[i].lcb->out;
    if (out->peer_now_valid)
        must_at_most(&b->end[i].times, b->clock - ((uint64_t)out->peer_now - time_origin[1 - i]),
                     OLDEST, "age of the peer's time at end %u", i);
}

/*
 * A new epoch begins at an end only when its input queue is empty; when both are in it, the old one
 * is accounted for.
 */
static void follow_epochs(struct bench *b)
{
    for (unsigned i = 0; i < 2; i++) {
        struct bench_end *e = &b->end[i];
        if (e->epoch != e->lcb->out.epoch)
            e->early_epochs += e->sink.total != 0 || e->sink.left != 0;
        e->epoch = e->lcb->out.epoch;
    }
    if (b->end[0].epoch != b->end[1].epoch || b->end[0].epoch == b->epoch)
        return;
    b->epoch = b->end[0].epoch;
    b->epochs++;
    for (unsigned i = 0; i < 2; i++) {
        struct bench_end *e = &b->end[i];
        if (e->was_reset)
            golden_forgotten(&e->flow);
        else
            golden_died(&e->flow);
        e->was_reset = false;
    }
}

void bench_step(struct bench *b)
{
    struct channel_symbol symbol[2][CHANNEL_LANES];
    for (unsigned i = 0; i < 2; i++) {
        const struct lcb_out *out = &b->end[i].lcb->out;
        uint16_t lane[CHANNEL_LANES];
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            lane[l] = out->tx_lane[l];
        channel_step(&b->cable[i], lane, symbol[1 - i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct bench_end *e = &b->end[i];
        cable_to_lanes(&e->in, symbol[i]);
        upper_side(b, i);
        hand_over(b, e);
        tap(e, &b->cable[1 - i].follow);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct bench_end *e = &b->end[i];
        dut_step(&e->dut, &e->in);
        time_trips(b, e);
        check_time(b, i);
        if (e->lcb->out.rx_valid)
            hand_up(b, e, &b->end[1 - i]);
        if (e->lcb->out.report_valid)
            golden_reported(&e->flow, e->lcb->out.report_flit, e->lcb->out.report_bad);
    }
    follow_epochs(b);
    b->clock++;
}

/* ---- runs ------------------------------------------------------------------------------------ */

void bench_run(struct bench *b, uint64_t clocks)
{
    ends_run(&b->ends, clocks);
}

bool bench_await(struct bench *b, enum link_state state, uint64_t limit)
{
    return ends_await(&b->ends, state, limit);
}

static bool busy(const void *bench)
{
    const struct bench *b = bench;
    for (unsigned i = 0; i < 2; i++) {
        const struct bench_end *e = &b->end[i];
        if (e->source.left > 0 || golden_lost(&e->flow) > 0 || e->flow.left > 0)
            return true;
    }
    return false;
}

bool bench_drain(struct bench *b, uint64_t limit)
{
    b->end[0].source.stopped = b->end[1].source.stopped = true;
    return ends_drain(&b->ends, busy, limit);
}

void bench_cable(struct bench *b, unsigned from, const struct channel_config *config)
{
    b->config.cable[from] = *config;
    channel_change(&b->cable[from], config);
}

void bench_reset(struct bench *b, unsigned end)
{
    for (unsigned i = 0; i < 2; i++) {
        struct bench_end *e = &b->end[i], *peer = &b->end[1 - i];
        if (end != 2 && end != i)
            continue;
        const struct lcb_rx *rx = &e->lcb->rx;
        golden_receiver_reset(&peer->flow, (unsigned)(u4)(rx->commit - rx->read) + rx->fetched);
        dut_reset(&e->dut);
        sink_empty(&e->sink);
        source_start(&e->source, &b->config.traffic[i], rng_next(&e->source.rng));
        e->source.flits = e->flow.sent;
        e->trip = (struct bench_trip){0};
        e->was_reset = true;
    }
    if (end == 2) { /* nobody is left who could report anything */
        b->epoch = 0;
        golden_forgotten(&b->end[0].flow);
        golden_forgotten(&b->end[1].flow);
        b->end[0].was_reset = b->end[1].was_reset = false;
    }
    for (unsigned i = 0; i < 2; i++)
        if (end == 2 || end == i)
            grant_space(b, i);
}

void bench_restart(struct bench *b, unsigned end)
{
    b->end[end].in.restart = 1;
    bench_step(b);
    b->end[end].in.restart = 0;
}

/* ---- register bus ---------------------------------------------------------------------------- */

bool bench_bus_error(struct bench *b, unsigned end, bool write, unsigned addr, uint64_t data)
{
    const struct reg_request request = {
        .valid = 1, .write = write, .addr = (u16)addr, .wdata = data};
    return ends_bus(&b->ends, end, request).error;
}

uint64_t bench_read(struct bench *b, unsigned end, unsigned addr)
{
    return ends_bus(&b->ends, end, (struct reg_request){.valid = 1, .addr = (u16)addr}).rdata;
}

void bench_write(struct bench *b, unsigned end, unsigned addr, uint64_t data)
{
    const struct reg_request request = {.valid = 1, .write = 1, .addr = (u16)addr, .wdata = data};
    (void)ends_bus(&b->ends, end, request);
}

uint64_t bench_count(const struct bench *b, unsigned end, enum lcb_counter counter)
{
    return ends_count(&b->ends, end, counter);
}

/* ---- verdict --------------------------------------------------------------------------------- */

uint64_t bench_escapes(const struct bench *b)
{
    return b->cable[0].escapes + b->cable[1].escapes + b->end[0].gross_escapes +
           b->end[1].gross_escapes;
}

double bench_escapes_expected(const struct bench *b)
{
    double expected = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct channel *c = &b->cable[i];
        const uint64_t wrong = bench_count(b, 1 - i, COUNT_CRC);
        /* bad CRCs that no micropacket's pattern explains: words that never were one */
        const uint64_t garbage = wrong > c->errored ? wrong - c->errored : 0;
        expected += (double)c->blind * CHANNEL_PASSES + (double)garbage / (1 << GOLDEN_DEGREE);
    }
    return expected;
}

bool bench_clean(const struct bench *b)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct bench_end *e = &b->end[i];
        const struct golden_flow *f = &e->flow;
        if (!golden_clean(f)) {
            tap_why("end %u: lost %" PRIu64 ", duplicated %" PRIu64 ", reordered %" PRIu64
                    ", corrupt %" PRIu64 ", wrong %" PRIu64 "; first: %s",
                    i, golden_lost(f), f->duplicated, f->reordered, f->corrupt, f->wrong,
                    f->first_error);
            return false;
        }
        if (e->sink.overflows) {
            tap_why("end %u: %" PRIu64 " flits beyond the granted input queue", i,
                    e->sink.overflows);
            return false;
        }
        if (e->early_epochs) {
            tap_why("end %u: %" PRIu64 " epochs began with flits in the input queue", i,
                    e->early_epochs);
            return false;
        }
        if (!misses_why(&e->times)) {
            return false;
        }
    }
    return true;
}

uint64_t bench_mismatches(const struct bench *b)
{
    return b->end[0].dut.mismatches + b->end[1].dut.mismatches + b->end[0].dut.rtl_failed +
           b->end[1].dut.rtl_failed;
}
