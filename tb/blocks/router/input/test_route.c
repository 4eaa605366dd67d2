// SPDX-License-Identifier: Apache-2.0
/*
 * test_route.c - which port a packet leaves by: every mode against the tables, one packet at a time.
 *
 * The answer is worked out here for each of the four entries that a draw may pick, and for each outcome of a tie;
 * where nothing is drawn there is one answer.
 *
 * Built for routers: san.
 */
#include "tb/blocks/router/input/input_bench.h"

#include <stdlib.h>

/* What may become of a packet. */
struct answer {
    bool none, nonminimal;
    struct candidate candidate;
};

/* ---- the rules ----------------------------------------------------------------------------------- */

static unsigned dead_rows(const struct input_bench *b, unsigned col)
{
    unsigned rows = 0;

    for (unsigned r = 0; r < RTR_ROWS; r++)
        rows |= (unsigned)(b->dead >> (8 * r + col) & 1) << r;
    return rows;
}

/* Load of a candidate for packets of that VC's class; of several rows the lowest living one stands for all. */
static unsigned load_of(const struct input_bench *b, unsigned vc, const struct candidate *w)
{
    unsigned row = w->row;

    if (RTR_TWO_STEP)
        /* holds route.rows */
        for (row = 0; row < 7 && !((w->rows & ~dead_rows(b, w->col)) >> row & 1);)
            row++;
    return b->load[vc >= RTR_VCS / 2][row][w->col];
}

/* A load as the bias of an adaptive mode makes it. */
static unsigned biased(const struct input_bench *b, unsigned mode, bool nonminimal, unsigned load)
{
    /* holds route.bias */
    if (b->t.bias[mode].halve && b->t.bias[mode].halve_minimal != nonminimal)
        load /= 2;
    return b->t.bias[mode].add_minimal != nonminimal ? load + b->t.bias[mode].add : load;
}

/* The better of a pair by load after bias, or by preference alone: -1 if neither lives. */
static int better(const struct input_bench *b, const struct head *h, bool nonminimal,
                  const struct candidate *pair, unsigned prefer)
{
    const bool lives[2] = {input_bench_lives(b, &pair[0]), input_bench_lives(b, &pair[1])};

    if (!lives[0] || !lives[1])
        return lives[0] ? 0 : lives[1] ? 1 : -1;
    if (h->mode <= MODE_ADAPTIVE3) {
        const unsigned first = biased(b, h->mode, nonminimal, load_of(b, h->vc, &pair[0]));
        const unsigned second = biased(b, h->mode, nonminimal, load_of(b, h->vc, &pair[1]));

        if (first != second)
            return second < first;
    }
    return (int)prefer;
}

static struct answer choose(const struct input_bench *b, const struct head *h, unsigned draw,
                            unsigned prefer)
{
    const bool local = h->global == b->t.global, adaptive = h->mode <= MODE_ADAPTIVE3;
    /* holds route.phase */
    const bool others = (adaptive || h->mode == MODE_NMIN_HASH) && h->phase % 2 == 0;
    const unsigned at = input_bench_at(b, h);
    const struct candidate *pair[2] = {b->t.candidate[0][local][at][draw],
                                       b->t.candidate[1][local][at][draw]};
    const int minimal = better(b, h, false, pair[0], prefer);
    const int other = others ? better(b, h, true, pair[1], prefer) : -1;
    /* holds route.falls_back */
    bool nonminimal = other >= 0;

    if (adaptive && minimal >= 0 && other >= 0)
        nonminimal = biased(b, h->mode, true, load_of(b, h->vc, &pair[1][other])) <
                     biased(b, h->mode, false, load_of(b, h->vc, &pair[0][minimal]));
    if (minimal < 0 && other < 0)
        return (struct answer){.none = true};
    return (struct answer){false, nonminimal, nonminimal ? pair[1][other] : pair[0][minimal]};
}

