// SPDX-License-Identifier: Apache-2.0
/*
 * test_fma_stream.c - from AXI stores to the request stream: pio, nic_fma and tarb joined as in the NIC, their rates, the
 * clocks from a beat to its head, and lines with holes, run by run against fma_model.c.
 *
 * Built for aries: fast; proto: san. Recorded for fma_packet, nic_fma, pio.
 */
#include "tb/base/harness.h"
#include "tb/blocks/nic/initiator/fma_model.h"
#include "nic/initiator/nic_fma.h"
#include "nic/initiator/tarb.h"

#include <stdio.h>
#include <string.h>

enum { EXPECTED = 4096, WAITING = 16 };

/* A line to be stored: beats of 16 bytes from the first one with a strobe on, or all four. */
struct store {
    uint64_t addr; /* of the line */
    unsigned first, beats;
    uint8_t byte[64];
    uint64_t strobes;
};

struct stream {
    struct pio pio;
    struct nic_fma fma;
    struct tarb tarb;
    struct axi_to_sub axi;
    struct rng rng;
    struct fma_model model;

    struct store store[WAITING];
    unsigned in, aw, w, beat, responses;
    struct fma_model_packet expected[EXPECTED], seen;
    unsigned in_at, out_at;

    double offer, room;
    void (*draw)(struct stream *s, struct store *st);
    unsigned turn;
    bool quiet;
    struct misses wrong;
    uint64_t slverr, pops, first_beat, first_head;
};

static uint64_t now;

/* ---- stores ------------------------------------------------------------------------------------- */

static uint64_t window(unsigned region, unsigned unit, uint64_t offset)
{
    return (uint64_t)region << (NIC_FMA_LOG2 + NIC_WINDOW_LOG2) |
           (uint64_t)unit << NIC_WINDOW_LOG2 | offset;
}

static uint64_t page(unsigned unit, unsigned word)
{
    return (uint64_t)unit << 12 | word / 8 * 64;
}

static void set_word(struct store *st, unsigned at, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++) {
        st->byte[at + i] = (uint8_t)(word >> 8 * i);
    }
    st->strobes |= (uint64_t)0xFF << at;
}

/* What the golden model makes of it, run by run, lowest first. */
static void expect(struct stream *s, const struct store *st)
{
    unsigned region = (unsigned)(st->addr >> (NIC_FMA_LOG2 + NIC_WINDOW_LOG2));
    unsigned unit =
        (unsigned)(region == 0 ? st->addr >> 12 : st->addr >> NIC_WINDOW_LOG2) % NIC_FMAS;
    uint64_t base = region == 0 ? st->addr % 4096 : st->addr % (1u << NIC_WINDOW_LOG2);

    for (unsigned i = 0; i < 64; i++) {
        unsigned n = 1;

        if ((st->strobes >> i & 1) == 0) {
            continue;
        }
        while (i + n < 64 && (st->strobes >> (i + n) & 1) != 0 &&
               (region == 2 || (i + n) % 8 != 0 || (region == 0 && base + i + n == 25 * 8) ||
                (region == 0 && base == 0 && i + n == 8 && (st->strobes & 0xFFFF) == 0xFFFF))) {
            n++;
        }
        fma_model_run(&s->model, unit, region, base + i, st->byte + i, n,
                      &s->expected[s->in_at % EXPECTED]);
        s->in_at += s->expected[s->in_at % EXPECTED].beats != 0;
        i += n - 1;
    }
}

static void make(struct stream *s)
{
    struct store *st = &s->store[s->in % WAITING];

    memset(st, 0, sizeof *st);
    st->beats = 4;
    for (unsigned i = 0; i < 64; i++) {
        st->byte[i] = (uint8_t)rng_next(&s->rng);
    }
    s->draw(s, st);
    expect(s, st);
    s->in++;
}

