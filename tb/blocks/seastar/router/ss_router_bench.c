// SPDX-License-Identifier: Apache-2.0
/* ss_router_bench.c - neighbours of a router of SeaStar, and the ledger. */
#include "tb/blocks/seastar/router/ss_router_bench.h"

#include <string.h>

enum { ORDER, WAY, CREDIT, AGE };
enum { OWN_PARTITION = 0, TICK = 1 };

/* ---- tables --------------------------------------------------------------------------------------- */

static void step_router(struct ss_bench *b)
{
    ss_router(&b->router, &b->in);
    b->clock++;
}

static void write_entry(struct ss_bench *b, unsigned port, bool far, unsigned index,
                        struct golden_ss_entry e)
{
    b->in.write_at = (ss_ports)(1U << port);
    b->in.write = (struct ss_route_write){
        .local = !far, .global = far, .index = (uint(12))index, .entry = (u4)(e.port + 8U * e.v)};
    step_router(b);
    b->in.write_at = 0;
    b->in.write = (struct ss_route_write){};
}

/* Entry o of an input is port o; behind them any, and none. */
static void write_tables(struct ss_bench *b)
{
    for (unsigned p = 0; p < SS_PORTS; p++) {
        for (unsigned i = 0; i < BENCH_ENTRIES; i++) {
            struct golden_ss_entry *e = &b->near[p][i];

            *e = (struct golden_ss_entry){.port = i < SS_PORTS ? i : rng_below(&b->rng, 8),
                                          .v = rng_below(&b->rng, 2) != 0};
            write_entry(b, p, false, i, *e);
        }
        for (unsigned i = 1; i < BENCH_FAR; i++) {
            struct golden_ss_entry *e = &b->far[p][i];

            *e = (struct golden_ss_entry){.port = rng_below(&b->rng, 8),
                                          .v = rng_below(&b->rng, 2) != 0};
            write_entry(b, p, true, i, *e);
        }
    }
}

void ss_bench_start(struct ss_bench *b, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    rng_seed(&b->rng, seed);
    harness_clock = &b->clock;
    ss_router_reset(&b->router);
    b->in.partition = OWN_PARTITION;
    b->in.age_period = TICK - 1;
    b->in.age_rr = 0;
    write_tables(b);
}

void ss_bench_stream(struct ss_bench *b, unsigned port, unsigned entry, unsigned length)
{
    b->sender[port] = (struct bench_sender){.begins = 1,
                                            .whole = 1,
                                            .shortest = length,
                                            .longest = length,
                                            .vcs = 15,
                                            .entry = {entry},
                                            .entries = 1};
}

/* ---- senders -------------------------------------------------------------------------------------- */

static unsigned input_of(const struct golden_ss_head *h)
{
    return h->src >> 12;
}

/* Of the sender's VCs those that have credit for the longest packet; if none has, all. */
static unsigned with_credit(const struct ss_bench *b, unsigned p)
{
    const unsigned all = b->sender[p].vcs;
    unsigned set = 0;

    for (unsigned v = 0; v < GOLDEN_SS_VCS; v++) {
        const bool some = b->from[p].used[v] + GOLDEN_SS_LONGEST <= GOLDEN_SS_CREDIT;

        set |= some ? all & 1U << v : 0;
    }
    return set ? set : all;
}

/* A packet with credit for all of it, or none. */
static void begin(struct ss_bench *b, unsigned p)
{
    const struct bench_sender *s = &b->sender[p];
    const bool strange = rng_chance(&b->rng, s->strange);
    struct golden_ss_head head = {
        .vc = strange ? 4 + rng_below(&b->rng, 4) : rng_bit(&b->rng, with_credit(b, p)),
        .length = s->shortest + rng_below(&b->rng, s->longest - s->shortest + 1),
        .dst = s->entry[rng_below(&b->rng, s->entries)],
        .age = s->youngest + rng_below(&b->rng, s->age - s->youngest + 1),
        .src = (p << 12) + (b->from[p].serial & 0xFFF),
        .own = rng_below(&b->rng, 1 << 13),
    };
    if (rng_chance(&b->rng, s->illegal)) {
        static const unsigned none[] = {0, 10, 11, 12, 13, 14, 15};

        head.length = none[rng_below(&b->rng, 7)];
    }
    if (rng_chance(&b->rng, s->far)) {
        head.dst = (1 + rng_below(&b->rng, BENCH_FAR - 1)) << 12 | rng_below(&b->rng, 1 << 12);
    }
    const unsigned length = head.length == 0 ? 16 : head.length;

    if (b->from[p].used[head.vc] + length > GOLDEN_SS_CREDIT) {
        return;
    }
    b->from[p].used[head.vc] += length;
    b->from[p].serial++;
    b->from[p].length = length;
    b->from[p].sent = 0;
    b->from[p].vc = head.vc;
    b->from[p].whole = rng_chance(&b->rng, s->whole);
    b->from[p].gaps = !b->from[p].whole || rng_chance(&b->rng, s->lies);
    for (unsigned k = 0; k < length; k++) {
        b->from[p].flit[k] = k == 0 ? golden_ss_flit(&head) : rng_next(&b->rng);
        b->from[p].bad[k] = rng_chance(&b->rng, s->bad);
    }
}

