// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_input.c - the input side of a tile alone: store, route, staging, row bus.
 *
 * The test plays the link (credits, whole packets) and the row buffers (credits), and knows for each VC which
 * flits must come next. Heads are put together and taken apart here, from the layout in words; what a way may be
 * is worked out from the test's own copy of the tables.
 */
#include "harness.h"
#include "router/input_queue.h"

#include <stdlib.h>
#include <string.h>

enum {
    VCS = RTR_VCS,
    GROUPS = 1 << RTR_GLOBAL_BITS,
    ROUTERS = 1 << RTR_LOCAL_BITS,
    FLITS = 1 << 14, /* under way per VC at most, power of two */
    ROW_ROOM = 1 << RTR_ROW_LOG2,
    MODES = 8,
    NEVER = 255,
};

/* ---- heads --------------------------------------------------------------------------------------- */

struct head {
    unsigned vc, length, mode, phase, global, local, sub, hash, rest;
};

struct field {
    unsigned width;
    size_t at;
};

/* From the top bit down. */
static const struct field FIELDS[] = {
    {RTR_HEAD_VC_BITS, offsetof(struct head, vc)},
    {RTR_LENGTH_BITS, offsetof(struct head, length)},
    {RTR_MODE_BITS, offsetof(struct head, mode)},
    {RTR_PHASE_BITS, offsetof(struct head, phase)},
    {RTR_GLOBAL_BITS, offsetof(struct head, global)},
    {RTR_LOCAL_BITS, offsetof(struct head, local)},
    {RTR_SUB_BITS, offsetof(struct head, sub)},
    {RTR_HASH_BITS, offsetof(struct head, hash)},
};

static uint64_t put_head(const struct head *h)
{
    unsigned at = RTR_FLIT_BITS;
    uint64_t flit = 0;

    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        unsigned value;
        memcpy(&value, (const char *)h + FIELDS[i].at, sizeof value);
        at -= FIELDS[i].width;
        flit |= (uint64_t)(value % (1u << FIELDS[i].width)) << at;
    }
    return flit | (h->rest % (1u << at));
}

static struct head get_head(uint64_t flit)
{
    unsigned at = RTR_FLIT_BITS;
    struct head h = {0};

    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        at -= FIELDS[i].width;
        unsigned value = (unsigned)(flit >> at) % (1u << FIELDS[i].width);
        memcpy((char *)&h + FIELDS[i].at, &value, sizeof value);
    }
    h.rest = (unsigned)(flit % (1u << at));
    return h;
}

/* ---- tables: the test's copy --------------------------------------------------------------------- */

struct way {
    bool valid;
    unsigned type, row, col, rows;
};

struct tables {
    struct way minimal[2][GROUPS][4][2], nonminimal[2][GROUPS][4][2]; /* [local][index][draw] */
    struct {
        unsigned vc, phase;
    } map[2][4][VCS][1 << RTR_PHASE_BITS]; /* [non-minimal][type][vc][phase] */
    unsigned bias[4];
    unsigned global, local; /* of this router */
    unsigned row, col;      /* of this tile */
};

/* ---- bench --------------------------------------------------------------------------------------- */

struct expected {
    uint64_t flit;
    bool head, tail, bad;
};

struct vc {
    struct expected flit[FLITS]; /* sent and not yet come out */
    uint64_t in, out;
    unsigned outstanding; /* places the link believes taken */
    bool busy;            /* a packet has begun to come out, with what follows: */
    unsigned col, row, vc;
    bool bad; /* one of its flits was marked */
};

struct bench {
    struct input_queue dut;
    struct input_queue_in in;
    struct tables t;
    struct rng rng;
    struct vc vc[VCS];
    uint64_t dead;
    unsigned load[8][8];

    /* Link. */
    struct head sending;
    unsigned left;
    unsigned gap; /* percent of clocks without a flit */
    unsigned next_id;