/* What the manager shows in this call; what is shown stays until it is taken. */
static void drive(struct stream *s)
{
    struct axi_to_sub *axi = &s->axi;
    const struct store *aw = &s->store[s->aw % WAITING], *w = &s->store[s->w % WAITING];
    unsigned chunk = w->first + s->beat;

    axi->awvalid = s->aw != s->in && (axi->awvalid || rng_chance(&s->rng, s->offer));
    axi->awaddr = (uint(AXI_BAR_BITS))(aw->addr + 16 * aw->first);
    axi->awlen = (u8)(aw->beats - 1);
    axi->awsize = 4;
    axi->awburst = 1;
    axi->wvalid = s->w != s->in && (axi->wvalid || rng_chance(&s->rng, s->offer));
    axi->wlast = s->beat + 1 == w->beats;
    axi->wstrb = (u16)(w->strobes >> 16 * (chunk & 3));
    axi->wdata = 0;
    for (unsigned i = 0; i < 16; i++) {
        axi->wdata |= (beat_data)w->byte[16 * (chunk & 3) + i] << 8 * i;
    }
    axi->bready = 1;
}

/* What is taken in this call. */
static void handshakes(struct stream *s)
{
    const struct axi_from_sub *from = &s->pio.out.s_axi;

    s->aw += s->axi.awvalid && from->awready;
    if (s->axi.wvalid && from->wready) {
        s->first_beat = s->first_beat == 0 ? now : s->first_beat;
        s->w += s->axi.wlast;
        s->beat = s->axi.wlast ? 0 : s->beat + 1;
    }
    s->responses += from->bvalid;
    s->slverr += from->bvalid && from->bresp != 0;
}

/* ---- the stream --------------------------------------------------------------------------------- */

static void collect(struct stream *s)
{
    const struct beat *beat = &s->tarb.out.beat;
    const struct fma_model_packet *e = &s->expected[s->out_at % EXPECTED];
    unsigned n = s->seen.beats;

    if (!beat->valid) {
        return;
    }
    if (beat->head != (n == 0) || n == 5 || s->out_at == s->in_at) {
        miss(&s->wrong, "packet %u of %u, beat %u: head %u, expected %u, 5 beats at most",
             s->out_at, s->in_at, n, (unsigned)beat->head, n == 0);
        return;
    }
    for (unsigned i = 0; i < 18; i++) {
        must_equal(&s->wrong, (uint8_t)(beat->word >> 8 * i), e->beat[n][i],
                   "packet %u, command %u: byte %u of beat %u", s->out_at, e->beat[0][0] & 15u, i,
                   n);
    }
    s->seen.beats = beat->tail ? 0 : n + 1;
    if (beat->tail) {
        if (n + 1 != e->beats) {
            miss(&s->wrong, "packet %u: %u beats, expected %u", s->out_at, n + 1, e->beats);
        }
        s->out_at++;
    }
}

static void step(struct stream *s)
{
    struct pio_in pio_in = {.config = {.ready = 1, .enable = 1}, .fma = s->fma.out.answer};
    struct nic_fma_in fma_in = {
        .run = s->pio.out.run,
        .chunk = s->pio.out.chunk,
        .room = s->tarb.out.room,
    };
    struct tarb_in tarb_in = {
        .fma = s->fma.out.beat, .orb_room = rng_chance(&s->rng, s->room), .tags = 7};

    while (!s->quiet && s->in - s->responses < WAITING - 1) {
        make(s);
    }
    drive(s);
    handshakes(s);
    if (s->first_head == 0 && tarb_in.fma.valid) {
        s->first_head = now;
    }
    pio_in.s_axi = s->axi;
    pio(&s->pio, &pio_in);
    nic_fma(&s->fma, &fma_in);
    tarb(&s->tarb, &tarb_in);
    collect(s);
    now++;
}

static void run(struct stream *s, unsigned clocks)
{
    for (unsigned n = 0; n < clocks; n++) {
        step(s);
    }
}

/* ---- tests -------------------------------------------------------------------------------------- */

static void draw_words(struct stream *s, struct store *st)
{
    uint64_t modes = s->model.d[0].word[1];

    st->addr = page(0, s->turn == 0 ? 1 : 8);
    set_word(st, s->turn == 0 ? 8 : 0, modes);
    if (s->turn == 0) {
        set_word(st, 0, rng_next(&s->rng) & ~(uint64_t)7);
    }
    s->quiet = s->turn++ == 1;
}

