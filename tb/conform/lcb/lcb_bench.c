// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_bench.c - the design at a cable; lcb_bench.h says what is wired to what.
 *
 * All that crosses between the ends in a step is taken from registers, so the order of the two steps does not matter.
 */
#include "tb/conform/lcb/lcb_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lcb_ports.h"
#include "tb/base/harness.h"
#include "tb/conform/conform.h"
#include "tb/conform/foreign.h"
#include "tb/conform/lcb/checks.h"

enum {
    RESET_CLOCKS = 10,
    BUS_CLOCKS = 1000,
    DRAIN_LIMIT = 60000,
    SETTLE = 4000,       /* clocks after which the last credit must have come */
    MOST_ACCEPTED = 640, /* flits that a receiver may have acknowledged and not handed up */
    LOAD_CLOCKS = 5,     /* load changes every 32 clocks */
    LOAD_LATE = 56,      /* of its 128 values */
    LOAD_AHEAD = 7,      /* when only its high part came, and that is lower */
    STEADY = 3000,       /* clocks after which load must be right */
    TIME_LATE = 1 << 14,
    LATE =
        100, /* clocks that a flit may come behind a younger one, to be called reordered and not lost */
};

/* Each end's clock of the world begins elsewhere, so that all parts of it are seen. */
static const uint64_t time_origin[2] = {0x123456789ABC, 0xBA9876543210F};

static const char *const who[2] = {"the design", "its peer"};

struct lcb_bench_config lcb_bench_defaults(bool same)
{
    const struct traffic_config traffic = {.load = 1,
                                           .min_length = 1,
                                           .max_length = 14,
                                           .vcs = 0xff,
                                           .drain = 1,
                                           .shared = LCB_SHARED * 8};
    const struct channel_config cable = {
        .burst_min = 1, .burst_max = CHANNEL_MAX_BURST, .delay = 5};
    return (struct lcb_bench_config){
        .same = same, .traffic = {traffic, traffic}, .cable = {cable, cable}};
}

/* ---- ends -------------------------------------------------------------------------------------------- */

static void power_up(struct lcb_end *e)
{
    memset(&e->out, 0, sizeof e->out);
    lcb_reset(&e->native);
    if (e->foreign)
        e->in_reset = RESET_CLOCKS;
    else
        e->out = e->native.out;
}

/* Lockstep: the first output that differs. */
static void compare(const struct lcb_end *e, const uint32_t *out, uint64_t clock)
{
    uint32_t ours[(PORTS_OUT_BITS + 31) / 32] = {0};
    ports_pack_out(&e->native.out, ours);
    for (unsigned i = 0; i < sizeof ports_out / sizeof *ports_out; i++) {
        const unsigned lsb = ports_out[i].lsb, width = ports_out[i].width;
        if (bits_same(ours, out, lsb, width))
            continue;
        conform_fails(LCB_EXACT, clock, "%s is %" PRIx64 ", ours is %" PRIx64, ports_out[i].name,
                      bits_get(out, lsb, width), bits_get(ours, lsb, width));
        return;
    }
}

static void step_foreign(struct lcb_end *e, uint64_t clock)
{
    uint32_t in[(PORTS_IN_BITS + 31) / 32] = {0}, out[(PORTS_OUT_BITS + 31) / 32 + 1] = {0};
    const bool reset = e->in_reset > 0;
    ports_pack_in(&e->in, in);
    foreign_step(e->foreign, reset, in, out);
    e->in_reset -= reset;
    if (reset)
        return;
    ports_unpack_out(out, &e->out);
    if (!conform_exact())
        return;
    lcb(&e->native, &e->in);
    compare(e, out, clock);
}

static void step_end(struct lcb_end *e, uint64_t clock)
{
    if (e->foreign) {
        step_foreign(e, clock);
    } else {
        lcb(&e->native, &e->in);
        e->out = e->native.out;
    }
}

/* Gives the LCB how much shared space its input queue has, before the peer learns of it. */
static void grant_space(struct lcb_bench *b, unsigned i)
{
    const uint64_t shared = b->config.traffic[i].shared / 8;
    if (shared != LCB_SHARED)
        lcb_bench_write(b, i, LCB_REG_TIMEOUT, LCB_TIMEOUT | shared << 16);
}

