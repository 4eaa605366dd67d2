// SPDX-License-Identifier: Apache-2.0
/*
 * test_subswitch.c - the subswitch alone, between models of the row busses and of the column buffers.
 *
 * Built for routers, a16: san. Recorded for subswitch.
 */
#include "tb/base/harness.h"
#include "router/flit/rtr_ecc.h"
#include "router/cross/subswitch.h"

#include <string.h>

enum { RING = 64, HERE = 1 };

static uint64_t now;

/* ---- the bench ------------------------------------------------------------------------------- */

/* What was sent into one VC of one input and has not come out yet. */
struct lane {
    unsigned credit;
    unsigned left; /* flits of the packet that is being sent */
    unsigned rows; /* where it may go */
    uint16_t sent, got;
    struct {
        uint8_t rows;
        bool head, tail;
    } flit[RING];
    int row; /* where the packet that is coming out went */
};

struct bench {
    struct subswitch dut;
    struct rng rng;
    struct lane lane[RTR_COLS][RTR_VCS];
    int holder[RTR_ROWS][RTR_VCS]; /* input whose packet has the VC of a column bus, or -1 */
    unsigned stored[RTR_ROWS][RTR_VCS];
    uint64_t moved[RTR_ROWS];
    uint64_t from[RTR_COLS][RTR_VCS];
    int streams[RTR_ROWS]; /* whose packet the column bus is in the middle of, or -1 */
    struct misses wrong;
    uint64_t broken;            /* flits that came into the middle of another packet */
    uint64_t corrected, fatal;  /* as the subswitch reports */
    uint64_t fixed, bad;        /* as the code of each flit says */
    double offer;               /* flits per clock and input */
    double take;                /* chance that a column buffer gives a place back in a clock */
    unsigned longest;           /* flits of a packet */
    unsigned rows, vcs, inputs; /* sets from which traffic draws */
    unsigned wide;              /* two steps: rows that each head allows besides its own */
    int mode;                   /* two steps: 0 by hash, 1 adaptive, -1 either */
    double slow;                /* as take, for row 0; 0: as the others */
    int stuck;                  /* this VC gets no place back; -1: none */
    bool quiet;                 /* no new packets */
};

static void bench_start(struct bench *b, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    rng_seed(&b->rng, seed);
    subswitch_reset(&b->dut);
    for (int i = 0; i < RTR_COLS; i++) {
        for (int v = 0; v < RTR_VCS; v++) {
            b->lane[i][v].credit = 1 << RTR_ROW_LOG2;
        }
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        b->streams[r] = -1;
        for (int v = 0; v < RTR_VCS; v++) {
            b->holder[r][v] = -1;
        }
    }
    b->offer = 1;
    b->take = 1;
    b->longest = RTR_PACKET;
    b->rows = (1 << RTR_ROWS) - 1;
    b->vcs = (1 << RTR_VCS) - 1;
    b->inputs = (1 << RTR_COLS) - 1;
    b->stuck = -1;
    b->mode = -1;
}

/* Number, VC and input in a flit. */
static rtr_flit flit_of(unsigned input, unsigned vc, unsigned number)
{
    return (rtr_flit)(input | vc << 3 | number << 6);
}