/* What the packet that begins in this clock should become. */
static void record(struct ss_bench *b, unsigned p)
{
    const struct golden_ss_head head = golden_ss_parse(b->from[p].flit[0]);
    const unsigned partition = head.dst >> 12;
    const struct golden_ss_entry entry =
        partition == OWN_PARTITION ? b->near[p][head.dst % BENCH_ENTRIES] : b->far[p][partition];
    unsigned dead = 0;

    for (unsigned o = 0; o < SS_PORTS; o++) {
        dead |= (unsigned)b->in.from[o].dead << o;
    }
    const struct golden_ss_way way = golden_ss_way(SS_PORTS, p, &head, entry, dead);

    b->sent++;
    b->dropped[way.drop]++;
    if (way.drop != GOLDEN_SS_GOES) {
        return;
    }
    struct bench_ledger *l = &b->ledger[p][head.vc][way.port];
    struct bench_packet *packet = &l->packet[(l->first + l->count) % BENCH_WAITING];

    l->count++;
    *packet = (struct bench_packet){
        .length = head.length, .vc = way.vc, .came = b->clock, .age = head.age};
    memcpy(packet->flit, b->from[p].flit, head.length * sizeof *packet->flit);
    memcpy(packet->bad, b->from[p].bad, head.length * sizeof *packet->bad);
}

static void send(struct ss_bench *b, unsigned p)
{
    const struct bench_sender *s = &b->sender[p];
    struct ss_port_in *in = &b->in.from[p];

    in->valid = 0;
    if (b->from[p].sent == b->from[p].length && rng_chance(&b->rng, s->begins)) {
        begin(b, p);
    }
    const unsigned k = b->from[p].sent;

    if (k == b->from[p].length || (k > 0 && b->from[p].gaps && rng_chance(&b->rng, s->gap))) {
        return;
    }
    if (k == 0) {
        record(b, p);
    }
    in->valid = 1;
    in->flit = b->from[p].flit[k];
    in->bad = b->from[p].bad[k];
    in->whole = k == 0 && b->from[p].whole;
    b->from[p].sent++;
}

/* ---- receivers ------------------------------------------------------------------------------------ */

/* From the age with its bias on, at most a tick in each clock. What waits for more than 4,096 ticks seems younger. */
static void check_age(struct ss_bench *b, unsigned o, unsigned p, const struct golden_ss_head *was,
                      unsigned age, uint64_t wait)
{
    const ss_age *bias = was->vc / 2 ? b->in.bias_response : b->in.bias_request;
    const uint64_t come = was->age + (unsigned)bias[p],
                   least = come > GOLDEN_SS_OLDEST ? GOLDEN_SS_OLDEST : come, most = least + wait;

    must_at_least(&b->missed[AGE], age, most < 4096 ? least : 0, "output %u: age", o);
    must_at_most(&b->missed[AGE], age, most > GOLDEN_SS_OLDEST ? GOLDEN_SS_OLDEST : most,
                 "output %u: age", o);
}

static void take_head(struct ss_bench *b, unsigned o, uint64_t flit)
{
    const struct golden_ss_head h = golden_ss_parse(flit);
    const unsigned p = input_of(&h);
    struct misses *m = &b->missed[ORDER];

    for (unsigned v = 0; p < SS_PORTS && v < GOLDEN_SS_VCS; v++) {
        struct bench_ledger *l = &b->ledger[p][v][o];
        struct bench_packet *first = &l->packet[l->first];
        const struct golden_ss_head was = golden_ss_parse(first->flit[0]);

        if (l->count == 0 || was.src != h.src || was.own != h.own) {
            continue;
        }
        b->to[o].now = *first;
        b->to[o].input = p;
        l->first = (l->first + 1) % BENCH_WAITING;
        l->count--;
        must_equal(&b->missed[WAY], h.vc, first->vc, "output %u, from input %u: VC", o, p);
        must_equal(m, h.dst, was.dst, "output %u: destination", o);
        must_equal(m, h.length, was.length, "output %u: length", o);
        must_equal(m, flit >> 8 & 7, 0, "output %u: bits [10:8] of a head", o);
        check_age(b, o, p, &was, h.age, b->clock - first->came);
        must(&b->missed[CREDIT], b->to[o].announced[first->vc] > 0,
             "output %u: a packet for VC %u that was not announced", o, first->vc);
        b->to[o].announced[first->vc] -= b->to[o].announced[first->vc] > 0;
        b->to[o].held[first->vc] += first->length;
        return;
    }
    b->to[o].now.length = 0;
    miss(m, "output %u: a head %016llx that no input sent next", o, (unsigned long long)flit);
}