void lcb_bench_start(struct lcb_bench *b, const struct lcb_bench_config *config, uint64_t seed)
{
    struct rng seeds;
    rng_seed(&seeds, seed);
    memset(b, 0, sizeof *b);
    b->config = *config;
    for (unsigned i = 0; i < 2; i++) {
        struct lcb_end *e = &b->end[i];
        if (i == 0 || config->same)
            e->foreign = foreign_new(i ? "end1" : "end0");
        e->in.identity =
            (struct link_identity){.chip = (u16)(LCB_CHIP + i), .port = (u6)(LCB_PORT + i)};
        power_up(e);
        source_start(&e->source, &config->traffic[i], rng_next(&seeds));
        sink_start(&e->sink, &config->traffic[i], rng_next(&seeds));
        golden_flow_start(&e->flow);
        wire_start(&e->wire);
        channel_start(&b->cable[i], &config->cable[i], &b->cable[1 - i], rng_next(&seeds));
    }
    harness_clock = &b->clock;
    for (unsigned i = 0; i < 2; i++)
        grant_space(b, i);
}

void lcb_bench_free(struct lcb_bench *b)
{
    for (unsigned i = 0; i < 2; i++)
        golden_flow_free(&b->end[i].flow);
}

/* ---- one clock: in ----------------------------------------------------------------------------------- */

static void cable_to_lanes(struct lcb_in *in, const struct channel_symbol symbol[CHANNEL_LANES])
{
    unsigned valid = 0, up = 0;
    for (unsigned l = 0; l < CHANNEL_LANES; l++) {
        valid |= (unsigned)symbol[l].valid << l;
        up |= (unsigned)symbol[l].up << l;
        in->rx_lane[l] = symbol[l].data;
    }
    in->rx_lane_valid = (u3)valid;
    in->rx_lane_up = (u3)up;
}

static void upper_side(struct lcb_bench *b, unsigned i)
{
    struct lcb_end *e = &b->end[i];
    unsigned vc = 0;
    e->in.flit_valid = e->in_reset == 0 && source_offers(&e->source, e->out.room);
    e->in.flit = e->source.flit;
    e->in.flit_bad = e->source.marked;
    e->in.freed_valid = sink_frees(&e->sink, &vc);
    e->in.freed_vc = (u3)vc;
    e->in.load = (u7)(b->clock >> LOAD_CLOCKS);
    e->in.now = (lcb_time)(b->clock + time_origin[i]);
}

/* What the LCB takes in this clock is decided by its outputs before it. */
static void hand_over(struct lcb_bench *b, struct lcb_end *e)
{
    if (!e->in.flit_valid || !e->out.flit_ready)
        return;
    e->taken_at[e->flow.sent % LCB_TAKEN] = b->clock;
    golden_sent(&e->flow, e->in.flit, e->in.flit_bad);
    source_taken(&e->source);
}

/* ---- one clock: out ---------------------------------------------------------------------------------- */

/* What a flow complained of just now, by the check that it concerns: it counts some of them together, the text tells them apart. */
static void name_faults(struct lcb_bench *b, unsigned from, const struct golden_flow *before)
{
    const struct golden_flow *f = &b->end[from].flow;
    const bool framing = strstr(f->first_error, "head mark") ||
                         strstr(f->first_error, "tail mark") ||
                         strstr(f->first_error, "never closed") || strstr(f->first_error, "filler");
    const bool reports = strstr(f->first_error, "report") || strstr(f->first_error, "passed over");
    int check = -1;
    if (f->skipped.count > before->skipped.count) {
        struct lcb_end *e = &b->end[from];
        e->skipped_at = b->clock;
        memcpy(e->skipped, f->first_error, sizeof e->skipped);
    }
    if (f->duplicated > before->duplicated)
        check = LCB_DELIVERY;
    if (f->reordered > before->reordered)
        check = LCB_ORDER;
    if (f->corrupt > before->corrupt)
        check = framing ? LCB_FRAMING : LCB_BODIES;
    if (f->wrong > before->wrong)
        check = framing ? LCB_FRAMING : reports ? LCB_REPORTS : LCB_MARKS;
    if (check >= 0)
        conform_fails((unsigned)check, b->clock, "from %s: %s", who[from], f->first_error);
}

