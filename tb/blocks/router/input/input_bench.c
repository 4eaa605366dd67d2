// SPDX-License-Identifier: Apache-2.0
/* input_bench.c - see input_bench.h. */
#include "tb/blocks/router/input/input_bench.h"

#include <stddef.h>
#include <string.h>

enum {
    ROW_ROOM = 1 << RTR_ROW_LOG2,
    MOST_LOCAL = NEARS == 0 ? ROUTERS : 2 * (NEARS > ROUTERS ? NEARS : ROUTERS),
    HALF = FARS > MOST_LOCAL ? FARS : MOST_LOCAL, /* ways of the table */
};

/* ---- heads --------------------------------------------------------------------------------------- */

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
    {NARROW ? RTR_HASH_BITS : 0, offsetof(struct head, hash)},
    {RTR_GLOBAL_BITS, offsetof(struct head, global)},
    {RTR_LOCAL_BITS, offsetof(struct head, local)},
    {RTR_SUB_BITS, offsetof(struct head, sub)},
    {NARROW ? 0 : RTR_HASH_BITS, offsetof(struct head, hash)},
};

/* {r, a, h} of each mode, where the end frames; the last is none. */
enum { NO_MODE = MODE_SOURCE + 1 };
static const unsigned SAID[NO_MODE + 1] = {[MODE_ADAPTIVE0] = 2,
                                           [MODE_MIN_HASH] = 1,
                                           [MODE_IN_ORDER] = 0,
                                           [MODE_SOURCE] = 7,
                                           [NO_MODE] = 3};

static unsigned mode_said(unsigned said)
{
    for (unsigned mode = MODE_ADAPTIVE0; mode <= MODE_SOURCE; mode++)
        if (SAID[mode] == said && input_mode(mode) == mode)
            return mode;
    return NO_MODE;
}

uint64_t put_head(const struct head *h)
{
    unsigned at = RTR_FLIT_BITS;
    uint64_t flit = 0;
    struct head said = *h;

    if (NARROW)
        said.mode = SAID[h->mode];
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        unsigned value;
        memcpy(&value, (const char *)&said + FIELDS[i].at, sizeof value);
        at -= FIELDS[i].width;
        flit |= (uint64_t)(value % (1u << FIELDS[i].width)) << at;
    }
    return flit | (h->rest % (1u << at));
}

struct head get_head(uint64_t flit)
{
    unsigned at = RTR_FLIT_BITS;
    struct head h = {0};

    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        at -= FIELDS[i].width;
        unsigned value = (unsigned)(flit >> at) % (1u << FIELDS[i].width);
        if (FIELDS[i].width == 0)
            continue;
        memcpy((char *)&h + FIELDS[i].at, &value, sizeof value);
    }
    h.rest = (unsigned)(flit % (1u << at));
    if (NARROW)
        h.mode = mode_said(h.mode);
    return h;
}

/* ---- bench --------------------------------------------------------------------------------------- */

static uint64_t clock_now;

void input_bench_start(struct input_bench *b, uint64_t seed)
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
    harness_clock = &clock_now;
}

bool input_bench_lives(const struct input_bench *b, const struct candidate *w)
{
    bool lives = false;

    for (unsigned row = 0; row < RTR_ROWS; row++) {
        const bool meant = RTR_TWO_STEP ? w->rows >> row & 1 : w->row == row;
        /* holds route.dead */
        lives |= meant && w->col < RTR_COLS && !(b->dead >> (8 * row + w->col) & 1);
    }
    return w->valid && lives;
}

/* ---- the link ------------------------------------------------------------------------------------ */

unsigned input_room(const unsigned taken[VCS], unsigned v)
{
#if RTR_INQ_SHARED
    const unsigned own = RTR_INQ_GUARANTEED;
    unsigned shared = RTR_INQ_CREDIT_SHARED;

    for (unsigned i = 0; i < VCS; i++)
        shared -= taken[i] > own ? taken[i] - own : 0;
    return shared + (taken[v] < own ? own - taken[v] : 0);
#else
    return RTR_INQ_CREDIT_VC - taken[v];
#endif
}

