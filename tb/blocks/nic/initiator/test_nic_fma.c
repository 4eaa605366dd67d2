// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_fma.c - FMA descriptors against fma_model.c: random words, windows and launches of many descriptors, with
 * ssid's notes, the driver's writes and a tarb that has no room at any time; all runs of a line, all opcodes, the wipe; with
 * single-bit errors in words of descriptors nothing changes, of double-bit ones nothing leaves as good.
 *
 * Built for aries: fast; proto: san. Recorded for fma_packet, nic_fma.
 */
#include "tb/blocks/nic/initiator/fma_bench.h"

#include <stddef.h>
#include <string.h>

/* ---- tests -------------------------------------------------------------------------------------- */

static void start(struct bench *b, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    nic_fma_reset(&b->dut);
    rng_seed(&b->rng, seed);
    b->model.ntt_entries = 1u << NIC_NTT_LOG2;
    b->model.engines = NIC_CE;
    b->units = 5;
    b->room = b->ask = 1;
    b->draw = fma_bench_draw_any;
    fma_bench_draw(b, &b->line[0]);
    fma_bench_draw(b, &b->line[1]);
}

static void run(struct bench *b, unsigned clocks)
{
    for (unsigned n = 0; n < clocks; n++) {
        fma_bench_step(b);
    }
}

/* Nothing new: all that was taken comes out, all that was disabled is aborted. */
static bool drain(struct bench *b)
{
    bool aborts = false;

    b->quiet = true;
    b->room = b->ask = 1;
    b->driver = 0;
    run(b, 4000);
    for (unsigned i = 0; i < FMA_DESCRIPTORS; i++) {
        aborts |= b->aborted[i] != 0;
    }
    return misses_why(&b->wrong) && b->in_at == b->out_at && !aborts && b->notes == 0 &&
           b->launches == 0 && b->line[0].runs == 0;
}

static void test_random(uint64_t seed)
{
    static const double moods[][3] = {
        {1, 0, 1}, {1, 0.002, 1}, {0.3, 0.01, 1}, {0.02, 0.05, 1}, {1, 0.01, 0.2}};
    static struct bench b;
    unsigned modes = 0, kinds = 0;

    start(&b, seed);
    b.driver = 1;
    run(&b, 200);
    for (unsigned n = 0; n < 200; n++) {
        b.room = moods[n % 5][0];
        b.driver = moods[n % 5][1];
        b.ask = moods[n % 5][2];
        b.shut = n % 4 == 0 ? 0.02 : 0;
        run(&b, 3000);
    }
    bool good = drain(&b);

    for (unsigned i = 0; i < 8; i++) {
        modes += b.modes[i] > 1000;
    }
    for (unsigned i = 0; i < 16; i++) {
        kinds += b.kinds[i] > 200;
    }
    /* holds fma.reads, fma.status */
    tap_ok(
        good && b.packets > 15000, "fma: %llu packets, %llu refused, %llu reads: as the model says",
        (unsigned long long)b.packets, (unsigned long long)b.refused, (unsigned long long)b.reads);
    tap_ok(modes == 8 && kinds == 8 + NIC_CE,
           "fma: all %u places of the PE, all %u kinds of packets", modes, kinds);
    /* holds fma.transfer */
    tap_at_least(b.transfers, 200, "fma: transfers launched, words as the model says");
    /* holds fma.aborted */
    tap_ok(b.aborts_seen > 300 && b.counted[FMA_COUNT_ABORTED] == b.aborts_seen,
           "fma: %llu descriptors disabled while open, or torn: aborted, counted",
           (unsigned long long)b.aborts_seen);
    /* holds fma.errors */
    tap_ok(b.errors[0] > 20 && b.errors[1] > 100 && b.errors[2] > 100 && b.errors[3] > 100 &&
               b.slverr > 1000,
           "fma: errors in STATUS: no id %llu, not open %llu, command %llu, alignment %llu; "
           "disabled %llu",
           (unsigned long long)b.errors[0], (unsigned long long)b.errors[1],
           (unsigned long long)b.errors[2], (unsigned long long)b.errors[3],
           (unsigned long long)b.slverr);
}

/* ---- every run, every opcode -------------------------------------------------------------------- */