static void hand_up(struct lcb_bench *b, unsigned i)
{
    struct lcb_end *e = &b->end[i];
    struct golden_flow *f = &b->end[1 - i].flow;
    const struct golden_arrival a = {.flit = e->out.rx_flit,
                                     .head = e->out.rx_head,
                                     .tail = e->out.rx_tail,
                                     .bad = e->out.rx_bad};
    const struct golden_flow before = {.duplicated = f->duplicated,
                                       .reordered = f->reordered,
                                       .corrupt = f->corrupt,
                                       .wrong = f->wrong,
                                       .skipped = f->skipped};
    golden_arrived(f, &a);
    name_faults(b, 1 - i, &before);
    sink_arrived(&e->sink, e->out.rx_flit);
    if (e->sink.overflows)
        conform_fails(LCB_CREDITS, b->clock,
                      "%s sends flit %012" PRIx64 " of VC %u, for which %s has lent it no room",
                      who[1 - i], a.flit, e->sink.vc, who[i]);
}

/* What was passed over comes late, or it is lost. */
static void check_skipped(struct lcb_bench *b, unsigned i)
{
    const struct lcb_end *e = &b->end[i];
    if (e->flow.skipped.count > 0 && b->clock == e->skipped_at + LATE)
        conform_fails(LCB_DELIVERY, e->skipped_at, "from %s: %s, and that did not come", who[i],
                      e->skipped);
}

static void take_report(struct lcb_bench *b, unsigned i)
{
    struct lcb_end *e = &b->end[i];
    const uint64_t wrong = e->flow.wrong;
    golden_reported(&e->flow, e->out.report_flit, e->out.report_bad);
    if (e->flow.wrong > wrong)
        conform_fails(LCB_REPORTS, b->clock, "%s: %s", who[i], e->flow.first_error);
}

static void check_sideband(struct lcb_bench *b, unsigned i)
{
    struct lcb_end *e = &b->end[i];
    const struct lcb_out *o = &e->out;
    if (o->state != LINK_RUN || b->end[1 - i].out.state != LINK_RUN)
        e->runs_since = b->clock;
    if (o->peer_now_valid) {
        e->times++;
        const uint64_t late = b->clock - ((uint64_t)o->peer_now - time_origin[1 - i]);
        if (late > TIME_LATE)
            conform_fails(LCB_SIDEBAND, b->clock,
                          "%s takes the time of the other end for %013" PRIx64
                          ", it is %013" PRIx64,
                          who[i], (uint64_t)o->peer_now, b->clock + time_origin[1 - i]);
        const uint64_t delay = late - o->peer_age;
        if (e->delay_at > e->runs_since && delay != e->delay)
            conform_fails(LCB_SIDEBAND, b->clock,
                          "%s says that a snapshot took %" PRIi64
                          " clocks, the one before %" PRIi64,
                          who[i], (int64_t)delay, (int64_t)e->delay);
        e->delay = delay;
        e->delay_at = b->clock;
    }
    const unsigned ahead = (unsigned)(b->clock >> LOAD_CLOCKS) + LOAD_AHEAD;
    const unsigned late = (ahead - (unsigned)o->peer_load) % 128;
    if (b->clock > e->runs_since + STEADY && late > LOAD_LATE + LOAD_AHEAD)
        conform_fails(LCB_SIDEBAND, b->clock, "%s takes the load of the other end for %u, it is %u",
                      who[i], (unsigned)o->peer_load, (unsigned)(b->clock >> LOAD_CLOCKS) % 128);
}

/* ---- epochs ------------------------------------------------------------------------------------------ */

/* The old epoch is accounted for: all that did not arrive was reported, but for what a reset took with it. */
static void settle_flow(struct lcb_bench *b, unsigned i)
{
    struct lcb_end *e = &b->end[i];
    const uint64_t wrong = e->flow.wrong, open = e->flow.pending.count;
    if (e->peer_was_reset && open > e->flow.listed && open - e->flow.listed <= MOST_ACCEPTED)
        golden_receiver_reset(&e->flow, (unsigned)(open - e->flow.listed));
    if (e->was_reset)
        golden_forgotten(&e->flow);
    else
        golden_died(&e->flow);
    if (e->flow.wrong > wrong)
        conform_fails(strstr(e->flow.first_error, "never closed") ? LCB_FRAMING : LCB_REPORTS,
                      b->clock, "%s, epoch %u is over: %s", who[i], (unsigned)(e->epoch - 1) % 16,
                      e->flow.first_error);
    e->was_reset = e->peer_was_reset = false;
}

