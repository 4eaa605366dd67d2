// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_rules.c - the rules of Portals at a target, engine against golden: all 98,304 combinations of operation, options, maximum,
 * threshold, offset, length and unlinking, each request twice; and random lists, changed while requests come: 20,000 steps, with --long
 * 1,000,000.
 *
 * Built for seastar2: fast.
 */
#include <inttypes.h>
#include <string.h>

#include "tb/base/harness.h"
#include "tb/blocks/seastar/portals/ss_engine_bench.h"
#include "tb/golden/seastar/portals.h"

enum { PID = 7, USER = 0x5678, JOB = 0x1234, CASES = 98304, LENGTH = 1000 };

static struct ss_engine_bench b;
static struct golden_portals golden;
static struct rng r;
static uint64_t handle[GOLDEN_NAMES]; /* of entries, as ME was told */

/* ---- commands and requests ---------------------------------------------------------------------- */

static uint64_t options_of(const struct golden_md *md)
{
    return (uint64_t)md->put | (uint64_t)md->get << 1 | (uint64_t)md->remote << 2 |
           (uint64_t)md->truncate << 4 | (uint64_t)md->no_ack << 5 | (uint64_t)md->has_max << 7 |
           (uint64_t)md->no_start << 9 | (uint64_t)md->no_end << 10;
}

/* The entry and its descriptor, in engine and golden model. */
static bool attach(unsigned portal, const struct golden_me *me, enum golden_place place,
                   unsigned other)
{
    const struct golden_md *md = &me->md;
    const uint64_t entry[7] = {
        me->name | (uint64_t)portal << 12 | (uint64_t)place << 22 | (uint64_t)other << 24 |
            (uint64_t)me->unlink << 36,
        me->match,
        me->ignore,
        me->node | (uint64_t)me->any_node << 15 | (uint64_t)me->pid << 16 |
            (uint64_t)me->any_pid << 32 | (uint64_t)me->any_job << 33 |
            (uint64_t)me->any_user << 34,
        me->user | (uint64_t)me->job << 32,
    };
    const uint64_t descriptor[7] = {me->name | options_of(md) << 12 | (uint64_t)md->unlink << 23 |
                                        (uint64_t)1 << 24 | (uint64_t)1 << 33,
                                    md->start, md->max_size, md->threshold};
    const bool placed = golden_insert(&golden, portal, me, place, other);
    const unsigned status = bench_local(&b, SS_OP_ME, entry, 0);
    if (!placed)
        return status == SS_ILLEGAL;
    handle[me->name] = b.told.word[1];
    return status == 0 && (!me->has_md || bench_local(&b, SS_OP_MD, descriptor, md->length) == 0);
}

static struct ss_ask ask_of(const struct golden_put *g)
{
    const bool whole = g->get || g->requested <= 12;
    return (struct ss_ask){
        .whole = whole,
        .place = 3,
        .node = (ss_node)g->from_node,
        .flit = {(g->get ? 2 : 1) | (uint64_t)g->ack << 4 | (uint64_t)g->access << 5 |
                     (uint64_t)g->portal << 8 | (uint64_t)g->pid << 16 |
                     (uint64_t)g->from_pid << 32 | (uint64_t)0xABCD << 48,
                 g->bits, ~g->bits, g->requested, g->offset, g->user | (uint64_t)g->job << 32}};
}

/* The next event says what the outcome does. */
static bool says(unsigned type, const struct golden_put *g, const struct golden_outcome *o,
                 bool unlinked)
{
    uint64_t w[8];
    if (!bench_event(&b, w))
        return false;
    const uint64_t data = g->get ? 0 : ~g->bits;
    return (w[0] & 0xFFFF) == (type | g->portal << 8 | (uint64_t)unlinked << 15) &&
           (w[0] >> 16 & 0xFFF) == o->name &&
           w[1] == (g->from_node | (uint64_t)g->from_pid << 16 | (uint64_t)g->job << 32) &&
           w[2] == (g->user | (uint64_t)o->threshold << 32) && w[3] == g->bits && w[4] == data &&
           w[5] == g->requested && w[6] == o->manipulated && (w[7] & 0xFFFFFFFFFF) == o->offset;
}

/* The ack, or the reply, of a request. */
static bool answers(const struct golden_put *g, const struct golden_outcome *o)
{
    struct ss_send_push s;
    if (!bench_sent(&b, &s))
        return false;
    const uint64_t first = (g->get ? 4 : 3) | (uint64_t)g->portal << 8 |
                           (uint64_t)g->from_pid << 16 | (uint64_t)PID << 32 |
                           (uint64_t)0xABCD << 48;
    const uint64_t where = g->get ? o->manipulated : g->requested;
    return s.class == 1 && s.dst == g->from_node && s.header[0] == first &&
           s.header[1] == g->bits && s.header[2] == (g->get ? 0 : o->manipulated) &&
           s.header[3] == where && s.header[4] == o->offset &&
           s.bytes == (g->get ? o->manipulated : 0) && (!g->get || s.addr == o->at);
}

