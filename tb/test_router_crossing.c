// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_crossing.c - subswitch and output_mux, each alone between models of its neighbours.
 */
#include "harness.h"
#include "router/output_mux.h"
#include "router/rtr_ecc.h"
#include "router/subswitch.h"

#include <string.h>

enum { RING = 64, HERE = 1 };

static uint64_t now;

/* ---- subswitch ------------------------------------------------------------------------------- */

/* What was sent into one VC of one input and has not come out yet. */
struct lane {
    unsigned credit;
    unsigned left; /* flits of the packet that is being sent */
    unsigned row;
    uint16_t sent, got;
    struct {
        uint8_t row;
        bool head, tail;
    } flit[RING];
};

struct bench {
    struct subswitch dut;
    struct rng rng;
    struct lane lane[RTR_COLS][RTR_VCS];
    int holder[RTR_ROWS][RTR_VCS]; /* input whose packet has the VC of a column bus, or -1 */
    unsigned stored[RTR_ROWS][RTR_VCS];
    uint64_t moved[RTR_ROWS];
    uint64_t from[RTR_COLS][RTR_VCS];
    uint64_t wrong;
    uint64_t corrected, fatal, bad;
    double offer;       /* flits per clock and input */
    double take;        /* chance that a column buffer gives a place back in a clock */
    unsigned longest;   /* flits of a packet */
    unsigned rows, vcs; /* sets from which traffic draws */
    bool quiet;         /* no new packets */
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
        for (int v = 0; v < RTR_VCS; v++) {
            b->holder[r][v] = -1;
        }
    }
    b->offer = 1;
    b->take = 1;
    b->longest = RTR_PACKET;
    b->rows = (1 << RTR_ROWS) - 1;
    b->vcs = (1 << RTR_VCS) - 1;
}

static unsigned draw(struct rng *rng, unsigned set, unsigned n)
{
    unsigned one;

    do {
        one = rng_below(rng, n);
    } while ((set >> one & 1) == 0);
    return one;
}

/* Number, VC and input in a flit. */
static rtr_flit flit_of(unsigned input, unsigned vc, unsigned number)
{
    return (rtr_flit)(input | vc << 3 | number << 6);
}

static void offer(struct bench *b, struct row_flit *bus, unsigned input)
{
    unsigned v = draw(&b->rng, b->vcs, RTR_VCS);

    for (int n = 0; n < RTR_VCS && (b->lane[input][v].credit == 0 || (b->vcs >> v & 1) == 0); n++) {
        v = (v + 1) % RTR_VCS;
    }
    struct lane *lane = &b->lane[input][v];

    bus->col = HERE;
    if ((b->vcs >> v & 1) == 0 || lane->credit == 0 || (b->quiet && lane->left == 0) ||
        !rng_chance(&b->rng, b->offer)) {
        return;
    }
    bool head = lane->left == 0;

    if (head) {
        lane->left = 1 + rng_below(&b->rng, b->longest);
        lane->row = draw(&b->rng, b->rows, RTR_ROWS);
    }
    lane->left--;
    lane->credit--;
    bus->valid = 1;
    bus->vc = (rtr_vc)v;
    bus->tail = lane->left == 0;
#if RTR_TWO_STEP
    bus->rows = head ? (rtr_rows)((rtr_rows)1 << lane->row) : (rtr_rows)rng_next(&b->rng);
    bus->hash = (u3)rng_next(&b->rng);
    bus->adaptive = (u1)rng_next(&b->rng);
#else
    bus->row = (rtr_row)lane->row;
#endif
    bus->code = rtr_encode(flit_of(input, v, lane->sent & 0xFFFF), 0);
    lane->flit[lane->sent % RING].row = (uint8_t)lane->row;
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
    if (input >= RTR_COLS || v >= RTR_VCS) {
        b->wrong++;
        return;
    }
    struct lane *lane = &b->lane[input][v];
    unsigned place = number % RING;
    int holder = lane->flit[place].head ? -1 : (int)input;

    b->wrong += number != lane->got || bus->vc != v || lane->flit[place].row != r;
    b->wrong += lane->flit[place].tail != bus->tail || b->holder[r][v] != holder;
    b->holder[r][v] = bus->tail ? -1 : (int)input;
    lane->got++;
    b->wrong += ++b->stored[r][v] > 1 << RTR_COL_LOG2;
    b->moved[r]++;
    b->from[input][v]++;
}