unsigned input_bench_room(const struct input_bench *b, unsigned v)
{
    unsigned taken[VCS];

    for (unsigned i = 0; i < VCS; i++)
        taken[i] = b->vc[i].outstanding;
    return input_room(taken, v);
}

unsigned input_bench_at(const struct input_bench *b, const struct head *h)
{
    if (h->global == b->t.global)
        return h->local;
    if (NEARS == 0)
        return h->global;
    const unsigned far = h->global >> RTR_NEAR_BITS;
    return far == b->t.global >> RTR_NEAR_BITS ? FARS + h->global % (1u << RTR_NEAR_BITS) : far;
}

/* Whether a table that the packet may use has an entry for it that leads to a living port. */
static bool has_candidate(const struct input_bench *b, const struct head *h)
{
    const bool local = h->global == b->t.global, own = local && h->local == b->t.local;
    const unsigned at = input_bench_at(b, h);
    const bool others = h->mode <= MODE_NMIN_HASH && !(h->phase & 1);
    bool found = h->mode == MODE_SOURCE;

    for (int n = 0; n <= others; n++)
        for (unsigned draw = 0; draw < 4; draw++)
            for (int i = 0; i < 2; i++)
                found |= (!own || draw == h->sub) &&
                         input_bench_lives(b, &b->t.candidate[n][local][at][draw][i]);
    return found;
}

void input_bench_send(struct input_bench *b, const struct head *h, bool bad)
{
    const bool head = b->left == 0;
    uint64_t flit = rng_next(&b->rng) >> (64 - RTR_FLIT_BITS);

    if (head) {
        b->sending = *h;
        b->left = head_flits(h);
        b->lost = b->spoils_head || h->vc >= VCS || (!NARROW && b->left > RTR_PACKET) ||
                  !has_candidate(b, h);
        b->spoils_head = false;
        b->packets++;
        flit = put_head(h);
    }
    b->left--;
    b->in.valid = 1;
    b->in.flit = (rtr_flit)flit;
    b->in.bad = bad;
#if RTR_LENGTH_BITS == 0
    b->in.tail = b->left == 0;
    b->in.ok = OK_GOOD;
#endif
    b->flits_in++;
    if (b->sending.vc >= VCS) {
        b->nameless[b->sending.vc]++;
        return;
    }
    struct input_vc *vc = &b->vc[b->sending.vc];
    vc->outstanding++;
    /* A packet that is too long is ended by the flit behind the longest, which takes the place of the one before. */
    const unsigned number = head_flits(&b->sending) - b->left;
    const bool last = NARROW && number == RTR_PACKET + 1;
    const bool fits =
        !NARROW || last || number < RTR_PACKET || (number == RTR_PACKET && b->left == 0);
    if (!b->lost && fits)
        vc->flit[vc->in++ % WAITING] =
            (struct expected){flit, head, b->left == 0 || last, bad || last, false};
}

/* ---- the row bus --------------------------------------------------------------------------------- */

/* Whether a packet with head h may leave by w with this VC and phase. */
static bool fits(const struct input_bench *b, const struct candidate *w, bool nonminimal,
                 const struct head *h)
{
    const struct row_flit *out = &b->row;
    bool place = out->col == w->col;

#if RTR_TWO_STEP
    unsigned rows = 0;
    for (unsigned r = 0; r < RTR_ROWS; r++)
        rows |= (w->rows >> r & 1) && !(b->dead >> (8 * r + w->col) & 1) ? 1u << r : 0;
    place &= out->rows == rows && out->adaptive == (h->mode <= MODE_ADAPTIVE3);
#else
    place &= out->row == w->row;
#endif
    return h->vc < VCS && input_bench_lives(b, w) && place &&
           b->t.map[nonminimal][w->type][h->vc][h->phase].vc == b->head.vc &&
           b->t.map[nonminimal][w->type][h->vc][h->phase].phase == b->head.phase;
}