    /* Row buffers. */
    unsigned row_taken[RTR_COLS][VCS];
    int row_owner[RTR_COLS][VCS]; /* VC of the packet under way, or -1 */
    unsigned drain;               /* percent of clocks in which a row buffer frees a flit */

    uint64_t flits_in, flits_out, notes, dropped_flits, dropped, refused, nonminimal;
    uint64_t wrong, corrected, fatal, marked;
    int last_vc;     /* of the row bus */
    uint64_t breaks; /* packets left for another although they could go on */
    bool (*drops)(const struct bench *b, const struct head *h);
};

static uint64_t clock_now;

static void wrong(struct bench *b, const char *what)
{
    if (b->wrong++ == 0)
        tap_why("clock %llu: %s", (unsigned long long)clock_now, what);
}

static void start(struct bench *b, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    rng_seed(&b->rng, seed);
    b->t.row = RTR_ROWS - 1;
    b->t.col = 1;
    b->drain = 100;
    b->last_vc = -1;
    for (int c = 0; c < RTR_COLS; c++)
        for (int v = 0; v < VCS; v++)
            b->row_owner[c][v] = -1;
    input_queue_reset(&b->dut);
}

/* ---- the link ------------------------------------------------------------------------------------ */

/* Flits that VC v may send now: the guaranteed part of its own and what the others leave of the shared one. */
static unsigned room(const struct bench *b, unsigned v)
{
#if RTR_INQ_SHARED
    unsigned shared = RTR_INQ_CREDIT_SHARED, own = RTR_INQ_GUARANTEED;

    for (unsigned i = 0; i < VCS; i++) {
        unsigned beyond = b->vc[i].outstanding > own ? b->vc[i].outstanding - own : 0;
        shared -= beyond;
    }
    return shared + (b->vc[v].outstanding < own ? own - b->vc[v].outstanding : 0);
#else
    return RTR_INQ_CREDIT_VC - b->vc[v].outstanding;
#endif
}

static void expect(struct bench *b, unsigned v, uint64_t flit, bool head, bool tail, bool bad)
{
    struct vc *vc = &b->vc[v];

    vc->flit[vc->in++ % FLITS] = (struct expected){flit, head, tail, bad};
}

/* Puts the next flit on the link; h is the head of a packet that begins. */
static void send_flit(struct bench *b, const struct head *h, bool bad)
{
    bool head = b->left == 0;
    uint64_t flit = rng_next(&b->rng) >> (64 - RTR_FLIT_BITS);

    if (head) {
        b->sending = *h;
        b->left = h->length == 0 ? 16 : h->length;
        flit = put_head(h);
    }
    b->left--;
    b->in.valid = 1;
    b->in.flit = (rtr_flit)flit;
    b->in.bad = bad;
    b->flits_in++;
    if (b->sending.vc < VCS)
        b->vc[b->sending.vc].outstanding++;
    if (b->sending.vc < VCS && b->sending.length >= 1 && b->sending.length <= RTR_PACKET)
        expect(b, b->sending.vc, flit, head, b->left == 0, bad);
}

/* ---- the row bus --------------------------------------------------------------------------------- */

static bool lives(const struct bench *b, unsigned row, unsigned col)
{
    return row < RTR_ROWS && col < RTR_COLS && !(b->dead >> (8 * row + col) & 1);
}

/* Whether a packet with head h may leave on w, with this VC and phase. */
static bool fits(const struct bench *b, const struct way *w, bool nonminimal, const struct head *h,
                 const struct row_flit *out, const struct head *left)
{
    bool place = false;

#if RTR_TWO_STEP
    unsigned rows = 0;
    for (unsigned r = 0; r < RTR_ROWS; r++)
        rows |= (w->rows >> r & 1) && lives(b, r, w->col) ? 1u << r : 0;
    place = rows != 0 && out->rows == rows && out->col == w->col;
#else
    place = lives(b, w->row, w->col) && out->row == w->row && out->col == w->col;
#endif
    return w->valid && place && b->t.map[nonminimal][w->type][h->vc][h->phase].vc == left->vc &&
           b->t.map[nonminimal][w->type][h->vc][h->phase].phase == left->phase;
}

