// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_bench.c - the pair of LCBs in packet mode; pkt_bench.h says what is wired to what.
 */
#include "tb/system/link/pkt_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NO_FLIT = GOLDEN_LONGEST + 16, MODE_LSB = GOLDEN_CONTENT_BITS - LCB_VC_BITS - 3 };

struct pkt_bench_config pkt_bench_defaults(void)
{
    const struct pkt_traffic traffic = {
        .load = 1, .min_length = 2, .max_length = 32, .vcs = (1 << LCB_VCS) - 1, .drain = 1};
    const struct pkt_channel_config cable = {
        .burst_min = 1, .burst_max = CHANNEL_MAX_BURST, .delay = 1};
    return (struct pkt_bench_config){.traffic = {traffic, traffic}, .cable = {cable, cable}};
}

static void step(void *b)
{
    pkt_bench_step(b);
}

void pkt_bench_start(struct pkt_bench *b, const struct pkt_bench_config *config, uint64_t seed)
{
    struct rng seeds;
    rng_seed(&seeds, seed);
    memset(b, 0, sizeof *b);
    b->config = *config;
    b->ends = (struct two_ends){.bench = b, .step = step};
    for (unsigned i = 0; i < 2; i++) {
        struct pkt_end *e = &b->end[i];
        dut_start(&e->dut, i ? "LCB 1" : "LCB 0", &ends_model, config->cosim, NULL);
        e->lcb = e->dut.self;
        b->ends.lcb[i] = e->lcb;
        b->ends.in[i] = &e->in;
        e->traffic = config->traffic[i];
        e->latency_least = UINT64_MAX;
        rng_seed(&e->rng, rng_next(&seeds));
        pkt_queue_start(&e->queue, LCB_VCS, GOLDEN_CONTENT_BITS - LCB_VC_BITS, e->traffic.drain,
                        rng_next(&seeds));
        golden_reader_start(&e->reader, LCB_CLIP, LCB_VC_BITS);
        pkt_channel_start(&b->cable[i], &config->cable[i], rng_next(&seeds));
    }
    harness_clock = &b->clock;
}

void pkt_bench_free(struct pkt_bench *b)
{
    for (unsigned i = 0; i < 2; i++) {
        dut_free(&b->end[i].dut);
        golden_packets_free(&b->end[i].ledger);
    }
}

/* ---- a source ---------------------------------------------------------------------------------- */

static uint32_t random_content(struct rng *r)
{
    const uint32_t x = (uint32_t)rng_next(r) & GOLDEN_CONTENT;
    return rng_below(r, 8) == 0 ? GOLDEN_HOLD
                                : x; /* what a hold has in it is data like any other */
}

/* A new packet: its head, sometimes of mode SOURCE and then with another one behind it, and its core CRC. */
static void make_packet(struct pkt_end *e)
{
    const struct pkt_traffic *t = &e->traffic;
    e->length = t->every && e->packets % t->every == 0
                    ? t->other
                    : t->min_length + rng_below(&e->rng, t->max_length - t->min_length + 1);
    e->at = 0;
    for (unsigned i = 0; i < e->length; i++)
        e->flit[i] = random_content(&e->rng);
    if (rng_below(&e->rng, 8) == 0)
        e->flit[0] |= 7u << MODE_LSB;
    e->flit[0] = (e->flit[0] & ((1u << (GOLDEN_CONTENT_BITS - LCB_VC_BITS)) - 1)) |
                 e->vc << (GOLDEN_CONTENT_BITS - LCB_VC_BITS);
    uint32_t *end = &e->flit[e->length - 1];
    const bool arrived = rng_below(&e->rng, 32) == 0; /* soft before this link */
    const uint16_t crc = golden_core_crc(e->flit, e->length, LCB_VC_BITS);
    const bool miscoded = rng_chance(&e->rng, t->miscoded);
    *end = golden_phit_set(*end, IN_PHIT_SOFT, arrived) & GOLDEN_CONTENT;
    *end = golden_phit_set(*end, IN_PHIT_COUNT, e->length % 32);
    *end = golden_phit_set(*end, IN_PHIT_CRC, crc ^ (miscoded ? 1u << rng_below(&e->rng, 16) : 0));
    e->poisoned = rng_chance(&e->rng, t->poison) ? rng_below(&e->rng, e->length) : NO_FLIT;
    e->soft = arrived || miscoded || e->poisoned != NO_FLIT;
}