/* Descriptor 0, enabled and open; then what draw says. */
static void start(struct stream *s, uint64_t seed, uint64_t modes,
                  void (*draw)(struct stream *, struct store *))
{
    struct nic_fma_in in = {.write = {.valid = 1, .addr = 0x1000}};
    struct fma_model_packet p;

    memset(s, 0, sizeof *s);
    rng_seed(&s->rng, seed);
    pio_reset(&s->pio);
    nic_fma_reset(&s->fma);
    tarb_reset(&s->tarb);
    s->model.ntt_entries = 1u << NIC_NTT_LOG2;
    s->model.engines = NIC_CE;
    in.write.data = (u64)0xA5 | (u64)3 << 42 | (u64)1 << 57;
    nic_fma(&s->fma, &in);
    fma_model_driver(&s->model, 0, (uint64_t)in.write.data, &p);
    s->offer = s->room = 1;
    s->model.d[0].word[1] = modes;
    s->draw = draw_words;
    run(s, 100);
    s->turn = 0;
    s->draw = draw;
    s->first_beat = s->first_head = 0;
    s->quiet = false;
}

static void drain(struct stream *s)
{
    s->quiet = true;
    s->offer = s->room = 1;
    run(s, 600);
    must_equal(&s->wrong, s->out_at, s->in_at, "packets that came out in the end");
    must_equal(&s->wrong, s->responses, s->in, "stores that are answered in the end");
}

static void draw_launch(struct stream *s, struct store *st)
{
    uint64_t get = (uint64_t)(s->turn & 1) << 63;

    st->addr = page(0, 24);
    st->beats = 1;
    set_word(st, 0, (rng_next(&s->rng) & 0x03FFFFFFFFFFFFF8) | get);
    set_word(st, 8, (rng_next(&s->rng) & 0xFFFFFFFFF8) | (uint64_t)(s->turn & 1) << 40);
    st->strobes = 0xFFFF;
}

static void draw_put_launch(struct stream *s, struct store *st)
{
    s->turn = 0;
    draw_launch(s, st);
}

static void draw_get_launch(struct stream *s, struct store *st)
{
    s->turn = 1;
    draw_launch(s, st);
}

static void draw_line(struct stream *s, struct store *st)
{
    st->addr = window(2, 0, rng_next(&s->rng) % (1u << NIC_WINDOW_LOG2) & ~(uint64_t)63);
    st->strobes = ~(uint64_t)0;
}

/* A run of s->turn bytes anywhere in a line. */
static void draw_run(struct stream *s, struct store *st)
{
    unsigned first = rng_below(&s->rng, 64 - s->turn + 1);

    draw_line(s, st);
    st->strobes = (s->turn == 64 ? ~(uint64_t)0 : ((uint64_t)1 << s->turn) - 1) << first;
    st->first = first / 16;
    st->beats = (first + s->turn - 1) / 16 - first / 16 + 1;
}

static void draw_gets(struct stream *s, struct store *st)
{
    st->addr = window(3, 0, rng_next(&s->rng) % (1u << NIC_WINDOW_LOG2) & ~(uint64_t)63);
    for (unsigned i = 0; i < 64; i += 8) {
        set_word(st, i, rng_next(&s->rng) & 0xEFFFFFFFFF8);
    }
}

/* Clocks per packet, sustained. */
static double rate(struct stream *s)
{
    run(s, 500);
    unsigned before = s->out_at;

    run(s, 10000);
    return 10000.0 / (s->out_at - before);
}