/* Whether some entry of the tables leads there. */
static bool allowed(const struct bench *b, const struct head *h, const struct row_flit *out,
                    const struct head *left)
{
    bool local = h->global == b->t.global;
    bool own = local && h->local == b->t.local;
    bool found = false;

    for (unsigned draw = 0; draw < 4; draw++) {
        unsigned at = local ? h->local : h->global;
        if (own && draw != h->sub)
            continue;
        for (int i = 0; i < 2; i++) {
            found |= fits(b, &b->t.minimal[local][at][draw][i], false, h, out, left);
            if ((h->mode <= 4) && !(h->phase & 1))
                found |= fits(b, &b->t.nonminimal[local][at][draw][i], true, h, out, left);
        }
    }
    return found;
}

/* The VC whose head comes next and is this one but for VC and phase, or -1. */
static int owner_of(const struct bench *b, uint64_t flit)
{
    struct head out = get_head(flit);

    for (unsigned v = 0; v < VCS; v++) {
        const struct vc *vc = &b->vc[v];
        struct head in = get_head(vc->flit[vc->out % FLITS].flit);

        in.vc = out.vc;
        in.phase = out.phase;
        if (vc->in != vc->out && !vc->busy && put_head(&in) == flit)
            return (int)v;
    }
    return -1;
}

static void head_out(struct bench *b, const struct row_flit *f, unsigned v, uint64_t flit)
{
    struct vc *vc = &b->vc[v];
    struct head in = get_head(vc->flit[vc->out % FLITS].flit), out = get_head(flit);

    if (out.vc != f->vc)
        wrong(b, "the head's VC is not that of the bus");
    if (in.mode != MODE_SOURCE && !allowed(b, &in, f, &out))
        wrong(b, "a way that no table allows");
    vc->busy = true;
    vc->col = f->col;
    vc->vc = f->vc;
#if !RTR_TWO_STEP
    vc->row = f->row;
#endif
}

static void flit_out(struct bench *b, const struct row_flit *f)
{
    uint64_t flit = (uint64_t)f->code & ((UINT64_C(1) << RTR_FLIT_BITS) - 1);
    bool bad = f->code >> RTR_FLIT_BITS & 1;

    if ((unsigned)f->col >= RTR_COLS || (unsigned)f->vc >= VCS)
        return wrong(b, "no such column or VC");
    int *owner = &b->row_owner[f->col][f->vc];
    bool head = *owner < 0;
    if (head)
        *owner = owner_of(b, flit);
    if (*owner < 0)
        return wrong(b, "a head that nobody has sent");
    struct vc *vc = &b->vc[*owner];
    const struct expected *e = &vc->flit[vc->out % FLITS];

    if (head)
        head_out(b, f, (unsigned)*owner, flit);
    if (vc->in == vc->out || e->head != head || e->tail != f->tail || (!head && e->flit != flit))
        wrong(b, "not the flit that comes next");
    if (bad != e->bad)
        b->marked++;
#if !RTR_TWO_STEP
    if (vc->row != f->row)
        wrong(b, "a flit leaves its packet");
#endif
    vc->out++;
    vc->busy = !f->tail;
    b->flits_out++;
    b->last_vc = *owner;
    if (++b->row_taken[f->col][f->vc] > ROW_ROOM)
        wrong(b, "more flits than the row buffer holds");
    if (f->tail)
        *owner = -1;
}

/* ---- a clock ------------------------------------------------------------------------------------- */