static void offer(struct pkt_end *e)
{
    struct lcb_in *in = &e->in;
    if (e->by_hand)
        return;
    in->flit_valid = 0;
    in->start_valid = 0;
    if (!e->offering && e->at == e->length) {
        const unsigned can = (unsigned)e->lcb->out.room & e->traffic.vcs;
        if (e->stopped || !can || !rng_chance(&e->rng, e->traffic.load))
            return;
        e->vc = rng_bit(&e->rng, can);
        make_packet(e);
        e->offering = true;
    } else if (!e->offering) {
        e->offering = !rng_chance(&e->rng, e->traffic.bubble);
    }
    in->flit_valid = e->offering;
    in->flit = (lcb_flit)e->flit[e->at];
    in->flit_head = e->at == 0;
    in->flit_tail = e->at + 1 == e->length;
    in->flit_bad = e->at == e->poisoned;
}

static void hand_over(struct pkt_bench *b, struct pkt_end *e)
{
    if (!e->in.flit_valid || !e->lcb->out.flit_ready || e->by_hand)
        return;
    if (e->at == 0)
        e->head_at[e->heads++ % 64] = b->clock;
    if (e->at + 1 == e->length)
        e->tail_at[e->tails++ % 64] = b->clock;
    golden_handed(&e->ledger, e->flit[e->at], e->at == 0, e->at + 1 == e->length, e->soft);
    e->taken++;
    e->at++;
    e->packets += e->at == e->length;
    e->offering = false;
    e->ledger.maybe_soft = e->maybe_soft;
}

/* ---- what comes -------------------------------------------------------------------------------- */

/* Whether the packet that the reader has believed is not the one that is due. */
static bool is_other(const struct pkt_end *e, const struct golden_packets *ledger)
{
    const struct golden_reader *g = &e->reader;
    if (ledger->count == 0)
        return true;
    const struct golden_phits *due = &ledger->pending[ledger->first];
    bool other = due->count != g->length;
    for (unsigned i = 0; i + 1 < g->length && !other; i++)
        other = due->flit[i] != (g->packet[i] & GOLDEN_CONTENT);
    return other;
}

/* The reader has judged an end: did bits of its words flip? What it believes all the same no receiver can tell. */
static void judge(struct pkt_end *e, const struct pkt_channel *from,
                  const struct golden_packets *ledger, bool believed)
{
    const struct golden_reader *g = &e->reader;
    unsigned flips = 0;
    for (uint64_t n = (g->began - e->first_phit) / 2; n <= (g->phits - 2 - e->first_phit) / 2; n++)
        flips += from->flipped[n % PKT_WORDS];
    e->escapes += believed && flips && (g->believed_record || is_other(e, ledger));
    e->blind += flips >= 4 && flips % 2 == 0;
}

/* The golden reader gets what pkt_rx is about to look at. */
static void read_along(struct pkt_end *e, const struct pkt_channel *from,
                       const struct golden_packets *ledger)
{
    const uint64_t judged = e->reader.judged, good = e->reader.good;
    struct lcb *lcb = e->lcb;
    if (e->forged && lcb->lanes_in.out.valid && !lcb->rx.inside) {
        const uint32_t due = golden_word_phit((uint64_t)lcb->lanes_in.out.word, false);
        if (golden_phit_get(due, IN_PHIT_KIND) == PHIT_OF_IDLE &&
            golden_phit_get(due, IN_PHIT_RECORD)) {
            lcb->lanes_in.out.word = (lcb_word)e->forged; /* for a record another one */
            e->forged = 0;
        }
    }
    const bool valid = lcb->lanes_in.out.valid, run = lcb->link.out.arm;
    const uint64_t word = (uint64_t)lcb->lanes_in.out.word;
    if (!run) {
        golden_reader_break(&e->reader);
        e->first_phit = e->reader.phits;
    }
    if (run && valid)
        golden_reader_phit(&e->reader, golden_word_phit(word, false), false);
    else if (run && e->was_second)
        golden_reader_phit(&e->reader, e->second, true);
    if (run)
        golden_reader_clock(&e->reader);
    if (e->reader.judged != judged)
        judge(e, from, ledger, e->reader.good != good);
    e->was_second = run && valid;
    e->second = golden_word_phit(word, true);
    if (lcb->link.out.clear)
        golden_reader_clear(&e->reader);
}