/* Six bits of the destination, the tile and, unless in order, the sender's hash, xored piece by piece. */
static unsigned hash_of(const struct input_bench *b, const struct head *h)
{
    unsigned place = (h->global << RTR_LOCAL_BITS | h->local) << RTR_SUB_BITS | h->sub;
    /* holds route.hash */
    unsigned sender = h->mode == MODE_IN_ORDER ? 0 : h->hash % (1u << RTR_HASH_BITS);
    unsigned hash = b->t.row * 8 + b->t.col;

    for (; place != 0; place /= 64)
        hash ^= place % 64;
    for (; sender != 0; sender /= 64)
        hash ^= sender % 64;
    if (NARROW) /* in the bits that pick a row, too */
        hash ^= (h->mode == MODE_IN_ORDER ? 0 : h->hash % (1u << RTR_HASH_BITS)) << 3;
    return hash;
}

/* ---- one packet ---------------------------------------------------------------------------------- */

struct outcome {
    bool dropped, nonminimal;
    uint64_t fatal;
};

/* Sends a packet of two flits through the idle tile. */
static struct outcome send(struct input_bench *b, const struct head *h)
{
    const uint64_t dropped = b->dropped, nonminimal = b->nonminimal;

    input_bench_send(b, h, false);
    input_bench_clock(b);
    input_bench_send(b, NULL, false);
    input_bench_idle(b, 16);
    return (struct outcome){b->dropped != dropped, b->nonminimal != nonminimal, 0};
}

static bool is(const struct input_bench *b, const struct head *h, const struct outcome *o,
               const struct answer *a)
{
    if (a->none || o->dropped)
        return a->none && o->dropped;
    const struct candidate *w = &a->candidate;
    bool place = b->row.col == w->col && o->nonminimal == a->nonminimal;
#if RTR_TWO_STEP
    place &= b->row.rows == (w->rows & ~dead_rows(b, w->col));
#else
    place &= b->row.row == w->row;
#endif
    return place && b->head.vc == b->t.map[a->nonminimal][w->type][h->vc][h->phase].vc &&
           b->head.phase == b->t.map[a->nonminimal][w->type][h->vc][h->phase].phase;
}

static struct head random_head(struct input_bench *b, unsigned mode)
{
    return (struct head){
        .vc = rng_below(&b->rng, VCS),
        .length = 2,
        .mode = input_mode(mode),
        .phase = rng_below(&b->rng, PHASES),
        .global = input_bench_group(b),
        .local = rng_below(&b->rng, 3) ? rng_below(&b->rng, ROUTERS) : b->t.local,
        .sub = rng_below(&b->rng, 1 << RTR_SUB_BITS),
        .hash = rng_below(&b->rng, 256),
        .rest = rng_below(&b->rng, 1 << 10),
    };
}

/* Loads that come near each other and near the bias, ports that are dead; waits until all is known. */
static void new_surroundings(struct input_bench *b)
{
    const unsigned spread = 1u << (1 + rng_below(&b->rng, 7));
    uint64_t bias = 0;

    b->dead = rng_next(&b->rng);
    b->dead &= rng_next(&b->rng);
    for (int i = 0; i < 64; i++)
        for (int class = 0; class < 2; class ++)
            b->load[class][i / 8][i % 8] = rng_below(&b->rng, spread > 64 ? 64 : spread);
    for (int i = 0; i < 4; i++) {
        b->t.bias[i].add = rng_below(&b->rng, spread);
        b->t.bias[i].halve = rng_below(&b->rng, 2);
        b->t.bias[i].add_minimal = rng_below(&b->rng, 2);
        b->t.bias[i].halve_minimal = rng_below(&b->rng, 2);
        bias |= (uint64_t)b->t.bias[i].add << 7 * i |
                (uint64_t)b->t.bias[i].add_minimal << (28 + i) |
                (uint64_t)b->t.bias[i].halve << (32 + i) |
                (uint64_t)b->t.bias[i].halve_minimal << (36 + i);
    }
    input_bench_write(b, ROUTE_BIAS, 0, bias);
    input_bench_idle(b, 2 * RTR_COLS);
}

/* A quarter of all candidates is absent, and all of one router of the own group. */
static void thin_out(struct input_bench *b)
{
    const unsigned alone = (b->t.local + 1) % ROUTERS;

    for (unsigned i = 0; i < 2 * 2 * WAYS * 4; i++) {
        const unsigned draw = i % 4, at = i / 4 % WAYS, local = i / 4 / WAYS % 2;
        const unsigned n = i / 4 / WAYS / 2;
        struct candidate *w = b->t.candidate[n][local][at][draw];

        if (local && at >= ROUTERS)
            continue;
        w[0].valid = rng_below(&b->rng, 4) != 0;
        w[1].valid = rng_below(&b->rng, 4) != 0;
        if (local && at == alone)
            w[0].valid = w[1].valid = 0;
        input_bench_write_entry(b, n, local, at, draw);
    }
}