static void free_rows(struct bench *b)
{
    for (unsigned c = 0; c < RTR_COLS; c++) {
        unsigned v = rng_below(&b->rng, VCS);

        b->in.row_freed[c] = (struct vc_note){};
        for (unsigned i = 0; i < VCS && b->row_taken[c][v] == 0; i++)
            v = (v + 1) % VCS;
        if (b->row_taken[c][v] != 0 && rng_below(&b->rng, 100) < b->drain) {
            b->row_taken[c][v]--;
            b->in.row_freed[c] = (struct vc_note){1, (rtr_vc)v};
        }
    }
}

static void clock_tick(struct bench *b)
{
    unsigned port = (unsigned)(clock_now % (RTR_ROWS * RTR_COLS));

    free_rows(b);
    b->in.load.place = (struct rtr_place){(rtr_row)(port / RTR_COLS), (rtr_col)(port % RTR_COLS)};
    b->in.load.load = (rtr_load)b->load[port / RTR_COLS][port % RTR_COLS];
    b->in.dead = b->dead;
    b->in.here = (struct rtr_place){(rtr_row)b->t.row, (rtr_col)b->t.col};
    input_queue(&b->dut, &b->in);
    clock_now++;
    b->in.valid = 0;
    b->in.config.valid = 0;

    const struct input_queue_out *out = &b->dut.out;
    if (out->freed.valid) {
        b->notes++;
        if ((unsigned)out->freed.vc >= VCS || b->vc[out->freed.vc].outstanding-- == 0)
            wrong(b, "more places freed than were taken");
    }
    b->refused += out->events.illegal;
    b->dropped += out->events.no_way;
    b->nonminimal += out->events.nonminimal;
    b->corrected += out->events.corrected;
    b->fatal += out->events.fatal;
    if (out->row.valid)
        flit_out(b, &out->row);
}

static void idle(struct bench *b, unsigned clocks)
{
    while (clocks-- > 0)
        clock_tick(b);
}

/* ---- tables -------------------------------------------------------------------------------------- */

static void write(struct bench *b, unsigned kind, unsigned index, uint64_t data)
{
    b->in.config = (struct route_write){1, (u3)kind, (u12)index, (u48)data};
    clock_tick(b);
    idle(b, 6);
}

static uint64_t way_bits(const struct way *w)
{
    uint64_t where = RTR_TWO_STEP ? w->rows : w->row;

    return w->valid | (uint64_t)w->type << 1 | (uint64_t)w->col << 3 | where << 6;
}

static void write_entry(struct bench *b, bool nonminimal, unsigned local, unsigned at,
                        unsigned draw)
{
    const struct way *w =
        nonminimal ? b->t.nonminimal[local][at][draw] : b->t.minimal[local][at][draw];
    unsigned width = RTR_TWO_STEP ? 14 : 9,
             most = RTR_GLOBAL_BITS > RTR_LOCAL_BITS ? RTR_GLOBAL_BITS : RTR_LOCAL_BITS;

    write(b, nonminimal ? ROUTE_NONMINIMAL : ROUTE_MINIMAL, (local << most | at) << 2 | draw,
          way_bits(&w[0]) | way_bits(&w[1]) << width);
}

static struct way random_way(struct bench *b)
{
    return (struct way){
        .valid = true,
        .type = rng_below(&b->rng, 4),
        .row = rng_below(&b->rng, RTR_ROWS),
        .col = rng_below(&b->rng, RTR_COLS),
        .rows = 1 + rng_below(&b->rng, (1 << RTR_ROWS) - 1),
    };
}