static void check_rise(struct pkt_bench *b, struct pkt_end *e, const struct golden_rise *came)
{
    struct golden_reader *g = &e->reader;
    if (g->risen_out == g->risen_in) {
        if (e->rises_wrong++ == 0)
            snprintf(b->wrong, sizeof b->wrong,
                     "clock %" PRIu64 ": flit %06" PRIx32 " goes up, and none is due", b->clock,
                     came->content);
        return;
    }
    const struct golden_rise *due = &g->rise[g->risen_out++ % GOLDEN_RISES];
    const bool same =
        due->head == came->head && due->tail == came->tail && (!due->tail || due->ok == came->ok) &&
        (due->any || (due->tail && due->ok == GOLDEN_CUT) || due->content == came->content);
    if (!same && e->rises_wrong++ == 0)
        snprintf(b->wrong, sizeof b->wrong,
                 "clock %" PRIu64 ": goes up %06" PRIx32 " head %d tail %d ok %d, due %06" PRIx32
                 " %d %d %d",
                 b->clock, came->content, came->head, came->tail, came->ok, due->content, due->head,
                 due->tail, due->ok);
}

static void come(struct pkt_bench *b, unsigned i)
{
    struct pkt_end *e = &b->end[i], *peer = &b->end[1 - i];
    const struct lcb_out *out = &e->lcb->out;
    const struct golden_rise came = {.content = (uint32_t)out->rx_flit,
                                     .head = out->rx_head,
                                     .tail = out->rx_tail,
                                     .ok = (enum golden_ok)out->rx_ok};
    unsigned vc = 0;
    pkt_queue_take(&e->queue, out->rx_valid, came.content, came.head, came.tail, came.ok);
    e->in.freed_valid = pkt_queue_free(&e->queue, &vc);
    e->in.freed_vc = (u3)vc;
    e->in.refused = e->queue.refused;
    if (!out->rx_valid)
        return;
    e->flits_up++;
    check_rise(b, e, &came);
    if (!peer->lied_to)
        golden_came(&peer->ledger, &came);
    if (came.head && peer->head_in < peer->heads) {
        const uint64_t latency = b->clock - peer->head_at[peer->head_in % 64];
        e->latency_least = latency < e->latency_least ? latency : e->latency_least;
        e->latency_most = latency > e->latency_most ? latency : e->latency_most;
        peer->head_in++;
    }
    if (came.tail && peer->tail_in < peer->tails) {
        const uint64_t latency = b->clock - peer->tail_at[peer->tail_in++ % 64];
        e->end_most = latency > e->end_most ? latency : e->end_most;
    }
}

static void follow_epochs(struct pkt_bench *b)
{
    if (b->end[0].lcb->out.epoch != b->end[1].lcb->out.epoch ||
        b->end[0].lcb->out.epoch == b->epoch)
        return;
    b->epoch = b->end[0].lcb->out.epoch;
    for (unsigned i = 0; i < 2; i++)
        if (!b->end[i].lied_to)
            golden_packets_died(&b->end[i].ledger);
}

/* ---- a clock ----------------------------------------------------------------------------------- */

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