static void follow_epochs(struct lcb_bench *b)
{
    for (unsigned i = 0; i < 2; i++) {
        struct lcb_end *e = &b->end[i];
        if (e->epoch != e->out.epoch && e->in_reset == 0 &&
            (e->sink.total != 0 || e->sink.left != 0))
            conform_fails(LCB_EPOCHS, b->clock,
                          "%s begins epoch %u with %u flits in its input queue%s", who[i],
                          (unsigned)e->out.epoch, e->sink.total,
                          e->sink.left ? " and an open packet" : "");
        e->epoch = e->out.epoch;
    }
    if (b->end[0].epoch != b->end[1].epoch || b->end[0].epoch == b->epoch)
        return;
    b->epoch = b->end[0].epoch;
    b->epochs++;
    for (unsigned i = 0; i < 2; i++)
        settle_flow(b, i);
}

/* ---- the clock --------------------------------------------------------------------------------------- */

static void step_cables(struct lcb_bench *b, struct channel_symbol symbol[2][CHANNEL_LANES])
{
    for (unsigned i = 0; i < 2; i++) {
        const struct lcb_out *out = &b->end[i].out;
        const uint16_t lane[CHANNEL_LANES] = {out->tx_lane[0], out->tx_lane[1], out->tx_lane[2]};
        channel_step(&b->cable[i], lane, symbol[1 - i]);
        wire_clock(&b->end[i].wire, &b->cable[i].follow, lane, &b->end[1 - i].wire,
                   b->config.cable[i].ack_forge > 0, b->clock);
    }
}

void lcb_bench_step(struct lcb_bench *b)
{
    struct channel_symbol symbol[2][CHANNEL_LANES];
    if (b->over)
        return;
    step_cables(b, symbol);
    for (unsigned i = 0; i < 2; i++) {
        cable_to_lanes(&b->end[i].in, symbol[i]);
        upper_side(b, i);
        hand_over(b, &b->end[i]);
    }
    for (unsigned i = 0; i < 2; i++)
        step_end(&b->end[i], b->clock);
    for (unsigned i = 0; i < 2; i++) {
        if (b->end[i].out.rx_valid)
            hand_up(b, i);
        if (b->end[i].out.report_valid)
            take_report(b, i);
        check_skipped(b, i);
        check_sideband(b, i);
    }
    follow_epochs(b);
    b->over = !conform_clock(++b->clock);
}

void lcb_bench_run(struct lcb_bench *b, uint64_t clocks)
{
    while (clocks-- > 0)
        lcb_bench_step(b);
}

bool lcb_bench_await(struct lcb_bench *b, enum link_state state, uint64_t limit)
{
    while (b->end[0].out.state != state || b->end[1].out.state != state) {
        if (limit-- == 0 || b->over)
            return false;
        lcb_bench_step(b);
    }
    return true;
}

bool lcb_bench_up(struct lcb_bench *b, unsigned check, uint64_t limit)
{
    if (lcb_bench_await(b, LINK_RUN, limit))
        return true;
    if (!b->over)
        conform_fails(check, b->clock,
                      "after %" PRIu64
                      " clocks the design is in state %u, its peer in %u; 4 is RUN",
                      limit, (unsigned)b->end[0].out.state, (unsigned)b->end[1].out.state);
    b->over = true;
    return false;
}

/* ---- the end of a run -------------------------------------------------------------------------------- */

static bool busy(const struct lcb_bench *b)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct lcb_end *e = &b->end[i];
        if (e->source.left > 0 || golden_lost(&e->flow) > 0 || e->flow.left > 0)
            return true;
    }
    return false;
}

/* The oldest flit that did not come, and when it was taken. */
static void name_lost(struct lcb_bench *b, unsigned i)
{
    const struct lcb_end *e = &b->end[i];
    const struct golden_queue *q = e->flow.skipped.count ? &e->flow.skipped : &e->flow.pending;
    if (golden_lost(&e->flow) == 0)
        return;
    const uint64_t flit = q->item[q->head & (q->room - 1)].flit;
    const uint64_t number = e->flow.sent - e->flow.pending.count;
    const uint64_t taken = e->flow.skipped.count ? b->clock : e->taken_at[number % LCB_TAKEN];
    conform_fails(LCB_DELIVERY, taken,
                  "%s took flit %012" PRIx64 " and it never came: %" PRIu64 " flits are missing",
                  who[i], flit, golden_lost(&e->flow));
}

static void name_stuck(struct lcb_bench *b, unsigned i)
{
    const struct lcb_end *e = &b->end[i];
    name_lost(b, i);
    if (e->source.left > 0 && golden_lost(&e->flow) == 0)
        conform_fails(e->source.head ? LCB_CREDITS : LCB_DELIVERY, b->clock,
                      "%s does not take flit %012" PRIx64 ", room is %02x", who[i], e->source.flit,
                      (unsigned)e->out.room);
}