static void bench_step(struct bench *b)
{
    struct subswitch_in in = {.here = {.row = 0, .col = HERE}};

    for (int i = 0; i < RTR_COLS; i++) {
        const struct vc_note *freed = &b->dut.out.freed[i];

        if (freed->valid) {
            b->wrong += ++b->lane[i][freed->vc].credit > 1 << RTR_ROW_LOG2;
        }
        offer(b, &in.row[i], (unsigned)i);
    }
    for (int r = 0; r < RTR_ROWS; r++) {
        unsigned v = rng_below(&b->rng, RTR_VCS);

        for (int n = 0; n < RTR_VCS && b->stored[r][v] == 0; n++) {
            v = (v + 1) % RTR_VCS;
        }
        if (b->stored[r][v] != 0 && rng_chance(&b->rng, b->take)) {
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

/* ---- output_mux ------------------------------------------------------------------------------ */

/* What one VC of one column bus brings. */
struct source {
    unsigned credit;
    unsigned left;
    uint16_t sent, got;
    struct {
        bool head, tail, bad;
    } flit[RING];
};

struct way_out {
    struct output_mux dut;
    struct rng rng;
    struct source source[RTR_ROWS][RTR_VCS];
    int row, vc; /* whose packet is on the link, or -1 */
    bool spoilt; /* a flit of it was */
    bool held;   /* the link has not taken the flit yet */
    rtr_flit last;
    bool started;
    uint64_t moved, packets, wrong, mixed;
    uint64_t corrected, fatal, bad;
    uint64_t from[RTR_ROWS][RTR_VCS];
    double offer, ready;
    unsigned longest, rows, vcs, room;
    bool quiet;
};

static void way_out_start(struct way_out *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    rng_seed(&w->rng, seed);
    output_mux_reset(&w->dut);
    for (int r = 0; r < RTR_ROWS; r++) {
        for (int v = 0; v < RTR_VCS; v++) {
            w->source[r][v].credit = 1 << RTR_COL_LOG2;
        }
    }
    w->row = -1;
    w->offer = 1;
    w->ready = 1;
    w->longest = RTR_PACKET;
    w->rows = (1 << RTR_ROWS) - 1;
    w->vcs = w->room = (1 << RTR_VCS) - 1;
}

static void bring(struct way_out *w, struct column_flit *bus, unsigned row)
{
    unsigned v = draw(&w->rng, w->vcs, RTR_VCS);
    struct source *s = &w->source[row][v];

    if ((w->rows >> row & 1) == 0 || s->credit == 0 || (w->quiet && s->left == 0) ||
        !rng_chance(&w->rng, w->offer)) {
        return;
    }
    unsigned place = s->sent % RING;

    s->flit[place].head = s->left == 0;
    if (s->left == 0) {
        s->left = 1 + rng_below(&w->rng, w->longest);
    }
    s->left--;
    s->credit--;
    s->flit[place].tail = s->left == 0;
    s->flit[place].bad = rng_below(&w->rng, 64) == 0;
    bus->valid = 1;
    bus->vc = (rtr_vc)v;
    bus->tail = s->left == 0;
    bus->code = rtr_encode(flit_of(row, v, s->sent & 0xFFFF), s->flit[place].bad);
    s->sent++;
}

/* A flit that the link takes. */
static void deliver(struct way_out *w)
{
    const struct output_mux_out *out = &w->dut.out;
    unsigned row = (unsigned)out->flit & 7, v = (unsigned)(out->flit >> 3) & 7;
    uint16_t number = (uint16_t)(out->flit >> 6);

    if (row >= RTR_ROWS || v >= RTR_VCS) {
        w->wrong++;
        return;
    }
    struct source *s = &w->source[row][v];
    unsigned place = number % RING;

    w->mixed += out->head ? w->row >= 0 : (int)row != w->row || (int)v != w->vc;
    w->wrong +=
        number != s->got || s->flit[place].head != out->head || s->flit[place].tail != out->tail;
    w->row = out->tail ? -1 : (int)row;
    w->vc = (int)v;
    w->spoilt |= s->flit[place].bad;
    if (out->tail) {
        w->wrong += w->spoilt != out->bad;
        w->bad += out->bad;
        w->spoilt = false;
        w->packets++;
    }
    s->got++;
    w->moved++;
    w->from[row][v]++;
}

static void way_out_step(struct way_out *w)
{
    struct output_mux_in in = {.room = (rtr_vcs)w->room};
    const struct output_mux_out *out = &w->dut.out;

    for (int r = 0; r < RTR_ROWS; r++) {
        if (out->freed[r].valid) {
            w->wrong += ++w->source[r][out->freed[r].vc].credit > 1 << RTR_COL_LOG2;
        }
        bring(w, &in.column[r], (unsigned)r);
    }
    in.ready = rng_chance(&w->rng, w->ready);
    w->wrong += w->held && (!out->valid || out->flit != w->last);
    w->last = out->flit;
    w->held = out->valid && !in.ready;
    if (out->valid && in.ready) {
        deliver(w);
    }
    w->started = out->start.valid;
    output_mux(&w->dut, &in);
    w->wrong += out->start.valid && (w->started || !(u1)(in.room >> out->start.vc));
    w->corrected += out->corrected;
    w->fatal += out->fatal;
    now++;
}

static void test_out(uint64_t seed)
{
    static struct way_out w;

    for (unsigned longest = 1; longest <= RTR_PACKET; longest += 1) {
        for (int slow = 0; slow < 2; slow++) {
            way_out_start(&w, seed);
            w.longest = longest;
            w.ready = slow ? 0.5 : 1;
            for (int n = 0; n < 100000; n++) {
                way_out_step(&w);
            }
            for (int r = 0; r < RTR_ROWS; r++) {
                uint64_t sum = 0;
                for (int v = 0; v < RTR_VCS; v++)
                    sum += w.from[r][v];
                tap_note("row %d: %.4f", r, (double)sum / (double)w.moved);
            }
            tap_note("rate %.4f", (double)w.moved / 1e5);
            tap_ok(w.wrong == 0 && w.mixed == 0, "wrong %lu mixed %lu", w.wrong, w.mixed);
        }
    }
}

static void test_rate(uint64_t seed)
{
    static struct bench b;

    for (unsigned longest = 1; longest <= RTR_PACKET; longest += longest == 1 ? 13 : 1) {
        bench_start(&b, seed);
        b.longest = longest;
        for (int n = 0; n < 1000; n++) {
            bench_step(&b);
        }
        memset(b.moved, 0, sizeof b.moved);
        for (int n = 0; n < 100000; n++) {
            bench_step(&b);
        }
        for (int r = 0; r < RTR_ROWS; r++) {
            tap_note("row %d: %.4f", r, (double)b.moved[r] / 100000);
        }
        tap_ok(b.wrong == 0, "all right");
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &now;
    test_rate(seed);
    test_out(seed);
    return tap_done();
}