/* A get has left. */
static void leaves(unsigned place)
{
    b.in.left[1] = (struct ss_left){.valid = 1, .teller = SS_TELLS_PLACE, .who = (u16)place};
    for (unsigned n = 0; n < BENCH_LIMIT && b.in.left[1].valid; n++) {
        bench_step(&b);
        if (b.engine.out.left_taken >> 1 & 1)
            b.in.left[1].valid = 0;
    }
}

/* A request from its header to its end: decision, events and answer as the golden model has them. */
static bool request(const struct golden_put *g)
{
    const struct golden_outcome o = golden_put(&golden, g);
    const struct ss_ask ask = ask_of(g);
    uint64_t none[8];
    struct ss_send_push sent;
    const struct ss_decision d = bench_ask(&b, &ask);
    bench_settle(&b);
    if (!o.taken)
        return d.takes == 0 && !bench_event(&b, none) && !bench_sent(&b, &sent);
    bool good = g->get ? !d.takes : d.takes && d.addr == o.at && d.bytes == o.manipulated;
    if (o.start)
        good = says(g->get ? 0 : 2, g, &o, false) && good;
    if (g->get)
        good = answers(g, &o) && good;
    const bool gone = golden_end(&golden, o.name);
    if (g->get)
        leaves(d.place);
    else
        bench_end(&b, d.place, 0);
    bench_settle(&b);
    if (o.end)
        good = says(g->get ? 1 : 3, g, &o, gone) && good;
    if (gone && o.end)
        good = bench_event(&b, none) && (none[0] & 15) == 9 && (none[0] >> 16 & 0xFFF) == o.name &&
               good;
    if (o.acks)
        good = answers(g, &o) && good;
    return good && !bench_event(&b, none) && !bench_sent(&b, &sent);
}

static bool unlink_entry(unsigned portal, unsigned name)
{
    const uint64_t word[7] = {handle[name] | (uint64_t)portal << 17};
    const bool there = golden_unlink(&golden, portal, name);
    const unsigned status = bench_local(&b, SS_OP_UNLINK, word, 0);
    return (status == 0) == there;
}

/* ---- every combination --------------------------------------------------------------------------- */

/* The next digit of a number in a mixed system. */
static unsigned digit(unsigned *n, unsigned of)
{
    const unsigned d = *n % of;
    *n /= of;
    return d;
}

static bool combination(unsigned n)
{
    static const uint64_t offsets[4] = {0, 600, LENGTH, LENGTH + 5};
    static const uint32_t thresholds[4] = {0, 1, 2, GOLDEN_FOR_EVER};
    static const uint64_t lengths[4] = {0, 9, 400, 401};
    const unsigned name = n % SS_ENTRIES;
    struct golden_put g = {.pid = PID,
                           .portal = n % 64,
                           .from_node = 5,
                           .from_pid = 9,
                           .user = USER,
                           .job = JOB,
                           .bits = 0x1122334455667788};
    struct golden_me me = {.match = g.bits,
                           .node = 5,
                           .pid = 9,
                           .user = USER,
                           .job = JOB,
                           .has_md = true,
                           .name = name,
                           .md = {.start = 0x123456, .length = LENGTH, .active = true}};
    g.get = digit(&n, 2);
    const unsigned enabled = digit(&n, 4);
    me.md.put = enabled & 1;
    me.md.get = enabled & 2;
    me.md.remote = digit(&n, 2);
    me.md.truncate = digit(&n, 2);
    me.md.no_ack = digit(&n, 2);
    g.ack = digit(&n, 2);
    const unsigned max = digit(&n, 3);
    me.md.has_max = max != 0;
    me.md.max_size = max == 1 ? 300 : 450;
    me.md.threshold = thresholds[digit(&n, 4)];
    me.md.active = me.md.threshold != 0;
    const uint64_t offset = offsets[digit(&n, 4)];
    g.requested = lengths[digit(&n, 4)];
    me.md.unlink = digit(&n, 2);
    me.unlink = digit(&n, 2);
    g.offset = me.md.remote ? offset : 77;
    me.md.offset = me.md.remote ? 0 : offset;
    bool good = attach(g.portal, &me, GOLDEN_FIRST, 0);
    if (me.md.offset)
        bench_poke(&b, 1, SS_AT_MD + name,
                   bench_peek(&b, 1, SS_AT_MD + name) | (ss_cell)me.md.offset);
    good = request(&g) && request(&g) && good;
    if (golden.entries[g.portal])
        good = unlink_entry(g.portal, name) && good;
    return good;
}