/* Whether some entry of the tables leads there. */
static bool allowed(const struct input_bench *b, const struct head *h)
{
    const bool local = h->global == b->t.global, own = local && h->local == b->t.local;
    const unsigned at = input_bench_at(b, h);
    const bool others = h->mode <= MODE_NMIN_HASH && !(h->phase & 1);
    bool found = false;

    for (int n = 0; n <= others; n++)
        for (unsigned draw = 0; draw < 4; draw++)
            for (int i = 0; i < 2; i++)
                found |= (!own || draw == h->sub) &&
                         fits(b, &b->t.candidate[n][local][at][draw][i], n, h);
    return found;
}

/* What a head is inside and outside of the router alike, but for hops. */
static uint64_t constant_part(struct head h)
{
    h.vc = 0;
    h.phase = 0;
    if (h.mode == MODE_SOURCE)
        h.global = h.local = h.sub = 0;
    if (NARROW && h.mode == MODE_SOURCE)
        h.hash = 0;
    return put_head(&h);
}

/* The VC whose head comes next and is this one, or -1. */
static int owner_of(const struct input_bench *b)
{
    for (unsigned v = 0; v < VCS; v++) {
        const struct input_vc *vc = &b->vc[v];
        const struct head next = get_head(vc->flit[vc->out % WAITING].flit);

        if (vc->in != vc->out && !vc->busy && constant_part(next) == constant_part(b->head))
            return (int)v;
    }
    return -1;
}

static void head_out(struct input_bench *b, struct input_vc *vc)
{
    const struct head in = get_head(vc->flit[vc->out % WAITING].flit);

    must_equal(&b->wrong, b->row.vc, b->head.vc, "VC of the bus, that of the head");
    must(&b->wrong, in.mode == MODE_SOURCE || allowed(b, &in),
         "VC %u: head of mode %u goes to column %u, VC %u, expected a route of the tables",
         (unsigned)in.vc, (unsigned)in.mode, (unsigned)b->row.col, (unsigned)b->row.vc);
#if !RTR_TWO_STEP
    vc->row = b->row.row;
#endif
}

static void flit_out(struct input_bench *b)
{
    const struct row_flit *f = &b->row;
    const uint64_t flit = (uint64_t)f->code & ((UINT64_C(1) << RTR_FLIT_BITS) - 1);
    const bool bad = f->code >> RTR_FLIT_BITS & 1;

    /* holds input_queue.unmixed */
    int *owner = &b->row_owner[f->col][f->vc];
    const bool head = *owner < 0;
    if (head)
        b->head = get_head(flit);
    if (head && (*owner = owner_of(b)) < 0)
        return (void)miss(&b->wrong, "column %u, VC %u: head %#llx, expected one that was sent",
                          (unsigned)f->col, (unsigned)f->vc, (unsigned long long)flit);

    struct input_vc *vc = &b->vc[*owner];
    const struct expected *e = &vc->flit[vc->out % WAITING];
    if (head)
        head_out(b, vc);
    must(&b->wrong, vc->in != vc->out, "VC %d, flit %llu: more than were sent", *owner,
         (unsigned long long)vc->out);
    must_equal(&b->wrong, head, e->head, "VC %d, flit %llu: head", *owner,
               (unsigned long long)vc->out);
    must_equal(&b->wrong, f->tail, e->tail, "VC %d, flit %llu: tail", *owner,
               (unsigned long long)vc->out);
    if (!head && !e->any)
        must_equal(&b->wrong, flit, e->flit, "VC %d, flit %llu", *owner,
                   (unsigned long long)vc->out);
    must(&b->wrong, !bad || e->bad, "VC %d, flit %llu: marked bad, expected good", *owner,
         (unsigned long long)vc->out);
    b->unmarked += !bad && e->bad;
#if !RTR_TWO_STEP
    must_equal(&b->wrong, f->row, vc->row, "VC %d, flit %llu: row, that of its head", *owner,
               (unsigned long long)vc->out);
#endif
    vc->out++;
    vc->busy = !f->tail;
    b->flits_out++;
    b->came = true;
    b->row_taken[f->col][f->vc]++;
    must_at_most(&b->wrong, b->row_taken[f->col][f->vc], ROW_ROOM,
                 "column %u, VC %u: flits in the row buffer", (unsigned)f->col, (unsigned)f->vc);
    *owner = f->tail ? -1 : *owner;
}

