// SPDX-License-Identifier: Apache-2.0
/*
 * episode_bench.c - the ends, their cables and plugs; episode_bench.h says what is wired to what.
 *
 * All that crosses between the ends in a step is taken from registers, so the order of the calls does not matter.
 */
#include "tb/system/link/episode/episode_bench.h"

#include <string.h>

#define FLIT_MASK ((UINT64_C(1) << GOLDEN_FLIT_BITS) - 1)

/* ---- start and reset ------------------------------------------------------------------------- */

struct episode_plug episode_plug_into(unsigned from)
{
    return (struct episode_plug){.from = from, .lane = {0, 1, 2}};
}

/* Flits are numbered on from `first`, so no two of an episode are alike. */
static void start_source(struct episode_end *e, uint64_t first, uint64_t seed)
{
    source_start(&e->source, &e->traffic, seed);
    e->source.flits = first;
}

void episode_bench_start(struct episode_bench *b, unsigned ends,
                         const struct traffic_config traffic[EPISODE_ENDS],
                         const struct channel_config cable[EPISODE_ENDS], uint64_t seed)
{
    struct rng seeds;
    rng_seed(&seeds, seed);
    b->clock = 0;
    b->ends = ends;
    rng_seed(&b->noise, rng_next(&seeds));
    harness_clock = &b->clock;
    ledger_start(&b->ledger);
    for (unsigned i = 0; i < ends; i++) {
        struct episode_end *e = &b->end[i];
        memset(e, 0, sizeof *e);
        lcb_reset(&e->lcb);
        e->traffic = traffic[i];
        start_source(e, (uint64_t)i * EPISODE_FLITS, rng_next(&seeds));
        sink_start(&e->sink, &traffic[i], rng_next(&seeds));
        channel_start(&e->cable, &cable[i], i < 2 ? &b->end[1 - i].cable : NULL, rng_next(&seeds));
        e->plug = episode_plug_into(i < 2 ? 1 - i : EPISODE_NOBODY);
        e->time = rng_next(&seeds);
    }
}

static void keep_counters(struct episode_end *e)
{
    e->timeouts += e->lcb.regs.counter[COUNT_TIMEOUTS];
    e->deaths += e->lcb.regs.counter[COUNT_DEATHS];
    e->reinits += e->lcb.regs.counter[COUNT_REINITS];
}

void episode_bench_reset(struct episode_bench *b, unsigned end)
{
    struct episode_end *e = &b->end[end];
    const struct lcb_rx *rx = &e->lcb.rx;
    if (rx->fetched)
        ledger_forgotten(&b->ledger, (uint64_t)rx->raw);
    for (unsigned n = 0; n < (u4)(rx->commit - rx->read); n++)
        ledger_forgotten(&b->ledger, (uint64_t)rx->buffer[(u4)(rx->read + n)] & FLIT_MASK);
    ledger_reset(&b->ledger, end);
    keep_counters(e);
    lcb_reset(&e->lcb);
    memset(e->lcb.regs.counter, 0, sizeof e->lcb.regs.counter);
    sink_empty(&e->sink);
    start_source(e, e->source.flits, rng_next(&e->source.rng));
    e->epoch = e->lcb.out.epoch;
}

/* ---- one clock ------------------------------------------------------------------------------- */

/* What one lane of an end hears. */
static struct channel_symbol hear_lane(struct episode_bench *b, const struct episode_plug *p,
                                       unsigned l)
{
    struct channel_symbol s = {.valid = 1};
    if (p->from != EPISODE_NOBODY)
        s = b->end[p->from].leaving[p->lane[l]];
    if (p->noisy >> l & 1) {
        s.valid = s.up = 1;
        s.data = p->noise == PLUG_NOISE ? (uint16_t)rng_next(&b->noise)
                 : p->noise == PLUG_ONE ? 0xffff
                                        : 0;
    }
    if (p->words_flap)
        s.valid &= (uint8_t)rng_next(&b->noise);
    if (p->clocks_flap)
        s.up &= (uint8_t)rng_next(&b->noise);
    return s;
}

static void hear(struct episode_bench *b, struct episode_end *e)
{
    unsigned valid = 0, up = 0;
    for (unsigned l = 0; l < CHANNEL_LANES; l++) {
        const struct channel_symbol s = hear_lane(b, &e->plug, l);
        valid |= (unsigned)s.valid << l;
        up |= (unsigned)s.up << l;
        e->in.rx_lane[l] = s.data;
    }
    e->in.rx_lane_valid = (u3)valid;
    e->in.rx_lane_up = (u3)up;
}

/* What the LCB takes in this clock is decided by the registers before it. */
static void upper_side(struct episode_bench *b, unsigned i)
{
    struct episode_end *e = &b->end[i];
    unsigned vc = 0;
    e->in.flit_valid = source_offers(&e->source, e->lcb.out.room);
    e->in.flit = e->source.flit;
    e->in.flit_bad = e->source.marked;
    e->in.freed_valid = sink_frees(&e->sink, &vc);
    e->in.freed_vc = (u3)vc;
    e->in.load = (u7)(b->clock >> 2);
    e->in.now = (lcb_time)(b->clock + e->time);
    e->in.identity = e->identity;
    if (e->in.flit_valid && e->lcb.out.flit_ready) {
        ledger_taken(&b->ledger, i, e->source.flit, e->source.marked);
        source_taken(&e->source);
    }
}

