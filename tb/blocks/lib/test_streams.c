// SPDX-License-Identifier: Apache-2.0
/*
 * test_streams.c - skid.inc and fifo.inc against a queue, and the check of the rules of streams against sources that break them.
 *
 * What must hold, from the heads of stream.h, skid.inc and fifo.inc: beats come out as they went in, each once and in order; one in
 * and one out per clock; as many fit as the page says; a beat that is offered stays as it is until taken; `highest` is the
 * most that the memory held. With one end of a stream reset by itself, no beat comes twice, none is changed, and no more are lost
 * than that end held.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/lib/units.h"

/* ---- what is between two streams, behind one interface ------------------------------------------------ */

struct wires {
    bool ready;          /* for the source */
    bool valid, last;    /* for the sink */
    unsigned data, most; /* most: `highest` of a FIFO */
};

struct unit {
    const char *name;
    unsigned holds, memory, latency; /* beats in all, in its memory; clocks from in to out */
    void (*reset)(void);
    struct wires (*see)(void);
    void (*clock)(struct word_stream_forward forward, struct word_stream_back back);
};

static uint64_t now;

#define BETWEEN(M, HIGHEST)                                                                        \
    static struct M M##_dut;                                                                       \
    static void M##_again(void)                                                                    \
    {                                                                                              \
        M##_reset(&M##_dut);                                                                       \
    }                                                                                              \
    static struct wires M##_see(void)                                                              \
    {                                                                                              \
        const struct M##_out *out = &M##_dut.out;                                                  \
        return (struct wires){.ready = out->s_axis.tready,                                         \
                              .valid = out->m_axis.tvalid,                                         \
                              .last = out->m_axis.tlast,                                           \
                              .data = (unsigned)out->m_axis.tdata,                                 \
                              .most = (unsigned)(HIGHEST)};                                        \
    }                                                                                              \
    static void M##_clock(struct word_stream_forward forward, struct word_stream_back back)        \
    {                                                                                              \
        const struct M##_in in = {.s_axis = forward, .m_axis = back};                              \
        M(&M##_dut, &in);                                                                          \
    }                                                                                              \
    static_assert(true)

BETWEEN(word_skid, 0);
BETWEEN(word_fifo, out->highest);
BETWEEN(word_fifo512, out->highest);

static const struct unit units[] = {
    {"word_skid", 2, 0, 1, word_skid_again, word_skid_see, word_skid_clock},
    {"word_fifo", 17, 16, 2, word_fifo_again, word_fifo_see, word_fifo_clock},
    {"word_fifo512", 513, 512, 2, word_fifo512_again, word_fifo512_see, word_fifo512_clock},
};
enum { UNITS = sizeof units / sizeof *units };

/* ---- golden model: a queue ---------------------------------------------------------------------------- */

enum { PLACES = 1024 };

struct golden {
    unsigned beats[PLACES]; /* payload of the n-th, modulo PLACES */
    unsigned in, out;       /* how many came and went */
    unsigned most;          /* that were behind the one that is offered */
};

/* A beat as a number: payload of the n-th of a run. */
static unsigned payload(unsigned n)
{
    const unsigned mixed = n * 2654435761u;
    return (mixed >> 9 & 0xfffe) << 1 | (n & 1) << 1 | (mixed >> 5 & 1);
}

static struct word_stream_forward offer_of(unsigned beat)
{
    return (struct word_stream_forward){.tdata = (u16)(beat >> 1), .tlast = (u1)beat, .tvalid = 1};
}

static const struct word_stream_forward rest = {.tdata = 0x5555, .tlast = 1};

/* ---- bench -------------------------------------------------------------------------------------------- */

/* One clock: the source offers if it `gives` or its last beat was not taken, the sink takes if it `takes`. */
static void clock_both(const struct unit *u, struct golden *g, bool gives, bool takes,
                       struct misses *m)
{
    const struct wires w = u->see();
    const unsigned held = g->in - g->out;
    must(m, held <= u->holds && (w.ready || held >= u->holds - 1), "%s: ready %d with %u beats",
         u->name, w.ready, held);
    must(m, !w.valid || held != 0, "%s: a beat out of nothing", u->name);
    if (w.valid && takes && held != 0)
        must_equal(m, w.data << 1 | w.last, g->beats[g->out % PLACES], "%s: beat %u", u->name,
                   g->out);
    u->clock(gives ? offer_of(payload(g->in)) : rest, (struct word_stream_back){takes});
    now++;
    if (u->memory != 0 && held - w.valid > g->most)
        g->most = held - w.valid;
    must_equal(m, u->see().most, g->most, "%s: highest fill", u->name);
    g->out += w.valid && takes;
    if (gives && w.ready) {
        g->beats[g->in % PLACES] = payload(g->in);
        g->in++;
    }
}

/* ---- tests -------------------------------------------------------------------------------------------- */

/* Without pauses at either end a beat goes in and one comes out in each clock, `latency` clocks later. */
static void full_rate(const struct unit *u)
{
    struct misses m = {0};
    struct golden g = {0};
    u->reset();
    for (unsigned i = 0; i < 2000; i++) {
        clock_both(u, &g, true, true, &m);
        must_equal(&m, g.in, i + 1, "%s: beats in", u->name);
        must_equal(&m, g.out, i < u->latency ? 0 : i + 1 - u->latency, "%s: beats out", u->name);
    }
    tap_misses(&m, "%s: a beat a clock, %u clocks through", u->name, u->latency);
}

/* With a sink that takes nothing as many go in as the page says, and then they come out, a beat a clock. */
static void fills(const struct unit *u)
{
    struct misses m = {0};
    struct golden g = {0};
    u->reset();
    for (unsigned i = 0; i < u->holds + 5; i++)
        clock_both(u, &g, true, false, &m);
    must_equal(&m, g.in, u->holds, "%s: beats that fit", u->name);
    must_equal(&m, u->see().most, u->memory, "%s: highest fill", u->name);
    for (unsigned i = 0; i <= u->holds; i++)
        clock_both(u, &g, g.in == u->holds, true, &m);
    must_equal(&m, g.out, u->holds + 1, "%s: beats that came out", u->name);
    tap_misses(&m, "%s: holds %u beats", u->name, u->holds);
}

/* Ends that pause by habits that change, and a reset of all now and then. */
static void random_ends(const struct unit *u, struct rng *r)
{
    enum { CLOCKS = 300000 };
    struct misses m = {0};
    struct golden g = {0};
    unsigned gives = 1, takes = 1, moved = 0;
    bool offers = false;
    u->reset();
    for (unsigned i = 0; i < CLOCKS; i++) {
        if (rng_below(r, 1000) == 0) {
            gives = 1 + rng_below(r, 8);
            takes = 1 + rng_below(r, 8);
        }
        offers = offers || rng_below(r, gives) == 0;
        const unsigned in = g.in, out = g.out;
        clock_both(u, &g, offers, rng_below(r, takes) == 0, &m);
        offers = offers && g.in == in;
        moved += g.out - out;
        if (rng_below(r, 20000) == 0) {
            u->reset();
            g = (struct golden){0};
            offers = false;
        }
    }
    if (moved < CLOCKS / 8)
        miss(&m, "%s: %u beats are too few", u->name, moved);
    tap_misses(&m, "%s: ends that pause, %d clocks", u->name, CLOCKS);
}

/* ---- one end reset by itself: word_fifo gives to word_skid ------------------------------------------- */

/* Beats that are in both, as numbers, and how many of each came and went. */
struct pair {
    struct golden fifo, skid;
    unsigned next; /* number of the next beat, in tdata */
    bool offers;   /* the source of the fifo has begun to */
    unsigned came, resets;
};

/* One clock, in which one of them may be reset: what goes over to it in this clock is lost, what it offered goes over. */
static void clock_pair(struct pair *p, bool gives, bool takes, bool reset_fifo, bool reset_skid,
                       struct misses *m)
{
    const struct wires a = word_fifo_see(), b = word_skid_see();
    const bool moves = a.valid && b.ready;
    p->offers |= gives;
    if (b.valid && takes) {
        must(m, p->skid.in != p->skid.out && b.data == p->skid.beats[p->skid.out % PLACES],
             "beat %u, expected %u", b.data, p->skid.beats[p->skid.out % PLACES]);
        p->skid.out++;
        p->came++;
    }
    if (moves) {
        must(m, p->fifo.in != p->fifo.out, "a beat out of nothing");
        p->skid.beats[p->skid.in++ % PLACES] = p->fifo.beats[p->fifo.out++ % PLACES];
    }
    if (reset_fifo)
        word_fifo_again();
    else
        word_fifo_clock((struct word_stream_forward){.tdata = (u16)p->next, .tvalid = p->offers},
                        (struct word_stream_back){b.ready});
    if (reset_skid)
        word_skid_again();
    else
        word_skid_clock((struct word_stream_forward){(u16)a.data, (u1)a.last, (u1)a.valid},
                        (struct word_stream_back){takes});
    if (p->offers && a.ready) {
        p->fifo.beats[p->fifo.in++ % PLACES] = p->next;
        p->next = (p->next + 1) & 0xffff;
        p->offers = false;
    }
    if (reset_fifo)
        p->fifo.out = p->fifo.in;
    if (reset_skid)
        p->skid.out = p->skid.in;
    p->resets += reset_fifo || reset_skid;
    now++;
}

/*
 * Everything that the other end holds comes, in order, and nothing else. A source that is reset may take back what it
 * offered: that breaks the rules, and the check of its sink says so; a sink that is reset breaks none.
 */
static void reset_ends(bool source, struct rng *r)
{
    enum { CLOCKS = 200000 };
    struct misses m = {0};
    struct pair p = {0};
    word_fifo_again();
    word_skid_again();
    for (unsigned i = 0; i < CLOCKS; i++) {
        const bool resets = rng_below(r, 100) == 0;
        clock_pair(&p, rng_below(r, 4) != 0, rng_below(r, 3) != 0, resets && source,
                   resets && !source, &m);
    }
    const uint64_t broken = harness_take_failures();
    if (p.came < CLOCKS / 3 || p.resets < 1000 || (broken != 0) != source)
        miss(&m, "%u beats, %u resets, %llu broken rules", p.came, p.resets,
             (unsigned long long)broken);
    tap_misses(&m, "the %s reset by itself: all that the other end holds comes, once and in order",
               source ? "source" : "sink");
}

/* ---- the check ---------------------------------------------------------------------------------------- */

/* How many rules a check says are broken by an offer behind another. */
static uint64_t broken(bool assert_too, bool ready, struct word_stream_forward first,
                       struct word_stream_forward second)
{
    struct word_stream_check check = {0};
    const struct word_stream_back back = {ready}, open = {1};
    const struct word_stream_forward none = {0};
    if (assert_too) {
        word_stream_assert(&check, &none, &back);
        word_stream_assert(&check, &first, &back);
        word_stream_assert(&check, &second, &open);
    } else {
        word_stream_assume(&check, &first, &back);
        word_stream_assume(&check, &second, &open);
    }
    return harness_take_failures();
}

static void rules(void)
{
    const struct word_stream_forward a = offer_of(17), b = offer_of(16),
                                     none = {.tdata = 8, .tlast = 1};
    struct word_stream_check check = {0};
    const struct word_stream_back back = {0};
    for (unsigned asserts = 0; asserts < 2; asserts++) {
        tap_ok(broken(asserts, false, a, a) == 0 && broken(asserts, true, a, b) == 0 &&
                   broken(asserts, false, none, b) == 0,
               "%s: a beat that stays, one behind one that was taken, one behind none",
               asserts ? "asserted" : "assumed");
        tap_ok(broken(asserts, false, a, none) == 1, "%s: valid that drops",
               asserts ? "asserted" : "assumed");
        tap_ok(broken(asserts, false, a, b) == 1, "%s: a payload that changes in its last bit",
               asserts ? "asserted" : "assumed");
    }
    word_stream_assert(&check, &a, &back);
    tap_ok(harness_take_failures() == 1, "asserted: valid behind reset");
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (const struct unit *u = units; u < units + UNITS; u++) {
        full_rate(u);
        fills(u);
        random_ends(u, &r);
    }
    reset_ends(false, &r);
    reset_ends(true, &r);
    rules();
    return tap_done();
}