/* ---- tests --------------------------------------------------------------------------------------- */

/* Hash modes: one answer. Adaptive ones: one of those that draw and tie can lead to. */
static void test_modes(struct input_bench *b, uint64_t seed)
{
    static const char *names[] = {"ADAPTIVE0", "ADAPTIVE1", "ADAPTIVE2", "ADAPTIVE3",
                                  "NMIN_HASH", "MIN_HASH",  "IN_ORDER"};
    unsigned right[MODE_SOURCE] = {0}, others[MODE_SOURCE] = {0}, dropped[MODE_SOURCE] = {0};
    const unsigned packets = NARROW ? 2400 : 800; /* of each mode */

    input_bench_start(b, seed);
    input_bench_fill(b, true);
    thin_out(b);
    for (unsigned i = 0; i < packets * MODE_SOURCE; i++) {
        if (input_mode(i % MODE_SOURCE) != i % MODE_SOURCE)
            continue;
        const struct head h = random_head(b, i % MODE_SOURCE);
        const bool own = h.global == b->t.global && h.local == b->t.local;
        const unsigned hash = hash_of(b, &h);
        bool found = false;

        if (i % 140 == 0)
            new_surroundings(b);
        /* the bench only has to know whether it will come out; what draws lead to is known afterwards */
        b->spoils_head = false;
        const uint64_t in = b->vc[h.vc].in;
        const struct outcome o = send(b, &h);
        if (o.dropped)
            b->vc[h.vc].in = b->vc[h.vc].out = in;
        for (unsigned draw = 0; draw < 4; draw++)
            for (unsigned prefer = 0; prefer < 2; prefer++) {
                const bool adaptive = h.mode <= MODE_ADAPTIVE3;
                const struct answer a = choose(b, &h, draw, prefer);
                /* holds route.own */
                const bool drawn = own ? draw == h.sub : adaptive || draw == hash % 4;

                /* holds route.hash_bit */
                found |= drawn && (adaptive || prefer == hash / 4 % 2) && is(b, &h, &o, &a);
            }
        right[h.mode] += found;
        others[h.mode] += o.nonminimal;
        dropped[h.mode] += o.dropped;
    }
    for (unsigned m = 0; m < MODE_SOURCE; m++) {
        if (input_mode(m) != m)
            continue;
        tap_why("%u of %u", right[m], packets);
        const bool both = others[m] != 0 && others[m] != packets;
        /* holds route.least */
        tap_ok(right[m] == packets && both == (m <= MODE_NMIN_HASH) && dropped[m] != 0,
               "%s: the choice of the rules; %u of %u non-minimal, %u had none", names[m],
               others[m], packets, dropped[m]);
    }
    tap_misses(&b->wrong, "nothing else came out");
}

#if RTR_LENGTH_BITS == 0

/* A flit of this VC on the link. */
static void put(struct input_bench *b, unsigned vc, uint64_t flit, bool tail)
{
    b->in.valid = 1;
    b->in.flit = (rtr_flit)flit;
    b->in.bad = 0;
    b->in.tail = tail;
    b->in.ok = OK_GOOD;
    b->flits_in++;
    b->vc[vc].outstanding++;
    input_bench_clock(b);
}

static uint64_t source_head(unsigned vc, unsigned hops, unsigned list)
{
    return (uint64_t)vc << (RTR_FLIT_BITS - RTR_HEAD_VC_BITS) |
           UINT64_C(7) << (RTR_FLIT_BITS - RTR_HEAD_VC_BITS - 3) |
           (uint64_t)hops << (RTR_FLIT_BITS - RTR_HEAD_VC_BITS - 5) | list;
}

/*
 * Heads with 0 to 3 hops, and with an end right behind them. One of two stays with the other; one of one is taken off, and the flit
 * behind it is the head, on the VC of the packet. The masks of rows and columns say where such packets may go.
 */