/* An enabled descriptor with a transaction open, its command as given. */
static void prepare(struct bench *b, unsigned unit, unsigned command)
{
    struct fma_model_packet p;

    b->in.write = (struct nic_write){.valid = 1, .addr = (u16)(0x1000 + 4 * unit)};
    b->in.write.data = 0x5A | (uint64_t)3 << 42 | (uint64_t)1 << 57;
    nic_fma(&b->dut, &b->in);
    fma_model_driver(&b->model, unit, (uint64_t)b->in.write.data, &p);
    b->in.write.valid = 0;
    b->turn = command;
    b->quiet = false;
}

static void draw_words(struct line *l, unsigned at, uint64_t word)
{
    l->region = FMA_PAGE;
    l->base = at / 8 * 64;
    l->first[0] = at % 8 * 8;
    l->bytes[0] = 8;
    fma_bench_set_word(l, l->first[0], word);
}

/* MODES without a command, and a mode that may be sent. */
static uint64_t draw_modes(struct bench *b)
{
    uint64_t word = rng_next(&b->rng) & 0xFFC7FFFFFF;

    return word | (uint64_t)rng_below(&b->rng, 7) << 27;
}

/* MODES, OPEN, then all runs of a line one by one. */
static void draw_runs(struct bench *b, struct line *l)
{
    unsigned n = b->turn++ & 0xFFFF;

    l->runs = 1;
    if (n == 0) {
        draw_words(l, 1, draw_modes(b) | (uint64_t)(b->turn >> 16) << 40);
    } else if (n == 1) {
        draw_words(l, 8, 0);
    } else {
        unsigned length = 1, first = n - 2;

        while (first > 64 - length) {
            first -= 64 - length++ + 1;
        }
        if (length > 64) { /* all done */
            l->runs = 0;
            return;
        }
        l->region = FMA_PUT;
        l->base = rng_next(&b->rng) % (1u << NIC_WINDOW_LOG2) & ~(uint64_t)63;
        l->first[0] = first;
        l->bytes[0] = length;
    }
}

static void test_runs(uint64_t seed)
{
    static struct bench b;

    for (unsigned message = 0; message < 2; message++) {
        start(&b, seed);
        prepare(&b, 0, message << 16);
        b.draw = draw_runs;
        fma_bench_draw(&b, &b.line[0]);
        fma_bench_draw(&b, &b.line[1]);
        run(&b, 20000);
        tap_ok(drain(&b) && b.refused == (message ? 36 : 0) &&
                   b.kinds[message ? 4 : 1] == 2080 - b.refused,
               "fma: all 2,080 runs of a line as %s: %llu refused", message ? "messages" : "puts",
               (unsigned long long)b.refused);
    }
}

/* MODES and all 128 opcodes as put, launch, get and launch get, aligned. */
static void draw_opcodes(struct bench *b, struct line *l)
{
    unsigned n = b->turn++;
    uint64_t opcode = n / 8 % 128, control = (rng_next(&b->rng) & 0xFFFFFFFFF8) | opcode << 44;

    l->runs = n < 1026 ? 1 : 0;
    if (n % 8 < 2) {
        draw_words(l, n == 1 ? 8 : 1, (draw_modes(b) & 0x3FFFFFFFFF) | opcode << 40);
    } else if (n % 8 < 5) { /* 8 bytes, 16, 8 at an odd word */
        l->region = FMA_PUT;
        l->base = 64;
        l->first[0] = n % 8 == 4 ? 24 : 16;
        l->bytes[0] = n % 8 == 3 ? 16 : 8;
    } else if (n % 8 == 5) {
        draw_words(l, 24, rng_next(&b->rng) & 0x03FFFFFFFFFFFFF8);
        l->bytes[0] = 16;
    } else if (n % 8 == 6) {
        l->region = FMA_GET;
        l->bytes[0] = 8;
        fma_bench_set_word(l, 0, control);
    } else {
        draw_words(l, 24, (rng_next(&b->rng) & 0x03FFFFFFFFFFFFF8) | (uint64_t)1 << 63);
        fma_bench_set_word(l, 8, control);
        l->bytes[0] = 16;
    }
}