/* A flit that is taken in this clock. */
static void take(struct ss_bench *b, unsigned o)
{
    const struct ss_port_out *out = &b->router.out.to[o];
    struct misses *m = &b->missed[ORDER];
    unsigned k = b->to[o].taken;

    must_equal(m, out->head, k == 0, "output %u: mark of a head at flit %u", o, k);
    if (k == 0) {
        take_head(b, o, out->flit);
    } else {
        must_equal(m, out->flit, b->to[o].now.flit[k], "output %u: flit %u", o, k);
    }
    must_equal(m, out->bad, b->to[o].now.bad[k], "output %u: mark of flit %u", o, k);
    k++;
    must_equal(m, out->tail, k >= b->to[o].now.length, "output %u: mark of a tail at flit %u", o,
               k);
    b->flits[o]++;
    b->by_input[o][b->to[o].input]++;
    b->delivered += k >= b->to[o].now.length;
    b->to[o].taken = k >= b->to[o].now.length ? 0 : k;
}

static void receive(struct ss_bench *b, unsigned o, ss_vcs *room)
{
    const struct bench_receiver *r = &b->receiver[o];
    const struct ss_port_out *out = &b->router.out.to[o];

    b->in.from[o].ready =
        r->period != 0 ? b->clock % r->period != 0 : (u1)rng_chance(&b->rng, r->ready);
    if (out->start.valid) {
        b->to[o].announced[out->start.vc & 3]++;
    }
    if (out->valid && b->in.from[o].ready) {
        take(b, o);
    }
    *room = 0;
    for (unsigned v = 0; v < GOLDEN_SS_VCS; v++) {
        unsigned claimed = b->to[o].held[v] + GOLDEN_SS_LONGEST * b->to[o].announced[v];

        must_at_most(&b->missed[CREDIT], claimed, GOLDEN_SS_CREDIT, "output %u: VC %u holds", o, v);
        *room |= (ss_vcs)((!b->closed && claimed + GOLDEN_SS_LONGEST <= GOLDEN_SS_CREDIT) << v);
        b->to[o].held[v] -= b->to[o].held[v] != 0 && rng_chance(&b->rng, r->drains);
    }
}

/* ---- a clock ---------------------------------------------------------------------------------------- */

static void count_events(struct ss_bench *b)
{
    for (unsigned p = 0; p < SS_PORTS; p++) {
        const struct ss_input_events *e = &b->router.out.events[p];
        const struct ss_vc_note *freed = &b->router.out.to[p].freed;

        b->events[GOLDEN_SS_ILLEGAL] += e->illegal;
        b->events[GOLDEN_SS_NO_WAY] += e->no_route;
        b->events[GOLDEN_SS_DEAD] += e->dead;
        if (freed->valid &&
            must(&b->missed[CREDIT], b->from[p].used[freed->vc] > 0,
                 "input %u: more of VC %u is given back than was sent", p, (unsigned)freed->vc)) {
            b->from[p].used[freed->vc]--;
        }
    }
}

void ss_bench_step(struct ss_bench *b)
{
    ss_vcs room[SS_PORTS];

    for (unsigned p = 0; p < SS_PORTS; p++) {
        send(b, p);
        receive(b, p, &room[p]);
    }
    step_router(b);
    for (unsigned p = 0; p < SS_PORTS; p++) {
        b->in.from[p].room = room[p];
    }
    count_events(b);
}

static bool empty(const struct ss_bench *b)
{
    unsigned left = 0;

    for (unsigned p = 0; p < SS_PORTS; p++) {
        left += b->from[p].sent != b->from[p].length;
        left += b->to[p].taken;
        for (unsigned v = 0; v < 2 * GOLDEN_SS_VCS; v++) {
            left += b->from[p].used[v];
        }
        for (unsigned v = 0; v < GOLDEN_SS_VCS; v++) {
            for (unsigned o = 0; o < SS_PORTS; o++) {
                left += b->ledger[p][v][o].count;
            }
        }
    }
    return left == 0;
}

bool ss_bench_drain(struct ss_bench *b, uint64_t clocks)
{
    for (unsigned p = 0; p < SS_PORTS; p++) {
        b->sender[p].begins = 0;
    }
    while (!empty(b) && clocks-- > 0) {
        ss_bench_step(b);
    }
    return empty(b);
}

void ss_bench_clear(struct ss_bench *b)
{
    memset(b->flits, 0, sizeof b->flits);
    memset(b->by_input, 0, sizeof b->by_input);
}

double ss_bench_rate(const struct ss_bench *b, uint64_t clocks)
{
    uint64_t sum = 0;

    for (unsigned o = 0; o < SS_PORTS; o++) {
        sum += b->flits[o];
    }
    return (double)sum / (double)clocks / SS_PORTS;
}

void ss_bench_verdict(struct ss_bench *b, const char *what)
{
    tap_misses(&b->missed[ORDER], "%s: each packet comes once, whole, in its order", what);
    tap_misses(&b->missed[WAY], "%s: on the VC that table and dimension say", what);
    tap_misses(&b->missed[CREDIT], "%s: within credits and room", what);
    tap_misses(&b->missed[AGE], "%s: as old as it has waited", what);
}