static void offer(struct bench *b, struct row_flit *bus, unsigned input)
{
    unsigned v = rng_bit(&b->rng, b->vcs);

    for (int n = 0; n < RTR_VCS && (b->lane[input][v].credit == 0 || (b->vcs >> v & 1) == 0); n++) {
        v = (v + 1) % RTR_VCS;
    }
    struct lane *lane = &b->lane[input][v];

    bus->col = HERE;
    if ((b->inputs >> input & 1) == 0 || (b->vcs >> v & 1) == 0 || lane->credit == 0 ||
        (b->quiet && lane->left == 0) || !rng_chance(&b->rng, b->offer)) {
        bus->valid = 1; /* for another column */
        bus->col = (rtr_col)((HERE + 1) % RTR_COLS);
        return;
    }
    bool head = lane->left == 0;

    if (head) {
        lane->left = 1 + rng_below(&b->rng, b->longest);
        lane->rows = 1u << rng_bit(&b->rng, b->rows) | b->wide;
    }
    lane->left--;
    lane->credit--;
    bus->valid = 1;
    bus->vc = (rtr_vc)v;
    bus->tail = lane->left == 0;
#if RTR_TWO_STEP
    bus->rows = head ? (rtr_rows)lane->rows : (rtr_rows)rng_next(&b->rng);
    bus->hash = (u3)rng_next(&b->rng);
    bus->adaptive = b->mode < 0 ? (u1)rng_next(&b->rng) : (u1)b->mode;
#else
    bus->row = (rtr_row)__builtin_ctz(lane->rows);
#endif
    bus->code = rtr_encode(flit_of(input, v, lane->sent & 0xFFFF), 0);
    lane->flit[lane->sent % RING].rows = (uint8_t)lane->rows;
    lane->flit[lane->sent % RING].head = head;
    lane->flit[lane->sent % RING].tail = lane->left == 0;
    lane->sent++;
}

static void arrive(struct bench *b, int r)
{
    const struct column_flit *bus = &b->dut.out.column[r];

    if (!bus->valid) {
        return;
    }
    struct rtr_fixed fixed = rtr_decode(bus->code);
    unsigned input = (unsigned)fixed.flit & 7, v = (unsigned)(fixed.flit >> 3) & 7;
    uint16_t number = (uint16_t)(fixed.flit >> 6);

    b->bad += fixed.bad;
    b->fixed += fixed.corrected;
    if (input >= RTR_COLS || v >= RTR_VCS) {
        miss(&b->wrong, "a flit that no lane of this row and VC has sent");
        return;
    }
    struct lane *lane = &b->lane[input][v];
    unsigned place = number % RING;
    int holder = lane->flit[place].head ? -1 : (int)input;

    lane->row = lane->flit[place].head ? r : lane->row;
    must_equal(&b->wrong, number, lane->got, "row %u, VC %u: number of the flit", (unsigned)r,
               (unsigned)v);
    must_equal(&b->wrong, bus->vc, v, "row %u: VC", (unsigned)r);
    must_equal(&b->wrong, lane->row, r, "VC %u: row", (unsigned)v);
    must(&b->wrong, lane->flit[place].rows >> r & 1, "VC %u: row %u, expected one of %#x",
         (unsigned)v, (unsigned)r, (unsigned)lane->flit[place].rows);
    /* holds subswitch.wormhole */
    must_equal(&b->wrong, bus->tail, lane->flit[place].tail, "row %u, VC %u: tail", (unsigned)r,
               (unsigned)v);
    must_equal(&b->wrong, b->holder[r][v], holder, "row %u, VC %u: lane whose packet it is",
               (unsigned)r, (unsigned)v);
    b->broken += b->streams[r] >= 0 && b->streams[r] != (int)(input * RTR_VCS + v);
    b->streams[r] = bus->tail ? -1 : (int)(input * RTR_VCS + v);
    b->holder[r][v] = bus->tail ? -1 : (int)input;
    lane->got++;
    b->stored[r][v]++;
    must_at_most(&b->wrong, b->stored[r][v], 1 << RTR_COL_LOG2,
                 "row %u, VC %u: flits in the column buffer", (unsigned)r, (unsigned)v);
    b->moved[r]++;
    b->from[input][v]++;
}

static void bench_step(struct bench *b)
{
    struct subswitch_in in = {.here = {.row = 0, .col = HERE}};

    for (int i = 0; i < RTR_COLS; i++) {
        const struct vc_note *freed = &b->dut.out.freed[i];

        if (freed->valid) {
            b->lane[i][freed->vc].credit++;
            must_at_most(&b->wrong, b->lane[i][freed->vc].credit, 1 << RTR_ROW_LOG2,
                         "lane %u, VC %u: credits", (unsigned)i, (unsigned)freed->vc);
        }
        offer(b, &in.row[i], (unsigned)i);
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        unsigned v = rng_below(&b->rng, RTR_VCS);

        for (int n = 0; n < RTR_VCS && (b->stored[r][v] == 0 || (int)v == b->stuck); n++) {
            v = (v + 1) % RTR_VCS;
        }
        if (b->stored[r][v] != 0 && (int)v != b->stuck &&
            rng_chance(&b->rng, r == 0 && b->slow > 0 ? b->slow : b->take)) {
            in.column_freed[r] = (struct vc_note){.valid = 1, .vc = (rtr_vc)v};
            b->stored[r][v]--;
        }
    }
    subswitch(&b->dut, &in);
    for (int r = 0; r < RTR_ROWS; r++) {
        arrive(b, r);
    }
    b->corrected += b->dut.out.corrected;
    b->fatal += b->dut.out.fatal;
    now++;
}