/* Every destination known, by random ways; the VC map keeps VCs. */
static void fill_tables(struct bench *b)
{
    b->t.global = rng_below(&b->rng, GROUPS);
    b->t.local = rng_below(&b->rng, ROUTERS);
    write(b, ROUTE_HERE, 0, b->t.global << RTR_LOCAL_BITS | b->t.local);
    for (unsigned local = 0; local < 2; local++)
        for (unsigned at = 0; at < (local ? ROUTERS : GROUPS); at++)
            for (unsigned draw = 0; draw < 4; draw++)
                for (int n = 0; n < 2; n++) {
                    struct way *w =
                        n ? b->t.nonminimal[local][at][draw] : b->t.minimal[local][at][draw];

                    w[0] = random_way(b);
                    w[1] = random_way(b);
                    write_entry(b, n, local, at, draw);
                }
    for (unsigned i = 0; i < 2 * 4 * VCS << RTR_PHASE_BITS; i++) {
        unsigned phase = i % (1 << RTR_PHASE_BITS), v = (i >> RTR_PHASE_BITS) % VCS;
        unsigned type = (i >> RTR_PHASE_BITS) / VCS % 4, n = (i >> RTR_PHASE_BITS) / VCS / 4;
        unsigned after = rng_below(&b->rng, 1 << RTR_PHASE_BITS);

        b->t.map[n][type][v][phase].vc = v;
        b->t.map[n][type][v][phase].phase = after;
        write(b, ROUTE_VC_MAP, n << 7 | type << 5 | v << 2 | phase, after << 3 | v);
    }
}

/* ---- traffic ------------------------------------------------------------------------------------- */

/* A head for VC v that no other VC's can be taken for. */
static struct head random_head(struct bench *b, unsigned v)
{
    return (struct head){
        .vc = v,
        .length = 1 + rng_below(&b->rng, RTR_PACKET),
        .mode = rng_below(&b->rng, MODE_SOURCE),
        .phase = rng_below(&b->rng, 1 << RTR_PHASE_BITS),
        .global = rng_below(&b->rng, 2) ? b->t.global : rng_below(&b->rng, GROUPS),
        .local = rng_below(&b->rng, ROUTERS) / 8 * 8 + v,
        .sub = rng_below(&b->rng, 1 << RTR_SUB_BITS),
        .hash = (unsigned)rng_next(&b->rng),
        .rest = (unsigned)rng_next(&b->rng),
    };
}

/* Packets of all VCs for so many clocks, then until all has come out. */
static void run(struct bench *b, unsigned clocks, unsigned vcs)
{
    for (unsigned i = 0; i < clocks || b->left != 0; i++) {
        unsigned v = rng_below(&b->rng, VCS);

        if (b->left != 0 && rng_below(&b->rng, 100) >= b->gap)
            send_flit(b, NULL, rng_below(&b->rng, 500) == 0);
        else if (b->left == 0 && vcs >> v & 1 && rng_below(&b->rng, 100) >= b->gap) {
            struct head h = random_head(b, v);
            if (room(b, v) >= h.length)
                send_flit(b, &h, rng_below(&b->rng, 500) == 0);
        }
        clock_tick(b);
    }
}

static bool drained(struct bench *b)
{
    bool empty = true;

    idle(b, 4000);
    for (int v = 0; v < VCS; v++) {
        if (b->vc[v].in != b->vc[v].out)
            wrong(b, "a flit did not come out");
        if (b->vc[v].outstanding != 0)
            wrong(b, "a place was not freed");
        empty &= b->vc[v].in == b->vc[v].out && b->vc[v].outstanding == 0;
    }
    return empty;
}

static void test_delivery(struct bench *b, uint64_t seed)
{
    static const unsigned gaps[] = {0, 10, 60}, drains[] = {100, 40, 10};

    start(b, seed);
    fill_tables(b);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            b->gap = gaps[i];
            b->drain = drains[j];
            run(b, 20000, -1u);
        }
    drained(b);
    tap_note("%llu flits in, %llu out, %llu places freed", (unsigned long long)b->flits_in,
             (unsigned long long)b->flits_out, (unsigned long long)b->notes);
    tap_ok(b->wrong == 0 && b->flits_in == b->flits_out && b->flits_in == b->notes,
           "every flit comes out once, in order, by a way of the tables; every place is freed");
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);
    struct bench *b = malloc(sizeof *b);

    harness_clock = &clock_now;
    test_delivery(b, seed);
    free(b);
    return tap_done();
}