/* Whether this end sent the micropacket not long ago. */
static bool sent_by(struct episode_end *e, const struct golden_lanes *sender)
{
    for (uint64_t back = 1; back <= GOLDEN_SENT && back <= sender->sent; back++) {
        const uint64_t n = sender->sent - back;
        if (memcmp(&sender->log[n % GOLDEN_SENT], &e->coming, sizeof e->coming) == 0) {
            e->due = n + 1;
            return true;
        }
    }
    return false;
}

/* A whole micropacket is in front of lcb_rx. */
static void tap_micropacket(struct episode_bench *b, struct episode_end *e)
{
    const unsigned from = e->plug.from;
    if (from != EPISODE_NOBODY) {
        const struct golden_lanes *sender = &b->end[from].cable.follow;
        if (memcmp(&sender->log[e->due++ % GOLDEN_SENT], &e->coming, sizeof e->coming) == 0)
            return;
    }
    if (!golden_micropacket_good(e->coming.slot))
        return;
    bool known = false;
    for (unsigned i = 0; i < b->ends && !known; i++)
        known = sent_by(e, &b->end[i].cable.follow);
    e->strangers += !known;
}

static void tap(struct episode_bench *b, struct episode_end *e)
{
    const struct lcb *lcb = &e->lcb;
    if (!lcb->lanes_in.out.valid || !lcb->link.out.arm)
        return;
    e->coming.slot[lcb->rx.slot] = lcb->lanes_in.out.word;
    if (lcb->rx.slot == GOLDEN_SLOTS - 1)
        tap_micropacket(b, e);
}

/* What came out of the LCB in this clock. */
static void listen(struct episode_bench *b, unsigned i)
{
    struct episode_end *e = &b->end[i];
    const struct lcb_out *out = &e->lcb.out;
    if (out->rx_valid) {
        const struct golden_arrival a = {
            .flit = out->rx_flit, .head = out->rx_head, .tail = out->rx_tail, .bad = out->rx_bad};
        ledger_arrived(&b->ledger, i, &a);
        sink_arrived(&e->sink, out->rx_flit);
    }
    if (out->report_valid)
        ledger_reported(&b->ledger, i, out->report_flit, out->report_bad);
    if (e->epoch != out->epoch) {
        e->epochs++;
        e->early_epochs += e->sink.total != 0 || e->sink.left != 0;
        ledger_new_epoch(&b->ledger, i);
        e->epoch = out->epoch;
    }
}

void episode_bench_step(struct episode_bench *b)
{
    for (unsigned i = 0; i < b->ends; i++) {
        struct episode_end *e = &b->end[i];
        const u16 *out = e->lcb.out.tx_lane;
        const uint16_t lane[CHANNEL_LANES] = {out[0], out[1], out[2]};
        channel_step(&e->cable, lane, e->leaving);
    }
    for (unsigned i = 0; i < b->ends; i++) {
        hear(b, &b->end[i]);
        upper_side(b, i);
        tap(b, &b->end[i]);
    }
    for (unsigned i = 0; i < b->ends; i++) {
        lcb(&b->end[i].lcb, &b->end[i].in);
        listen(b, i);
    }
    b->clock++;
}

void episode_bench_run(struct episode_bench *b, uint64_t clocks)
{
    while (clocks-- > 0)
        episode_bench_step(b);
}

/* A request stays until ready answers it. */
void episode_bench_write(struct episode_bench *b, unsigned end, unsigned addr, uint64_t data)
{
    enum { BUS_CLOCKS = 8 };
    struct episode_end *e = &b->end[end];
    e->in.bus = (struct reg_request){.valid = 1, .write = 1, .addr = (u16)addr, .wdata = data};
    for (unsigned n = 0; n < BUS_CLOCKS && (n == 0 || !e->lcb.out.bus.ready); n++)
        episode_bench_step(b);
    e->in.bus = (struct reg_request){0};
}

/* ---- what happened --------------------------------------------------------------------------- */

uint64_t episode_bench_escapes(const struct episode_bench *b)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < b->ends; i++)
        sum += b->end[i].cable.escapes + b->end[i].strangers;
    return sum;
}

uint64_t episode_bench_owed(const struct episode_bench *b, unsigned end)
{
    const struct lcb_credit *c = &b->end[end].lcb.credit;
    uint64_t owed = 0;
    for (unsigned vc = 0; vc < LCB_VCS; vc++)
        owed += (lcb_steps)((c->charged[vc] >> LCB_STEP_LOG2) - c->known[vc]);
    return owed;
}

uint64_t episode_bench_timeouts(const struct episode_bench *b)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < b->ends; i++)
        sum += b->end[i].timeouts + b->end[i].lcb.regs.counter[COUNT_TIMEOUTS];
    return sum;
}

uint64_t episode_bench_deaths(const struct episode_bench *b)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < b->ends; i++)
        sum += b->end[i].deaths + b->end[i].lcb.regs.counter[COUNT_DEATHS];
    return sum;
}
