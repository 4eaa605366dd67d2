// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_piece.c - a piece of the error injection in packet mode; pkt_piece.h says what.
 */
#include "tb/system/link/pkt_piece.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UP_LIMIT = 60000, DRAIN_LIMIT = 600000, CHUNK = 256 };

/* Cables and traffic of a piece: rates over decades, most of them none. */
static struct pkt_bench_config draw(struct rng *r, double ber)
{
    struct pkt_bench_config config = pkt_bench_defaults();
    const unsigned shape = rng_below(r, 4);
    const double rate = ber >= 0 ? ber : pow(10, -3 - (double)rng_below(r, 4000) / 1000);
    for (unsigned i = 0; i < 2; i++) {
        struct pkt_channel_config *k = &config.cable[i];
        struct pkt_traffic *t = &config.traffic[i];
        k->ber = rate;
        k->burst_rate = rng_below(r, 3) == 0 ? 1e-4 : 0;
        k->delay = 1 + rng_below(r, rng_below(r, 4) ? 60 : 400);
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            k->skew[l] = rng_below(r, CHANNEL_MAX_SKEW + 1);
        for (unsigned h = 0; h < HIT_TARGETS; h++)
            k->hit[h] = rng_below(r, 4) == 0 ? 1e-3 : 0;
        k->hit_two = (double)rng_below(r, 3) / 2;
        t->min_length = shape == 0 ? 32 : 2;
        t->max_length = shape == 1 ? 4 : 32;
        t->bubble = rng_below(r, 3) ? 0 : 0.1;
        t->drain = rng_below(r, 2) ? 1 : 0.3 + (double)rng_below(r, 60) / 100;
        t->load = rng_below(r, 4) ? 1 : 0.02;
        t->poison = t->miscoded = rng_below(r, 2) ? 0 : 0.02;
    }
    return config;
}

/* Something happens to the lanes or to the link now and then. */
static void disturb(struct pkt_bench *b, struct rng *r)
{
    const unsigned what = rng_below(r, 400);
    const unsigned way = rng_below(r, 2), lane = rng_below(r, CHANNEL_LANES);
    for (unsigned i = 0; i < 2; i++)
        b->end[i].in.restart = b->end[i].lcb->out.state == LINK_DEAD;
    if (what == 0)
        b->end[way].in.restart = 1;
    else if (what < 3)
        b->cable[way].lane[lane] = (enum lane_state)(1 + rng_below(r, LANE_STATES - 1));
    else if (what < 40)
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            b->cable[0].lane[l] = b->cable[1].lane[l] = LANE_GOOD;
    pkt_bench_step(b);
    b->end[0].in.restart = b->end[1].in.restart = 0;
}

static bool escaped(const struct pkt_bench *b)
{
    return b->end[0].escapes + b->end[1].escapes > 0;
}

static void collect(struct pkt_bench *b, struct pkt_piece *p)
{
    for (unsigned i = 0; i < 2; i++) {
        struct pkt_end *e = &b->end[i];
        p->packets += e->ledger.sent;
        p->good += e->ledger.good + e->ledger.soft;
        p->reported += e->ledger.died;
        p->poisoned += e->ledger.cut;
        p->rolled_back += e->queue.rolled_back;
        p->truncated += e->queue.truncated;
        p->bit_errors += b->cable[i].bit_errors;
        p->escapes += e->escapes;
        p->escapes_expected += (double)e->blind * 0x1p-15;
        for (unsigned h = 0; h < HIT_TARGETS; h++)
            p->hits += b->cable[i].hits[h];
        if (escaped(b))
            continue;
        p->lost += e->ledger.lost;
        p->changed += e->ledger.changed;
        p->wrong += e->rises_wrong + e->queue.misses.count + e->queue.refusals;
        p->poisoned_good += e->ledger.marks;
    }
    p->naks = pkt_bench_count(b, 2, COUNT_NAKS);
    p->timeouts = pkt_bench_count(b, 2, COUNT_TIMEOUTS);
    p->reinits = pkt_bench_count(b, 2, COUNT_REINITS);
    p->deaths = pkt_bench_count(b, 2, COUNT_DEATHS);
    p->mismatches = pkt_bench_mismatches(b);
    p->clocks = b->clock;
}

void pkt_piece_run(uint64_t seed, uint64_t n, uint64_t packets, double ber,
                   const struct cosim_module *cosim, struct pkt_piece *result)
{
    static struct pkt_bench b;
    struct rng r;
    memset(result, 0, sizeof *result);
    rng_seed(&r, seed * 1000003 + n);
    struct pkt_bench_config config = draw(&r, ber);
    config.cosim = cosim;
    pkt_bench_start(&b, &config, rng_next(&r));
    bool stuck = !pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    for (uint64_t c = 0;
         !stuck && !escaped(&b) && b.end[0].ledger.sent + b.end[1].ledger.sent < packets; c++) {
        for (unsigned k = 0; k < CHUNK && !escaped(&b); k++)
            pkt_bench_step(&b);
        disturb(&b, &r);
        stuck = c > 1000 + 20 * packets;
    }
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            b.cable[i].lane[l] = LANE_GOOD;
        b.end[i].in.restart = b.end[i].lcb->out.state == LINK_DEAD;
    }
    b.end[0].stopped = b.end[1].stopped = true;
    pkt_bench_step(&b);
    b.end[0].in.restart = b.end[1].in.restart = 0;
    bool drained = false;
    for (unsigned k = 0; k < DRAIN_LIMIT && !escaped(&b) && !drained; k++)
        drained = pkt_bench_drain(&b, 1);
    if (!escaped(&b)) {
        stuck |= !drained;
        if (stuck || !pkt_bench_clean(&b)) {
            result->wrong += stuck;
            snprintf(result->first_error, sizeof result->first_error, "%s; %s",
                     stuck ? "not drained" : "drained",
                     b.wrong[0]                       ? b.wrong
                     : b.end[0].ledger.first_error[0] ? b.end[0].ledger.first_error
                                                      : b.end[1].ledger.first_error);
            result->first_bad = n + 1;
        }
    }
    collect(&b, result);
    pkt_bench_free(&b);
}

void pkt_piece_add(struct pkt_piece *sum, const struct pkt_piece *one)
{
    const uint64_t *from = &one->packets;
    uint64_t *to = &sum->packets;
    for (size_t i = 0; i < offsetof(struct pkt_piece, escapes_expected) / sizeof *to; i++)
        to[i] += from[i];
    sum->escapes_expected += one->escapes_expected;
    if (!sum->first_bad && one->first_bad) {
        sum->first_bad = one->first_bad;
        memcpy(sum->first_error, one->first_error, sizeof sum->first_error);
    }
}

bool pkt_piece_good(const struct pkt_piece *p)
{
    return p->lost + p->changed + p->wrong + p->poisoned_good + p->mismatches == 0;
}