static void test_source(struct input_bench *b, uint64_t seed)
{
    unsigned dead = 0, none = 0, shut = 0, taken = 0;

    input_bench_start(b, seed);
    input_bench_fill(b, true);
    for (unsigned i = 0; i < 1000; i++) {
        const unsigned hops = rng_below(&b->rng, 4), vc = rng_below(&b->rng, VCS);
        const unsigned row = rng_below(&b->rng, 8), col = rng_below(&b->rng, 8);
        const unsigned more = rng_below(&b->rng, 64), body = rng_below(&b->rng, 3);
        const unsigned rows = i % 3 ? 0xff : rng_below(&b->rng, 256);
        const unsigned cols = i % 3 ? 0xff : rng_below(&b->rng, 256);
        const struct candidate hop = {.valid = true, .row = row, .col = col, .rows = 1u << row};
        if (i % 20 == 0)
            new_surroundings(b);
        input_bench_write(b, ROUTE_SOURCE, 0, cols << 8 | rows);
        input_bench_idle(b, 4);
        const bool open = rows >> row & cols >> col & 1,
                   fits = hops == 2 || (hops == 1 && body > 0);
        const bool lives = open && fits && input_bench_lives(b, &hop);
        const uint64_t dropped = b->dropped, corrected = b->corrected;
        struct input_vc *v = &b->vc[vc];
        const uint64_t first = source_head(vc, hops, more << 6 | row << 3 | col);
        const uint64_t second = source_head(rng_below(&b->rng, VCS), 2, rng_below(&b->rng, 4096));
        const uint64_t end = rng_next(&b->rng) >> (64 - RTR_FLIT_BITS);
        if (lives && hops == 2)
            v->flit[v->in++ % WAITING] = (struct expected){first, true, false, false, false};
        if (lives && body > 0)
            v->flit[v->in++ % WAITING] = (struct expected){second, hops == 1, false, false, false};
        if (lives && body > 1)
            v->flit[v->in++ % WAITING] =
                (struct expected){~end & 0xfffff, false, false, false, false};
        if (lives)
            v->flit[v->in++ % WAITING] = (struct expected){end, false, true, false, false};
        put(b, vc, first, false);
        if (body > 0)
            put(b, vc, second, false);
        if (body > 1)
            put(b, vc, ~end & 0xfffff, false);
        put(b, vc, end, true);
        input_bench_idle(b, 24);
        must_equal(&b->wrong, b->dropped - dropped, !lives, "packet %u, %u hops: dropped", i, hops);
        must_equal(&b->wrong, b->corrected, corrected, "errors corrected");
        if (lives) {
            /* holds route.hop */
            must_equal(&b->wrong, (unsigned)b->row.col, col, "packet %u: column", i);
            must_equal(&b->wrong, b->head.vc, vc, "packet %u: VC", i);
            must_equal(&b->wrong, put_head(&b->head),
                       hops == 2 ? source_head(vc, 1, more)
                                 : (second & source_head(0, 3, 4095)) | source_head(vc, 2, 0),
                       "packet %u of %u hops: head behind the hop", i, hops);
        }
        must_equal(&b->wrong, v->in, v->out, "packet %u: flits that came", i);
        dead += open && fits && !lives;
        none += !fits;
        shut += !open;
        taken += lives && hops == 1;
    }
    must_at_least(&b->wrong, dead, 50, "dead");
    must_at_least(&b->wrong, none, 50, "none");
    must_at_least(&b->wrong, shut, 50, "shut");
    must_at_least(&b->wrong, taken, 50, "taken off");
    input_bench_write(b, ROUTE_SOURCE, 0, 0xffff);
    tap_misses(
        &b->wrong,
        "SOURCE: %u heads taken off; %u to dead ports, %u where they may not go, %u without a hop",
        taken, dead, shut, none);
}

#else