/* ---- tests of the subswitch ------------------------------------------------------------------ */

static void bench_run(struct bench *b, unsigned clocks)
{
    for (unsigned n = 0; n < clocks; n++) {
        bench_step(b);
    }
}

/* No new packets until all is out; true if every flit came and every credit is back. */
static bool bench_drain(struct bench *b)
{
    bool all = true;

    b->quiet = true;
    b->take = 1;
    b->stuck = -1;
    b->offer = 1;
    bench_run(b, 20000);
    for (int i = 0; i < RTR_COLS; i++) {
        for (int v = 0; v < RTR_VCS; v++) {
            struct lane *lane = &b->lane[i][v];

            all &= lane->sent == lane->got && lane->credit == 1 << RTR_ROW_LOG2;
        }
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        all &= b->dut.credit[r].out.used == 0;
    }
    return all;
}

static void test_order(uint64_t seed)
{
    static const double moods[][2] = {{1, 1}, {0.3, 1}, {1, 0.3}, {0.6, 0.6}, {1, 0.05}, {0.05, 1}};
    static struct bench b;
    uint64_t moved = 0;

    bench_start(&b, seed);
    for (unsigned n = 0; n < 60; n++) {
        b.offer = moods[n % 6][0];
        b.take = moods[n % 6][1];
        b.longest = n % 7 == 0 ? 1 : RTR_PACKET;
        bench_run(&b, 1000);
    }
    bool drained = bench_drain(&b);

    for (int r = 0; r < RTR_ROWS; r++) {
        moved += b.moved[r];
    }
    must_equal(&b.wrong, b.bad, 0, "b.bad");
    must_at_least(&b.wrong, moved, 20000 * RTR_COLS / 2 + 1, "moved");
    tap_misses(&b.wrong,
               "subswitch: %llu flits in order, at their row, packets whole, no buffer overrun",
               (unsigned long long)moved);
    tap_ok(drained, "subswitch: everything came out, all credits are back");
    tap_ok(b.corrected == 0 && b.fatal == 0, "subswitch: no error where none was made");
}

/* Resets under way, which leave the memories as they are; behind each the column buffers of a row are filled. */
static void test_reset(uint64_t seed)
{
    static struct bench b;
    static struct subswitch dut;
    struct misses wrong = {0};
    unsigned unused = 0;

    bench_start(&b, seed);
    for (unsigned n = 0; n < 16; n++) {
        const unsigned row = n % RTR_ROWS;
        dut = b.dut;
        bench_start(&b, seed + n);
        b.dut = dut;
        subswitch_reset(&b.dut);
        b.rows = 1u << row;
        b.take = 0;
        bench_run(&b, 50 << RTR_COL_LOG2);
        for (int v = 0; v < RTR_VCS; v++) {
            const unsigned left = (1u << RTR_COL_LOG2) - b.stored[row][v];
            unused += left > COLUMN_CREDIT_FEW ? left : 0;
        }
        b.rows = (1 << RTR_ROWS) - 1;
        b.take = n % 2 ? 0.2 : 1;
        bench_run(&b, 100 + rng_below(&b.rng, 200));
        misses_add(&wrong, &b.wrong);
    }
    const bool drained = bench_drain(&b);
    /* holds subswitch.reserve */
    must(&wrong, drained, "expected drained");
    must_equal(&wrong, unused, 0, "unused");
    misses_add(&wrong, &b.wrong);
    tap_misses(&wrong,
               "subswitch: after a reset under way all begins anew, with all credits but few (%u)",
               unused);
}