/* Counts when the bus leaves a packet that could have gone on. */
static void watch_breaks(struct input_bench *b, unsigned staged, const unsigned *taken)
{
    const int owner = b->row.tail ? -1 : b->row_owner[b->row.col][b->row.vc];
    const bool could = b->last_vc >= 0 && staged >> b->last_vc & 1 && *taken + 2 < VC_ROOM;

    b->breaks += could && b->last_vc != owner && b->vc[b->last_vc].busy;
    b->last_vc = owner;
}

/* ---- a clock ------------------------------------------------------------------------------------- */

static void free_rows(struct input_bench *b)
{
    for (unsigned c = 0; c < RTR_COLS; c++) {
        unsigned v = rng_below(&b->rng, VCS);

        b->in.row_freed[c] = (struct vc_note){};
        for (unsigned i = 0; i < VCS && b->row_taken[c][v] == 0; i++)
            v = (v + 1) % VCS;
        if (b->row_taken[c][v] != 0 && rng_below(&b->rng, 100) < b->drain &&
            !(b->blocked >> c & 1)) {
            b->row_taken[c][v]--;
            b->in.row_freed[c] = (struct vc_note){1, (rtr_vc)v};
        }
    }
}

static void count_events(struct input_bench *b)
{
    const struct input_queue_out *out = &b->dut.out;

    if (out->freed.valid) {
        const unsigned v = out->freed.vc;
        unsigned *taken = v < VCS ? &b->vc[v].outstanding : &b->nameless[v];

        b->notes++;
        must(&b->wrong, (*taken)-- != 0, "VC %u: a place is freed, expected none, all are free", v);
    }
    b->incoming += out->events.incoming.valid;
    b->refused += out->events.illegal;
    b->dropped += out->events.no_route;
    b->nonminimal += out->events.nonminimal;
    b->stalls += out->events.row_bus_stall;
    b->corrected += out->events.corrected;
    b->fatal += out->events.fatal;
}

void input_bench_clock(struct input_bench *b)
{
    const unsigned turn = (unsigned)(clock_now % RTR_COLS);
    const unsigned staged = (unsigned)b->dut.stage.out.valid;
    const unsigned *taken = &b->row_taken[b->row.col][b->row.vc];

    free_rows(b);
    b->in.load = (struct load_note){.col = (rtr_col)turn};
    for (unsigned i = 0; i < RTR_ROWS; i++) {
        b->in.load.dead |= (rtr_rows)((rtr_rows)(b->dead >> (8 * i + turn) & 1) << i);
        b->in.load.request[i] = (rtr_told)b->load[0][i][turn];
        b->in.load.response[i] = (rtr_told)b->load[1][i][turn];
    }
    b->in.here = (struct rtr_place){(rtr_row)b->t.row, (rtr_col)b->t.col};
    input_queue(&b->dut, &b->in);
    clock_now++;
    b->in.valid = 0;
    b->in.config.valid = 0;

    count_events(b);
    b->came = false;
    if (b->dut.out.row.valid) {
        const unsigned before = *taken;
        const struct row_flit *row = &b->dut.out.row;

        if (!must(&b->wrong, (unsigned)row->col < RTR_COLS && (unsigned)row->vc < VCS,
                  "a flit to column %u, VC %u, expected below %d and %d", (unsigned)row->col,
                  (unsigned)row->vc, RTR_COLS, VCS))
            return;
        b->row = *row;
        flit_out(b);
        watch_breaks(b, staged, &before);
    }
}