static void combinations(void)
{
    unsigned wrong = 0, shown = CASES;
    for (unsigned n = 0; n < CASES; n++) {
        const bool good = combination(n);
        shown = !good && wrong == 0 ? n : shown;
        wrong += !good;
    }
    if (wrong)
        tap_note("the first one is combination %u", shown);
    /* holds ss_engine.rules */
    tap_equal(wrong, 0, "98,304 combinations: as the golden rules have it");
}

/* ---- random lists ---------------------------------------------------------------------------------- */

enum { NAMES = 24, PORTALS = 2 };
static bool in_list[NAMES];
static unsigned portal_of[NAMES];

static struct golden_me random_entry(unsigned name)
{
    const uint32_t threshold = rng_below(&r, 2) ? 1 + rng_below(&r, 3) : GOLDEN_FOR_EVER;
    return (struct golden_me){.match = rng_below(&r, 4),
                              .ignore = rng_below(&r, 3) ? 0 : rng_below(&r, 4),
                              .node = 5 + rng_below(&r, 2),
                              .any_node = rng_below(&r, 2),
                              .pid = 9 + rng_below(&r, 2),
                              .any_pid = rng_below(&r, 2),
                              .user = USER,
                              .any_user = rng_below(&r, 2),
                              .job = JOB + rng_below(&r, 2),
                              .any_job = rng_below(&r, 2),
                              .unlink = rng_below(&r, 2),
                              .has_md = rng_below(&r, 8),
                              .name = name,
                              .md = {.start = 0x10000 * name + rng_below(&r, 8),
                                     .length = rng_below(&r, 700),
                                     .max_size = rng_below(&r, 200),
                                     .threshold = threshold,
                                     .put = rng_below(&r, 6),
                                     .get = rng_below(&r, 3),
                                     .remote = rng_below(&r, 3) == 0,
                                     .truncate = rng_below(&r, 2),
                                     .no_ack = rng_below(&r, 4) == 0,
                                     .has_max = rng_below(&r, 3) == 0,
                                     .no_start = rng_below(&r, 5) == 0,
                                     .unlink = rng_below(&r, 2),
                                     .active = true}};
}

/* Which names the golden lists have. */
static void look_again(void)
{
    memset(in_list, 0, sizeof in_list);
    for (unsigned p = 0; p < PORTALS; p++)
        for (unsigned i = 0; i < golden.entries[p]; i++)
            in_list[golden.list[p][i].name] = true;
}

static bool random_step(void)
{
    const unsigned name = rng_below(&r, NAMES), portal = rng_below(&r, PORTALS);
    look_again();
    if (rng_below(&r, 3) == 0 && !in_list[name]) {
        const struct golden_me me = random_entry(name);
        portal_of[name] = portal;
        return attach(portal, &me, rng_below(&r, 4), rng_below(&r, NAMES));
    }
    if (rng_below(&r, 12) == 0 && in_list[name])
        return unlink_entry(portal_of[name], name);
    const struct golden_put g = {.get = rng_below(&r, 4) == 0,
                                 .ack = rng_below(&r, 2),
                                 .pid = PID,
                                 .portal = portal,
                                 .access = rng_below(&r, 20) == 0,
                                 .from_node = 5 + rng_below(&r, 2),
                                 .from_pid = 9 + rng_below(&r, 2),
                                 .user = rng_below(&r, 20) ? USER : USER + 1,
                                 .job = JOB + rng_below(&r, 2),
                                 .bits = rng_below(&r, 4),
                                 .requested =
                                     rng_below(&r, 2) ? rng_below(&r, 14) : rng_below(&r, 300),
                                 .offset = rng_below(&r, 600)};
    return request(&g);
}

static void random_lists(unsigned steps)
{
    unsigned done = 0;
    memset(&golden, 0, sizeof golden);
    golden.pid = PID;
    golden.user = USER;
    while (done < steps && random_step())
        done++;
    /* holds ss_commands.places */
    tap_equal(done, steps, "random steps: entries at all places, requests, unlinks");
}

int main(int argc, char **argv)
{
    bool longer = false;
    uint64_t seed;
    const struct args_option rows[] = {
        args_flag("--long", &longer, "1,000,000 steps with random lists"), args_end()};
    harness_options(argc, argv, &seed, rows);
    rng_seed(&r, seed);
    bench_start(&b, PID, USER, JOB);
    golden.pid = PID;
    golden.user = USER;
    tap_ok(b.told.status == 0, "a process and a queue");
    combinations();
    random_lists(longer ? 1000000 : 20000);
    return tap_done();
}