static void test_rates(uint64_t seed)
{
    static const struct {
        const char *name;
        uint64_t modes;
        void (*draw)(struct stream *, struct store *);
        double want;
    } loads[] = {
        {"LAUNCH, put of 8 bytes", 0, draw_put_launch, 2},
        {"LAUNCH, AMO", (uint64_t)0x55 << 40, draw_put_launch, 2},
        {"LAUNCH, get", 0, draw_get_launch, 2},
        {"put window, whole lines", 0, draw_line, 5},
        {"get window, lines of 8 gets", 0, draw_gets,
         2.25}, /* a line's beats come behind the last get */
    };
    static struct stream s;

    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        start(&s, seed, loads[i].modes, loads[i].draw);
        double clocks = rate(&s);

        drain(&s);
        must(&s.wrong, clocks < loads[i].want + 0.005, "one per %.3f clocks, expected %.2f", clocks,
             loads[i].want);
        tap_misses(&s.wrong, "fma: %s: one per %.3f clocks, wanted %.2f", loads[i].name, clocks,
                   loads[i].want);
    }
}

/* 1 + ceil(n / 16) clocks for a run of n bytes; but a line's beats come one a clock, and one more begins it. */
static void test_run_rates(uint64_t seed)
{
    static struct stream s;
    struct misses slow = {0};

    for (unsigned n = 1; n <= 64; n++) {
        start(&s, seed, 0, draw_run);
        s.turn = n;
        unsigned want = 1 + (n + 15) / 16;
        double clocks = rate(&s);

        drain(&s);
        must(&s.wrong, clocks < want + 0.01, "runs of %u bytes: one per %.3f clocks, expected %u",
             n, clocks, want);
        misses_add(&slow, &s.wrong);
    }
    /* holds fma.pace */
    tap_misses(&slow, "fma: runs of n bytes: one per 1 + ceil(n / 16) clocks, for all n");
}

/* Strobes: all patterns of one beat, and lines of up to four runs. */
static void draw_pattern(struct stream *s, struct store *st)
{
    unsigned n = s->turn++;

    draw_line(s, st);
    st->first = n >> 16 & 3;
    st->beats = 1;
    st->strobes = (uint64_t)(n & 0xFFFF) << 16 * st->first;
}

static void draw_four(struct stream *s, struct store *st)
{
    draw_line(s, st);
    st->strobes = 0;
    for (unsigned n = 1 + rng_below(&s->rng, 4); n > 0; n--) {
        unsigned first = rng_below(&s->rng, 64), bytes = 1 + rng_below(&s->rng, 64 - first);

        bytes = rng_below(&s->rng, 2) != 0 && bytes > 12 ? bytes % 12 + 1 : bytes;
        st->strobes |= (bytes == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bytes) - 1) << first;
    }
    s->turn++;
}

static void test_patterns(uint64_t seed)
{
    static struct stream s;

    for (unsigned message = 0; message < 2; message++) {
        start(&s, seed, (uint64_t)message << 40, draw_pattern);
        while (s.turn < 1 << 16) {
            step(&s);
        }
        drain(&s);
        tap_misses(&s.wrong, "fma: all 65,536 strobe patterns of a beat: %u %s", s.out_at,
                   message ? "messages" : "puts");
    }
    start(&s, seed, 0, draw_four);
    while (s.turn < 100000) {
        s.room = s.turn / 1000 % 2 == 0 ? 1 : 0.2;
        s.offer = s.turn / 2000 % 2 == 0 ? 1 : 0.3;
        step(&s);
    }
    drain(&s);
    tap_misses(&s.wrong, "fma: 100,000 lines of up to 4 runs, orb with and without room: %u puts",
               s.out_at);
}

static void test_latency(uint64_t seed)
{
    static struct stream s;

    start(&s, seed, 0, draw_put_launch);
    run(&s, 40);
    /* holds fma.latency */
    must(&s.wrong, s.first_beat != 0, "no beat was taken");
    must_at_most(&s.wrong, s.first_head - s.first_beat, 6, "clocks from beat to head");
    tap_misses(&s.wrong, "fma: %llu clocks from the AXI beat to the head beat into tarb, at most 6",
               (unsigned long long)(s.first_head - s.first_beat));
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &now;
    now = 1;
    test_rates(seed);
    test_run_rates(seed);
    test_patterns(seed);
    test_latency(seed);
    return tap_done();
}