void input_bench_idle(struct input_bench *b, unsigned clocks)
{
    while (clocks-- > 0)
        input_bench_clock(b);
}

/* Patience follows from how seldom the bench itself lets a row buffer free a flit. */
void input_bench_drain(struct input_bench *b)
{
    const unsigned patience = 50000 / (b->drain != 0 ? b->drain : 1);
    unsigned quiet = 0;

    for (uint64_t last = b->notes; quiet < patience; last = b->notes) {
        input_bench_clock(b);
        quiet = b->notes != last || b->came ? 0 : quiet + 1;
    }
    for (int v = 0; v < VCS; v++) {
        must_equal(&b->wrong, b->vc[v].out, b->vc[v].in, "VC %d: flits that came out in the end",
                   v);
        must_equal(&b->wrong, b->vc[v].outstanding, 0, "VC %d: places not freed in the end", v);
    }
    for (unsigned v = VCS; v < NAMES; v++)
        must_equal(&b->wrong, b->nameless[v], 0,
                   "VC %u, which is none: places not freed in the end", v);
}

/* ---- tables -------------------------------------------------------------------------------------- */

void input_bench_write(struct input_bench *b, unsigned kind, unsigned index, uint64_t data)
{
    b->in.config = (struct route_write){1, (u3)kind, (u12)index, (u48)data};
    input_bench_idle(b, 7);
}

static uint64_t candidate_bits(const struct candidate *w)
{
    const uint64_t where = RTR_TWO_STEP ? w->rows : w->row;

    return w->valid | (uint64_t)w->type << 1 | (uint64_t)w->col << 3 | where << 6;
}

void input_bench_write_entry(struct input_bench *b, bool nonminimal, unsigned local, unsigned at,
                             unsigned draw)
{
    const struct candidate *w = b->t.candidate[nonminimal][local][at][draw];
    const unsigned width = RTR_TWO_STEP ? 14 : 9;
    unsigned way = at;

    /* the lower half is that of whole numbers or far parts, the upper one of locals, or a quarter each of near and local */
    if (NEARS == 0)
        way += local ? HALF : 0;
    else if (local)
        way += HALF + HALF / 2;
    else if (at >= FARS)
        way += HALF - FARS;
    input_bench_write(b, nonminimal ? ROUTE_NONMINIMAL : ROUTE_MINIMAL, way << 2 | draw,
                      candidate_bits(&w[0]) | candidate_bits(&w[1]) << width);
}

static struct candidate random_candidate(struct input_bench *b)
{
    return (struct candidate){
        .valid = true,
        .type = rng_below(&b->rng, 4),
        .row = rng_below(&b->rng, RTR_ROWS),
        .col = rng_below(&b->rng, RTR_COLS),
        .rows = 1 + rng_below(&b->rng, (1 << RTR_ROWS) - 1),
    };
}

static void fill_map(struct input_bench *b, bool merge)
{
    for (unsigned i = 0; i < 2 * 4 * VCS * PHASES; i++) {
        const unsigned phase = i % PHASES, v = i / PHASES % VCS;
        const unsigned type = i / PHASES / VCS % 4, n = i / PHASES / VCS / 4;
        const unsigned to = merge ? rng_below(&b->rng, VCS) : v, after = rng_below(&b->rng, PHASES);

        b->t.map[n][type][v][phase].vc = to;
        b->t.map[n][type][v][phase].phase = after;
        input_bench_write(b, ROUTE_VC_MAP, n << 7 | type << 5 | v << 2 | phase, after << 3 | to);
    }
}