/* Least share of its clocks that a column bus of the set carries a flit. */
static double least_rate(struct bench *b, unsigned clocks)
{
    double least = 1;

    bench_run(b, 2000);
    memset(b->moved, 0, sizeof b->moved);
    memset(b->from, 0, sizeof b->from);
    bench_run(b, clocks);
    for (int r = 0; r < RTR_ROWS; r++) {
        double rate = (double)b->moved[r] / clocks;

        least = (b->rows >> r & 1) && rate < least ? rate : least;
    }
    return least;
}

/*
 * Fronts are what the arbiter can choose from, and they are not spread evenly: with every one of them waiting for one
 * row, even a perfect matching leaves a bus without any candidate for some clocks.
 */
#if RTR_ROWS < RTR_COLS
#define RATE_RANDOM 0.88 /* aries */
#elif RTR_COLS == 6
#define RATE_RANDOM 0.76 /* gemini */
#elif RTR_COLS == 8
#define RATE_RANDOM 0.67 /* yarc */
#else
#define RATE_RANDOM 0.79 /* proto */
#endif

static void test_rate(uint64_t seed)
{
    static struct bench b;
    unsigned busy = RTR_COLS < RTR_ROWS ? RTR_COLS : RTR_ROWS;

    bench_start(&b, seed);
    b.rows = (1u << busy) - 1;
    double random = least_rate(&b, 100000);

    tap_ok(b.broken * 100 < b.moved[0],
           "subswitch: a bus stays with its packet: broken into %llu times",
           (unsigned long long)b.broken);
    /* holds subswitch.rate */
    tap_ok(random > RATE_RANDOM, "subswitch: all inputs full, rows and VCs at random: %.4f a bus",
           random);
    for (unsigned longest = 1; longest <= RTR_PACKET; longest += RTR_PACKET - 1) {
        bench_start(&b, seed);
        b.rows = 1;
        b.longest = longest;
        double one = least_rate(&b, 20000);

        tap_ok(one > 0.999, "subswitch: one row, packets of up to %u: %.4f", longest, one);
    }
    bench_start(&b, seed);
    b.rows = b.vcs = b.inputs = 1;
    double alone = least_rate(&b, 20000);

    /* holds subswitch.alone */
    tap_ok(alone > 0.999, "subswitch: one input, one VC, one row: %.4f", alone);
}

static void test_fair(uint64_t seed)
{
    static struct bench b;

    for (unsigned rows = 1; rows <= 3; rows += 2) {
        uint64_t input[RTR_COLS] = {0}, vc[RTR_VCS] = {0};

        bench_start(&b, seed);
        b.rows = rows;
        least_rate(&b, 200000);
        for (int i = 0; i < RTR_COLS; i++) {
            for (int v = 0; v < RTR_VCS; v++) {
                input[i] += b.from[i][v];
                vc[v] += b.from[i][v];
            }
        }
        tap_ok(unfairness(input, RTR_COLS) < 0.05 && unfairness(vc, RTR_VCS) < 0.05,
               "subswitch: all inputs to %u rows: shares off by %.3f, of VCs %.3f",
               rows == 1 ? 1 : 2, unfairness(input, RTR_COLS), unfairness(vc, RTR_VCS));
    }
}

/* A VC that gets no credits back holds none of the others. */
static void test_stuck(uint64_t seed)
{
    static struct bench b;

    bench_start(&b, seed);
    b.rows = 1;
    b.stuck = 0;
    double rate = least_rate(&b, 20000);
    uint64_t stuck = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        stuck += b.from[i][0];
    }
    /* holds subswitch.stuck */
    tap_ok(rate > 0.99 && stuck == 0, "subswitch: one VC stuck, the bus still carries %.4f", rate);
    must(&b.wrong, bench_drain(&b), "expected bench_drain(&b)");
    tap_misses(&b.wrong, "subswitch: and its flits follow when it is free");
}