static void test_opcodes(uint64_t seed)
{
    static struct bench b;
    unsigned put = 0, get = 0;

    start(&b, seed);
    prepare(&b, 0, 0);
    b.draw = draw_opcodes;
    fma_bench_draw(&b, &b.line[0]);
    fma_bench_draw(&b, &b.line[1]);
    run(&b, 8000);
    for (unsigned i = 2; i < 128; i++) {
        put += b.opcode[0][i] != 0;
        get += b.opcode[1][i] != 0;
    }
    tap_ok(drain(&b) && put == 58 && get == 60, "fma: of all opcodes %u are put, %u fetched", put,
           get);
}

/* ---- reset -------------------------------------------------------------------------------------- */

/* Whatever state was left: after the wipe nothing is open, in flight or enabled. */
static void test_wipe(uint64_t seed)
{
    static struct bench b;

    start(&b, seed);
    b.driver = 0.1;
    run(&b, 20000);
    b.ask = 0; /* what was taken is done */
    run(&b, 20);
    b.ask = 1;
    for (unsigned i = 0; i < NIC_FMAS; i++) {
        struct fma_descriptor *d = &b.model.d[i];

        *d = (struct fma_descriptor){0};
        b.aborted[i] = 0;
    }
    nic_fma_reset(&b.dut);
    b.notes = b.launches = b.in_at = b.out_at = 0; /* neighbours are as new */
    b.seen.beats = b.words = 0;
    b.presented = b.told = false;
    b.in = (struct nic_fma_in){};
    b.model.launch_open = b.model.launch_free = 0;
    for (unsigned i = 0; i < 8192; i++) {
        b.in.wipe = (struct nic_wipe){.valid = 1, .index = (u13)i};
        nic_fma(&b.dut, &b.in);
    }
    b.in.wipe.valid = 0;
    run(&b, 20000);
    tap_ok(drain(&b) && b.packets > 1000, "fma: wiped after a reset");
}

/* ---- wrong bits --------------------------------------------------------------------------------- */

/* Words of descriptors: codes, one a descriptor. */
#define CODES(path, n)                                                                             \
    {offsetof(struct nic_fma, path), sizeof(((struct nic_fma *)NULL)->path[0]), n}
static const struct {
    size_t at, stride;
    unsigned bits;
} codes[] = {
    CODES(bases, 72),
    CODES(modes, 20),
    CODES(limits, 20),
    CODES(packet.modes, 50),
    CODES(packet.places, 50),
    CODES(packet.flag_offsets, 50),
    CODES(packet.flags, 72),
    CODES(packet.events, 72),
    CODES(packet.operands_a, 72),
    CODES(packet.operands_b, 72),
};
enum { TABLES = sizeof(codes) / sizeof(codes[0]), WIDEST = 16 };

static uint8_t *code_of(struct bench *b, unsigned table, unsigned unit)
{
    return (uint8_t *)&b->dut + codes[table].at + unit * codes[table].stride;
}

static void flip(uint8_t *code, unsigned bit)
{
    code[bit / 8] ^= (uint8_t)(1 << bit % 8);
}

/* A bit of a word, if it was written since one was flipped before. */
static void flip_one(struct bench *b, uint8_t was[TABLES][FMA_DESCRIPTORS][WIDEST])
{
    unsigned table = rng_below(&b->rng, TABLES), unit = rng_below(&b->rng, b->units);
    uint8_t *code = code_of(b, table, unit), *before = was[table][unit];

    if (memcmp(code, before, codes[table].stride) != 0) {
        flip(code, rng_below(&b->rng, codes[table].bits));
        memcpy(before, code, codes[table].stride);
    }
}

static void test_single(uint64_t seed)
{
    static uint8_t was[TABLES][FMA_DESCRIPTORS][WIDEST];
    static struct bench b;
    unsigned corrected = 0, fatal = 0;

    start(&b, seed);
    memset(was, 0xFF, sizeof was);
    b.driver = 1;
    run(&b, 200);
    b.driver = 0.002;
    for (unsigned n = 0; n < 60000; n++) {
        b.room = n / 5000 % 2 ? 0.3 : 1;
        flip_one(&b, was);
        run(&b, 1);
        corrected += b.dut.out.corrected;
        fatal += b.dut.out.fatal;
    }
    bool good = drain(&b);

    /* holds fma.corrected */
    tap_ok(good, "fma: nothing changes with single-bit errors in words of descriptors");
    tap_at_least(corrected, 1000, "fma: they are corrected and counted");
    tap_equal(fatal, 0, "fma: none counts as uncorrectable");
}