void pkt_bench_step(struct pkt_bench *b)
{
    struct channel_symbol symbol[2][CHANNEL_LANES];
    for (unsigned i = 0; i < 2; i++) {
        const struct lcb_out *out = &b->end[i].lcb->out;
        const uint16_t lane[CHANNEL_LANES] = {out->tx_lane[0], out->tx_lane[1], out->tx_lane[2]};
        pkt_channel_step(&b->cable[i], out->tx_lane_valid, lane, symbol[1 - i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct pkt_end *e = &b->end[i];
        cable_to_lanes(&e->in, symbol[i]);
        come(b, i);
        offer(e);
        hand_over(b, e);
        e->in.load = (u7)b->clock;
        e->in.now = (lcb_time)b->clock;
        read_along(e, &b->cable[1 - i], &b->end[1 - i].ledger);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct pkt_end *e = &b->end[i];
        dut_step(&e->dut, &e->in);
        if (e->lcb->out.report_valid)
            golden_packet_reported(&e->ledger, (uint32_t)e->lcb->out.report_flit,
                                   e->maybe_soft && e->lcb->out.report_bad);
    }
    follow_epochs(b);
    b->clock++;
}

void pkt_bench_run(struct pkt_bench *b, uint64_t clocks)
{
    ends_run(&b->ends, clocks);
}

bool pkt_bench_await(struct pkt_bench *b, enum link_state state, uint64_t limit)
{
    return ends_await(&b->ends, state, limit);
}

static bool busy(const void *bench)
{
    const struct pkt_bench *b = bench;
    for (unsigned i = 0; i < 2; i++) {
        const struct pkt_end *e = &b->end[i];
        if (e->at < e->length || e->ledger.count > 0 || e->ledger.open.count > 0 ||
            !pkt_queue_empty(&e->queue) || e->lcb->tx.base != e->lcb->tx.next ||
            e->lcb->rx.out.holds)
            return true;
    }
    return false;
}

bool pkt_bench_drain(struct pkt_bench *b, uint64_t limit)
{
    b->end[0].stopped = b->end[1].stopped = true;
    if (!ends_drain(&b->ends, busy, limit))
        return false;
    pkt_bench_run(b, 4);
    return true;
}

/* ---- register bus and verdict ------------------------------------------------------------------ */

uint64_t pkt_bench_read(struct pkt_bench *b, unsigned end, unsigned addr)
{
    return ends_bus(&b->ends, end, (struct reg_request){.valid = 1, .addr = (u16)addr}).rdata;
}

void pkt_bench_write(struct pkt_bench *b, unsigned end, unsigned addr, uint64_t data)
{
    const struct reg_request request = {.valid = 1, .write = 1, .addr = (u16)addr, .wdata = data};
    (void)ends_bus(&b->ends, end, request);
}

uint64_t pkt_bench_count(const struct pkt_bench *b, unsigned end, enum lcb_counter counter)
{
    return ends_count(&b->ends, end, counter);
}

bool pkt_bench_clean(struct pkt_bench *b)
{
    for (unsigned i = 0; i < 2; i++) {
        struct pkt_end *e = &b->end[i];
        if (e->rises_wrong) {
            tap_why("end %u: %" PRIu64
                    " flits went up otherwise than the golden reader's; first: %s",
                    i, e->rises_wrong, b->wrong);
            return false;
        }
        if (!e->lied_to && !golden_packets_clean(&e->ledger)) {
            tap_why("end %u: lost %" PRIu64 ", changed or out of order %" PRIu64 ", marks %" PRIu64
                    "; first: %s",
                    i, e->ledger.lost, e->ledger.changed, e->ledger.marks, e->ledger.first_error);
            return false;
        }
        if (e->queue.refusals) {
            tap_why("end %u: %" PRIu64 " good packets without a place", i, e->queue.refusals);
            return false;
        }
        if (!misses_why(&e->queue.misses))
            return false;
    }
    return true;
}

uint64_t pkt_bench_mismatches(const struct pkt_bench *b)
{
    return b->end[0].dut.mismatches + b->end[1].dut.mismatches + b->end[0].dut.rtl_failed +
           b->end[1].dut.rtl_failed;
}