/* Flips bits that the code must corrected: data words, and control words of the row buffers. */
static void test_bits(uint64_t seed)
{
    static struct bench b;
    uint64_t flipped = 0;

    bench_start(&b, seed);
    b.offer = 0.9;
    for (unsigned n = 0; n < 20000; n++) {
        struct row_buffer *q = &b.dut.buffer[rng_below(&b.rng, RTR_COLS)];
        unsigned place = rng_below(&b.rng, 1 << (RTR_VC_BITS + RTR_ROW_LOG2));

        bench_step(&b);
        q->codes[place] ^= (rtr_code)1 << rng_below(&b.rng, RTR_CODE_BITS);
        flipped++;
        bench_run(&b, 20);
        q->codes[place] = rtr_encode(rtr_decode(q->codes[place]).flit, 0);
    }
    must_equal(&b.wrong, b.bad, 0, "b.bad");
    must_at_least(&b.wrong, b.fixed, flipped / 20 + 1, "b.fixed");
    tap_misses(&b.wrong, "subswitch: %llu flits with a wrong bit passed and can be corrected",
               (unsigned long long)b.fixed);

    bench_start(&b, seed);
    for (unsigned n = 0; n < 2000; n++) {
        struct row_buffer *q = &b.dut.buffer[rng_below(&b.rng, RTR_COLS)];
        unsigned place = rng_below(&b.rng, 1 << (RTR_VC_BITS + RTR_ROW_LOG2));

        bench_step(&b);
        q->controls[place] ^= 0x30; /* two check bits: what they protect stays right */
        bench_run(&b, 20);
    }
    must_at_least(&b.wrong, b.fatal, 20 + 1, "b.fatal");
    must_at_least(&b.wrong, b.bad * 10, b.fatal * 9 + 1, "b.bad * 10");
    must_at_most(&b.wrong, b.bad * 9, b.fatal * 10 - 1, "b.bad * 9");
    tap_misses(&b.wrong,
               "subswitch: %llu control words with a double-bit error reported, %llu flits marked",
               (unsigned long long)b.fatal, (unsigned long long)b.bad);
}

#if RTR_TWO_STEP
/* Heads that leave the row open: by hash each row as often as can be, or the one with least under way. */
static void test_rows(uint64_t seed)
{
    static struct bench b;
    uint64_t share[RTR_ROWS];

    bench_start(&b, seed);
    b.wide = b.rows;
    b.longest = 1;
    b.offer = 0.2;
    b.mode = 0;
    bench_run(&b, 100000);
    memcpy(share, b.moved, sizeof share);
    must(&b.wrong, unfairness(share, RTR_ROWS) < 0.05,
         "unfairness(share, RTR_ROWS): %.3f, expected < %.3f",
         (double)(unfairness(share, RTR_ROWS)), (double)(0.05));
    tap_misses(&b.wrong, "subswitch: heads that allow every row use them alike, off by %.3f",
               unfairness(share, RTR_ROWS));

    /* Row 0 drains slowly, and the packets go elsewhere; those sent by hash do not. */
    bench_start(&b, seed);
    b.wide = 3;
    b.rows = 1;
    b.slow = 0.05;
    b.offer = 0.05;
    b.longest = 1;
    b.mode = 1;
    bench_run(&b, 100000);
    /* holds subswitch.rows */
    must_at_least(&b.wrong, b.moved[1], 3 * b.moved[0] + 1, "b.moved[1]");
    tap_misses(&b.wrong, "subswitch: adaptive heads avoid the slow row, %llu to %llu",
               (unsigned long long)b.moved[0], (unsigned long long)b.moved[1]);
    bench_start(&b, seed);
    b.wide = 3;
    b.rows = 1;
    b.offer = 0.05;
    b.longest = 1;
    b.mode = 0;
    bench_run(&b, 100000);
    must(&b.wrong, unfairness(b.moved, 2) < 0.05, "unfairness(b.moved, 2): %.3f, expected < %.3f",
         (double)(unfairness(b.moved, 2)), (double)(0.05));
    tap_misses(&b.wrong, "subswitch: heads sent by hash do not");
}
#endif

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &now;
    test_order(seed);
    test_reset(seed);
    test_rate(seed);
    test_fair(seed);
    test_stuck(seed);
    test_bits(seed);
#if RTR_TWO_STEP
    test_rows(seed);
#endif
    return tap_done();
}