static void test_source(struct input_bench *b, uint64_t seed)
{
    unsigned right = 0, dead = 0, ended = 0, packets = 500;

    input_bench_start(b, seed);
    input_bench_fill(b, true);
    for (unsigned i = 0; i < packets; i++) {
        struct head h = random_head(b, MODE_SOURCE);
        const bool last = i % 16 == 0; /* the list has ended */
        const unsigned row = last ? 7 : rng_below(&b->rng, 8),
                       col = last ? 7 : rng_below(&b->rng, 8);
        const unsigned more = rng_below(&b->rng, 1 << (LIST_BITS - 6)),
                       list = more << 6 | row << 3 | col;

        if (i % 20 == 0)
            new_surroundings(b);
        h.sub = list % (1 << RTR_SUB_BITS);
        h.local = list >> RTR_SUB_BITS & (ROUTERS - 1);
        h.global = list >> (RTR_SUB_BITS + RTR_LOCAL_BITS);
        const struct candidate hop = {.valid = true, .row = row, .col = col, .rows = 1u << row};
        const bool ends = row == 7 && col == 7;
        const bool lives = !ends && input_bench_lives(b, &hop);
        b->spoils_head = !lives;
        const struct outcome o = send(b, &h);
        const unsigned place =
            (b->head.global << RTR_LOCAL_BITS | b->head.local) << RTR_SUB_BITS | b->head.sub;
        const unsigned left = place % (1u << LIST_BITS);
        bool there = b->row.col == col;
#if RTR_TWO_STEP
        there &= b->row.rows == 1u << row && !b->row.adaptive;
#else
        there &= b->row.row == row;
#endif
        const unsigned rest = more | 63u << (LIST_BITS - 6);
        right += lives ? !o.dropped && !o.nonminimal && there && left == rest &&
                             b->head.vc == h.vc && b->head.phase == h.phase
                       : o.dropped;
        dead += !lives;
        ended += ends;
    }
    tap_why("%u of %u", right, packets);
    /* holds route.list_end */
    must_equal(&b->wrong, right, packets, "right");
    must_at_least(&b->wrong, dead, 50 + 1, "dead");
    must_at_least(&b->wrong, ended, 0 + 1, "ended");
    tap_misses(&b->wrong,
               "SOURCE: by the first hop, ones follow it; VC and phase stay; %u led nowhere, %u of "
               "them were at "
               "the end of the list",
               dead, ended);
}

#endif

/* Counts where packets to one destination go. */
static void spread(struct input_bench *b, struct head h, unsigned packets, unsigned count[8])
{
    const bool hashed = h.mode > MODE_ADAPTIVE3;

    for (int i = 0; i < 8; i++)
        count[i] = 0;
    for (unsigned i = 0; i < packets; i++) {
        h.hash = hashed ? rng_below(&b->rng, 256) : 0;
        h.rest = rng_below(&b->rng, 1 << 10);
        send(b, &h);
        input_bench_idle(b, rng_below(&b->rng, 8));
        count[b->row.col]++;
    }
}

/* Minimal candidates are eight ports of row 0, non-minimal ones all one port of row 1. */
static void test_shares(struct input_bench *b, uint64_t seed)
{
    struct head h = {.vc = 0, .length = 2, .mode = MODE_ADAPTIVE0, .global = 0, .local = 1};
    const unsigned packets = 1600;
    unsigned count[8], least = packets, most = 0, mean = packets / RTR_COLS;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    h.global = b->t.global ^ 1;
    const unsigned at = input_bench_at(b, &h);
    for (unsigned draw = 0; draw < 4; draw++)
        for (unsigned n = 0; n < 2; n++) {
            for (unsigned i = 0; i < 2; i++)
                b->t.candidate[n][0][at][draw][i] =
                    (struct candidate){true, 0, n, n ? 0 : (2 * draw + i) % RTR_COLS, 1u << n};
            input_bench_write_entry(b, n, 0, at, draw);
        }
    spread(b, h, packets, count);
    for (int c = 0; c < RTR_COLS; c++) {
        const unsigned weight = 8 / RTR_COLS + (c < 8 % RTR_COLS); /* candidates in this column */
        const unsigned share = count[c] * 8 / weight / RTR_COLS;

        least = share < least ? share : least;
        most = share > most ? share : most;
    }
    tap_note("packets per candidate: %u to %u, mean %u", least, most, mean);
    /* holds route.equal */
    tap_ok(least * 100 >= mean * 75 && most * 100 <= mean * 125 && b->nonminimal == 0,
           "equal loads: minimal candidates share evenly, none goes non-minimally");

    b->load[0][0][1] = 100;
    input_bench_idle(b, 2 * RTR_COLS);
    spread(b, h, 200, count);
    tap_ok(count[1] == 0 || RTR_COLS == 2, "a loaded candidate is avoided");

    for (unsigned bias = 0, last = 201; bias < 128; bias += 100) {
        const uint64_t before = b->nonminimal;

        for (int c = 0; c < 8; c++)
            b->load[0][0][c] = 40;
        input_bench_write(b, ROUTE_BIAS, 0, bias);
        input_bench_idle(b, 2 * RTR_COLS);
        spread(b, h, 200, count);
        const unsigned now = (unsigned)(b->nonminimal - before);
        tap_ok(now < last && (bias == 0) == (now > 50), "bias %u: %u of 200 go non-minimally", bias,
               now);
        last = now;
    }

    h.mode = MODE_IN_ORDER;
    spread(b, h, 100, count);
    bool one = false;
    for (int c = 0; c < RTR_COLS; c++)
        one |= count[c] == 100;
    must(&b->wrong, one, "expected one");
    tap_misses(&b->wrong, "IN_ORDER: one route for a destination, whatever the sender's hash");
}