void lcb_bench_finish(struct lcb_bench *b)
{
    for (unsigned i = 0; i < 2; i++) {
        struct channel_config good = b->config.cable[i];
        good.ber = good.burst_rate = good.ack_loss = good.ack_forge = 0;
        lcb_bench_cable(b, i, &good);
        lcb_bench_lanes(b, i, 7, LANE_GOOD);
        b->end[i].source.stopped = true;
        b->end[i].sink.config.drain = 1;
    }
    for (unsigned n = 0; n < DRAIN_LIMIT && busy(b) && !b->over; n++)
        lcb_bench_step(b);
    if (b->over)
        return;
    for (unsigned i = 0; i < 2; i++)
        name_stuck(b, i);
    lcb_bench_run(b, SETTLE);
    for (unsigned i = 0; i < 2 && !b->over; i++)
        if (b->end[i].out.room != 0xff)
            conform_fails(LCB_CREDITS, b->clock,
                          "all is delivered and freed, and %s still has no room on VCs %02x",
                          who[i], 0xff & ~(unsigned)b->end[i].out.room);
}

/* ---- what may happen to it --------------------------------------------------------------------------- */

void lcb_bench_cable(struct lcb_bench *b, unsigned from, const struct channel_config *config)
{
    b->config.cable[from] = *config;
    channel_change(&b->cable[from], config);
}

void lcb_bench_lanes(struct lcb_bench *b, unsigned from, unsigned lanes, enum lane_state state)
{
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        if (lanes >> l & 1)
            channel_lane(&b->cable[from], l, state);
}

static void reset_end(struct lcb_bench *b, unsigned i)
{
    struct lcb_end *e = &b->end[i], *peer = &b->end[1 - i];
    golden_receiver_reset(&peer->flow, 0);
    power_up(e);
    sink_empty(&e->sink);
    source_start(&e->source, &b->config.traffic[i], rng_next(&e->source.rng));
    e->source.flits = e->flow.sent;
    wire_start(&e->wire);
    e->was_reset = peer->peer_was_reset = true;
}

void lcb_bench_reset(struct lcb_bench *b, unsigned end)
{
    for (unsigned i = 0; i < 2; i++)
        if (end == 2 || end == i)
            reset_end(b, i);
    if (end == 2) { /* nobody is left who could report anything */
        b->epoch = 0;
        for (unsigned i = 0; i < 2; i++) {
            golden_forgotten(&b->end[i].flow);
            b->end[i].epoch = 0;
            b->end[i].was_reset = b->end[i].peer_was_reset = false;
        }
    }
    for (unsigned i = 0; i < 2; i++)
        if (end == 2 || end == i)
            grant_space(b, i);
}

void lcb_bench_restart(struct lcb_bench *b, unsigned end)
{
    b->end[end].in.restart = 1;
    lcb_bench_step(b);
    b->end[end].in.restart = 0;
}

/* ---- register bus ------------------------------------------------------------------------------------ */

/* A request stays until ready answers it. */
static uint64_t bus(struct lcb_bench *b, unsigned end, struct reg_request request)
{
    struct lcb_end *e = &b->end[end];
    while (e->in_reset > 0 && !b->over)
        lcb_bench_step(b);
    e->in.bus = request;
    for (unsigned i = 0; i < BUS_CLOCKS && (i == 0 || !e->out.bus.ready); i++)
        lcb_bench_step(b);
    if (!e->out.bus.ready && !b->over)
        conform_fails(LCB_REGISTERS, b->clock,
                      "%s does not answer a %s of register %02x in %u clocks", who[end],
                      request.write ? "write" : "read", (unsigned)request.addr, BUS_CLOCKS);
    e->in.bus = (struct reg_request){0};
    const uint64_t data = e->out.bus.rdata;
    for (unsigned i = 0; i < BUS_CLOCKS && e->out.bus.ready && !b->over; i++)
        lcb_bench_step(b);
    return data;
}

uint64_t lcb_bench_read(struct lcb_bench *b, unsigned end, unsigned addr)
{
    return bus(b, end, (struct reg_request){.valid = 1, .addr = (u16)addr});
}

void lcb_bench_write(struct lcb_bench *b, unsigned end, unsigned addr, uint64_t data)
{
    bus(b, end, (struct reg_request){.valid = 1, .write = 1, .addr = (u16)addr, .wdata = data});
}