void input_bench_fill(struct input_bench *b, bool merge)
{
    b->t.global = rng_below(&b->rng, GROUPS);
    b->t.local = rng_below(&b->rng, ROUTERS);
    input_bench_write(b, ROUTE_HERE, 0, b->t.global << RTR_LOCAL_BITS | b->t.local);
    for (unsigned i = 0; i < 2 * 2 * WAYS * 4; i++) {
        const unsigned draw = i % 4, at = i / 4 % WAYS, local = i / 4 / WAYS % 2;
        const unsigned n = i / 4 / WAYS / 2;

        if (local && at >= ROUTERS)
            continue;
        b->t.candidate[n][local][at][draw][0] = random_candidate(b);
        b->t.candidate[n][local][at][draw][1] = random_candidate(b);
        input_bench_write_entry(b, n, local, at, draw);
    }
    fill_map(b, merge);
}

/* ---- traffic ------------------------------------------------------------------------------------- */

unsigned input_bench_group(struct input_bench *b)
{
    const unsigned group = rng_below(&b->rng, 2) ? b->t.global : rng_below(&b->rng, GROUPS);

    if (NEARS != 0 && rng_below(&b->rng, 4) == 0)
        return (b->t.global >> RTR_NEAR_BITS << RTR_NEAR_BITS) + rng_below(&b->rng, NEARS);
    return group;
}

struct head input_bench_head(struct input_bench *b, unsigned v, const struct input_traffic *t)
{
    struct head h = {
        .vc = v,
        .length = t->length != 0 ? t->length : 1 + rng_below(&b->rng, RTR_PACKET),
        .mode = input_mode(rng_below(&b->rng, MODE_SOURCE)),
        .phase = rng_below(&b->rng, PHASES),
        .global = input_bench_group(b),
        .local = rng_below(&b->rng, ROUTERS) / 8 * 8 + v,
        .sub = rng_below(&b->rng, 1 << RTR_SUB_BITS),
        .hash = (unsigned)rng_next(&b->rng),
        .rest = (unsigned)rng_next(&b->rng),
    };

    if (rng_below(&b->rng, 8) == 0 && b->t.local % 8 == v)
        h.local = b->t.local;
    if (rng_below(&b->rng, 100) < t->illegal) {
        const unsigned absent = (1 << RTR_HEAD_VC_BITS) - VCS;

        if (absent != 0 && rng_below(&b->rng, 2))
            h.vc = VCS + rng_below(&b->rng, absent);
        else
            h.length = RTR_PACKET + 1 + rng_below(&b->rng, LONGEST - RTR_PACKET);
    }
    h.length %= NARROW ? LONGEST + 1 : LONGEST;
    return h;
}

void input_bench_offer(struct input_bench *b, const struct input_traffic *t)
{
    const unsigned v = rng_below(&b->rng, VCS);
    const bool bad = rng_below(&b->rng, 100) < t->bad;

    if (rng_below(&b->rng, 100) < b->gap)
        return;
    if (b->left != 0) {
        input_bench_send(b, NULL, bad);
    } else if (t->vcs >> v & 1) {
        const struct head h = input_bench_head(b, v, t);

        if (h.vc >= VCS || input_bench_room(b, v) >= head_flits(&h))
            input_bench_send(b, &h, bad);
    }
}

/* Writes an entry as it is, while packets go by. */
static void rewrite(struct input_bench *b)
{
    const unsigned n = rng_below(&b->rng, 2), local = rng_below(&b->rng, 2);
    const unsigned at = local ? rng_below(&b->rng, ROUTERS) : rng_below(&b->rng, WAYS);
    const struct route_write before = b->in.config;

    if (before.valid || b->dut.route.out.hold)
        return;
    b->in.valid = 0;
    input_bench_write_entry(b, n, local, at, rng_below(&b->rng, 4));
}

void input_bench_run(struct input_bench *b, unsigned clocks, const struct input_traffic *t)
{
    for (unsigned i = 0; i < clocks || b->left != 0; i++) {
        if (rng_below(&b->rng, 100) < t->rewrite)
            rewrite(b);
        input_bench_offer(b, t);
        input_bench_clock(b);
    }
}