/* Packets of a VC, one after the other, as long as there is room; how many of what came out went by column 0. */
static unsigned by_column_0(struct input_bench *b, struct head h, unsigned vc, unsigned packets)
{
    unsigned count = 0;

    h.vc = h.local = vc; /* no other VC has this head */
    for (unsigned n = 0; n < packets; n++)
        for (unsigned i = 0; i < 24; i++) {
            if (i < h.length)
                input_bench_send(b, &h, false);
            input_bench_clock(b);
            count += b->came && b->row.col == 0 && b->row.tail;
        }
    return count;
}

/*
 * Two minimal ways, by column 0 without a load and by column 1 with the highest: all packets go by column 0 until this takes nothing and
 * holds 24 of 32 flits of their class from here. Then those of another VC of the class go by column 1, with any bias; so do those of
 * the other class once both have 16 of 32. When column 0 takes flits again all is as before.
 */
static void test_full(struct input_bench *b, uint64_t seed)
{
    struct head h = {.length = 2, .mode = MODE_ADAPTIVE0, .local = 1};
    const unsigned response = VCS / 2, both = RTR_STAGE_LOG2 == 4 ? 16 : 32, one = both * 3 / 2;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    h.global = b->t.global ^ 1;
    const unsigned at = input_bench_at(b, &h);
    for (unsigned draw = 0; draw < 4; draw++)
        for (unsigned n = 0; n < 2; n++) {
            for (unsigned i = 0; i < 2; i++)
                b->t.candidate[n][0][at][draw][i] = (struct candidate){n == 0, 0, 0, i, 1};
            input_bench_write_entry(b, n, 0, at, draw);
        }
    input_bench_write(b, ROUTE_BIAS, 0, UINT64_C(127) | UINT64_C(1) << ROUTE_ADD_MINIMAL_AT);
    b->load[0][0][1] = b->load[1][0][1] = 63;
    input_bench_idle(b, 2 * RTR_COLS);

    b->blocked = 1;
    by_column_0(b, h, 0, one / 2);
    const struct backlog *backlog = &b->dut.backlog;
    tap_why("%u flits", (unsigned)backlog->request[0]);
    tap_ok(backlog->request[0] == one && backlog->request[1] == 0 && backlog->out.full_request == 1,
           "%u requests for a column that takes none", one);
    const unsigned by_0 = VCS > 2 ? by_column_0(b, h, 1, 4) : 0;
    /* holds route.full */
    tap_ok(by_0 == 0 && b->row.col == (VCS > 2), "then requests go another way, with any bias");
    const unsigned first = by_column_0(b, h, response, both / 2),
                   then = by_column_0(b, h, response, 4);
    tap_why("%u and %u", first, then);
    tap_ok(first == both / 2 && then == 0, "responses go by it until it holds %u of them, too",
           both);
    b->blocked = 0;
    input_bench_drain(b);
    const unsigned requests = by_column_0(b, h, 0, 10), responses = by_column_0(b, h, response, 10);
    must_equal(&b->wrong, requests, 10, "requests");
    must_equal(&b->wrong, responses, 10, "responses");
    tap_misses(&b->wrong, "when it is drained all go by it again");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    struct input_bench *b = malloc(sizeof *b);

    if (b == NULL)
        return EXIT_FAILURE;
    test_modes(b, seed);
    test_source(b, seed);
    test_shares(b, seed);
    test_full(b, seed);
    free(b);
    return tap_done();
}