/* Stores 8 bytes into a page or the put window; beats that are good, beats of lost packets. */
static void store_eight(struct bench *b, unsigned region, unsigned offset, uint64_t word,
                        unsigned *good, unsigned *lost)
{
    struct nic_fma_in *in = &b->in;
    unsigned lane = offset % 16 / 8;

    *in = (struct nic_fma_in){.room = 1, .launch = {.open = 15, .free = 15}};
    in->chunk = (struct pio_chunk){.valid = 1, .data = (beat_data)word << (64 * lane)};
    in->chunk.place = (pio_place)(offset / 16 % 4);
    nic_fma(&b->dut, in);
    in->chunk.valid = 0;
    in->run = (struct pio_run){
        .valid = 1, .region = (u2)region, .offset = (fma_offset)offset, .bytes = 7};
    for (unsigned i = 0; i < 30; i++) {
        nic_fma(&b->dut, in);
        in->run.valid = in->run.valid && !b->dut.out.answer.valid;
        *good += b->dut.out.beat.valid && !b->dut.out.beat.bad;
        *lost += b->dut.out.beat.valid && b->dut.out.beat.bad;
        b->counted[0] += b->dut.out.fatal;
    }
}

/* A put with two wrong bits in one of the words that it needs: no good beat; the word is whole when it is written again. */
static bool loses(struct bench *b, unsigned table)
{
    static const unsigned word_of[TABLES] = {0, 1, 2, 1, 2, 4, 3, 5, 6, 7};
    unsigned good = 0, lost = 0, again = 0, none = 0;
    unsigned first = rng_below(&b->rng, codes[table].bits);
    unsigned second = (first + 1 + rng_below(&b->rng, codes[table].bits - 1)) % codes[table].bits;
    bool ours = word_of[table] == 2; /* the driver's */

    start(b, rng_next(&b->rng));
    b->in = (struct nic_fma_in){};
    b->in.write = (struct nic_write){.valid = 1,
                                     .addr = NR_FMA,
                                     .data = (u64)1 << NR_FMA_ENABLE_AT |
                                             (u64)4 << NR_FMA_LIMIT_AT | (u64)9 << NR_FMA_PTAG_AT};
    nic_fma(&b->dut, &b->in);
    store_eight(b, FMA_PAGE, 0, (uint64_t)5 << 40, &none, &none);
    store_eight(b, FMA_PAGE, 8, 7, &none, &none);
    store_eight(b, FMA_PAGE, 64, 0, &good, &lost); /* OPEN */
    flip(code_of(b, table, 0), first);
    flip(code_of(b, table, 0), second);
    good = lost = 0;
    b->counted[0] = 0;
    store_eight(b, FMA_PUT, 64, 0x1234, &good, &lost);
    if (ours) {
        b->in.write =
            (struct nic_write){.valid = 1,
                               .addr = NR_FMA,
                               .data = (u64)1 << NR_FMA_ENABLE_AT | (u64)4 << NR_FMA_LIMIT_AT |
                                       (u64)9 << NR_FMA_PTAG_AT};
        nic_fma(&b->dut, &b->in);
    } else {
        store_eight(b, FMA_PAGE, 8 * word_of[table], 5, &none, &none);
    }
    store_eight(b, FMA_PUT, 64, 0x1234, &again, &none);
    if (table >= 5) { /* a put does not need it */
        return good == 2 && lost == 0 && b->counted[0] == 0;
    }
    return good == 0 && again == 2 && b->counted[0] > 0;
}

static void test_double(uint64_t seed)
{
    static struct bench b;
    struct misses wrong = {0};

    rng_seed(&b.rng, seed);
    for (unsigned n = 0; n < 40 * TABLES; n++) {
        must(&wrong, loses(&b, n % TABLES), "words of table %u", n % TABLES);
    }
    /* holds fma.lost */
    tap_misses(
        &wrong,
        "fma: of a packet with a double-bit error in its words no beat is good, until they are "
        "written again");
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &fma_bench_now;
    test_random(seed);
    test_runs(seed);
    test_opcodes(seed);
    test_wipe(seed);
    test_single(seed);
    test_double(seed);
    tap_ok(harness_covers("hls/nic/initiator/fma_packet.c") == 5,
           "fma: all covers of packets are hit");
    return tap_done();
}
