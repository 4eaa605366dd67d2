// SPDX-License-Identifier: Apache-2.0
/*
 * test_tarb.c - packets from fma to the request stream: whole, in order, begun only with room, then not stopped; wrong
 * bits in the queue.
 *
 * Built for aries: fast; proto: san. Recorded for tarb.
 */
#include "tb/base/harness.h"
#include "nic/initiator/tarb.h"
#include "tb/models/nic_beats.h"

#include <string.h>

enum {
    RING = 256,
    TAGS = 12, /* of the orb that is played here */
    WAY = 4    /* clocks from tarb's register to orb's, whatever happens */
};

struct bench {
    struct tarb dut;
    struct rng rng;
    struct beat ring[RING]; /* sent and not yet come out */
    unsigned flips[RING];
    unsigned in, out;
    unsigned left; /* beats of the packet that is being sent */
    bool inside;   /* of the packet that comes out */
    double offer, gaps, room;
    unsigned longest, empty;
    double takes, returns; /* requests that take a tag; tags that come back */
    unsigned free, shown;  /* tags, and as tarb sees them */
    unsigned way[WAY];     /* heads that are on their way to orb, the last one first */
    unsigned most, taken;  /* taken at once; in all */
    bool quiet;
    struct ssid_notice note; /* of ssid, as it stands */
    double notes;            /* one comes, if none stands */
    unsigned note_beat, note_waits, notes_out;
    bool note_taken;
    struct misses wrong, stopped;
    uint64_t packets, corrected, fatal, counted[2], waited;
    bool room_before;
};

static uint64_t now;

static void start(struct bench *b, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    tarb_reset(&b->dut);
    rng_seed(&b->rng, seed);
    b->offer = b->room = b->takes = b->returns = 1;
    b->free = b->shown = TAGS;
    b->longest = BEATS;
}

static struct beat next_beat(struct bench *b)
{
    struct beat beat = {.valid = 1, .head = b->left == 0};

    if (b->left == 0) {
        b->left = 1 + rng_below(&b->rng, b->longest);
    }
    b->left--;
    beat.tail = b->left == 0;
    for (unsigned i = 0; i < 144; i += 48) {
        beat.word |= (beat_word)(rng_next(&b->rng) & 0xFFFFFFFFFFFF) << i;
    }
    return beat;
}

/* A beat of the NOTE that stands, or the first of one; the value is whether it is. */
static bool check_note(struct bench *b, bool room)
{
    const struct beat *beat = &b->dut.out.beat;
    bool first = b->note.valid && !b->note_taken && b->note_beat == 0 && beat->valid &&
                 beat->head && beat->word == b->note.head;

    must_equal(&b->wrong, b->dut.out.note_taken, b->note_beat == 2, "NOTE is taken, at beat %u",
               b->note_beat);
    if (!first && b->note_beat == 0) {
        return false;
    }
    const struct beat due = {1, first, b->note_beat == 2, 0,
                             first               ? b->note.head
                             : b->note_beat == 1 ? (beat_word)b->note.event << 32 |
                                                       (beat_word)(u32)b->note.flag << 96
                                                 : (beat_word)(u32)(b->note.flag >> 32)};

    must(&b->wrong, !first || (room && !b->inside), "NOTE begins without room, or in a packet");
    must_beat(&b->wrong, beat, &due, "beat %u of a NOTE", b->note_beat);
    b->note_beat = b->note_beat == 2 ? 0 : b->note_beat + 1;
    b->notes_out += b->note_beat == 0;
    return true;
}

/* It stands until it is seen to be taken; the next one may come then. */
static void drive_note(struct bench *b)
{
    b->note_waits =
        b->note.valid && b->note_beat == 0 && !b->dut.out.note_taken ? b->note_waits + 1 : 0;
    b->note.valid = b->note.valid && !b->note_taken;
    if (!b->note.valid && !b->dut.out.note_taken && rng_chance(&b->rng, b->notes)) {
        b->note = (struct ssid_notice){.valid = 1,
                                       .head = rng_next(&b->rng),
                                       .event = (u56)(rng_next(&b->rng) >> 8),
                                       .flag = rng_next(&b->rng)};
    }
    b->note_taken = b->dut.out.note_taken;
}

static void check(struct bench *b, bool room)
{
    const struct beat *beat = &b->dut.out.beat;

    if (check_note(b, room)) {
        return;
    }
    const struct beat *e = &b->ring[b->out % RING];

    if (!beat->valid) {
        /* what had come goes on, but for one clock behind a beat that waited alone */
        if (b->inside && b->in - b->out > 2) {
            must_at_most(&b->stopped, ++b->empty, 1, "clocks without beat %u, of %u that came",
                         b->out, b->in);
        }
        return;
    }
    b->empty = 0;
    must(&b->wrong, !beat->head || room, "beat %u: a head without room of orb", b->out);
    must(&b->wrong, b->out != b->in, "beat %u: more than came", b->out);
    must(&b->wrong, beat->head != b->inside, "beat %u: head %u, inside of a packet %u", b->out,
         (unsigned)beat->head, b->inside);
    const unsigned flips = b->flips[b->out % RING];
    const struct beat due = {1, e->head, e->tail, flips == 2, flips == 2 ? beat->word : e->word};

    must_beat(&b->wrong, beat, &due, "beat %u, %u bits wrong where it waited", b->out, flips);
    b->corrected += b->flips[b->out % RING] == 1;
    b->fatal += b->flips[b->out % RING] == 2;
    b->inside = !beat->tail;
    b->packets += beat->tail;
    b->out++;
}

/* ntt, ssid and orb: a request takes its tag, or does not, WAY clocks behind tarb; it is an error if none is left. */
static void play_orb(struct bench *b)
{
    b->shown = b->free;
    if (b->way[WAY - 1]) {
        must(&b->wrong, b->free != 0, "request %u takes a tag, expected to wait, none is free",
             b->taken);
        b->free--;
        b->taken++;
    }
    memmove(b->way + 1, b->way, sizeof b->way - sizeof *b->way);
    b->way[0] = b->dut.out.beat.valid && b->dut.out.beat.head && !b->dut.out.beat.tail &&
                rng_chance(&b->rng, b->takes);
    b->free += b->free < TAGS && rng_chance(&b->rng, b->returns);
    b->most = TAGS - b->free > b->most ? TAGS - b->free : b->most;
}

static void step(struct bench *b)
{
    struct tarb_in in = {.orb_room = rng_chance(&b->rng, b->room),
                         .note = b->note,
                         .tags = b->shown < 7 ? (u3)b->shown : (u3)7};
    bool may = b->left != 0 ? !rng_chance(&b->rng, b->gaps)
                            : !b->quiet && b->dut.out.room && rng_chance(&b->rng, b->offer);

    if (may) {
        in.fma = next_beat(b);
        b->ring[b->in % RING] = in.fma;
        b->flips[b->in++ % RING] = 0;
    }
    b->waited += !b->dut.out.room;
    tarb(&b->dut, &in);
    play_orb(b);
    must(&b->wrong, !b->dut.out.idle || b->in == b->out, "idle, and of %u beats %u came out", b->in,
         b->out);
    check(b, in.orb_room);
    drive_note(b);
    for (unsigned i = 0; i < 2; i++) {
        b->counted[i] += (u1)(b->dut.out.count >> i);
    }
    now++;
}

static void run(struct bench *b, unsigned clocks)
{
    for (unsigned n = 0; n < clocks; n++) {
        step(b);
    }
}

static bool drain(struct bench *b)
{
    b->quiet = true;
    b->notes = 0;
    b->room = b->returns = 1;
    b->gaps = 0;
    run(b, 200);
    must_equal(&b->wrong, b->out, b->in, "beats that came out in the end");
    must(&b->wrong, b->dut.out.idle, "not idle in the end");
    return misses_why(&b->wrong);
}

static void test_order(uint64_t seed)
{
    static const double moods[][3] = {{1, 0, 1},   {0.3, 0, 1},    {1, 0.5, 1},
                                      {1, 0, 0.1}, {1, 0.1, 0.02}, {0.5, 0.3, 0.5}};
    static struct bench b;

    start(&b, seed);
    for (unsigned n = 0; n < 60; n++) {
        b.offer = moods[n % 6][0];
        b.gaps = moods[n % 6][1];
        b.room = moods[n % 6][2];
        b.longest = n % 5 == 0 ? 1 : BEATS;
        b.notes = n % 2 == 0 ? 0.05 : 0;
        run(&b, 2000);
    }
    bool good = drain(&b);

    tap_ok(good && b.packets > 15000 && b.waited > 1000,
           "tarb: %llu packets whole, in order, begun only with room; fma waited %llu clocks",
           (unsigned long long)b.packets, (unsigned long long)b.waited);
    /* holds tarb.note */
    tap_ok(b.notes_out > 500, "tarb: %u NOTEs, three beats each, before the packets of fma",
           b.notes_out);
    tap_misses(&b.stopped, "tarb: nothing stops a packet but its own gaps");
    tap_ok(b.counted[0] == 0 && b.counted[1] == 0, "tarb: no error where none was made");
}

/* Tags: never more than there are, and all of them, whatever share of the requests takes one and whenever they come back. */
static void test_tags(uint64_t seed)
{
    static struct bench b;
    unsigned taken = 0;
    bool good = true;

    for (unsigned n = 0; n < 8; n++) {
        start(&b, seed + n);
        b.takes = n % 2 == 0 ? 1 : 0.5;
        b.returns = n / 2 % 2 == 0 ? 0 : 0.05;
        b.longest = n / 4 % 2 == 0 ? 2 : BEATS;
        run(&b, 3000);
        good = good && b.most == TAGS;
        taken += b.taken;
        good = drain(&b) && good;
    }
    misses_why(&b.wrong);
    /* holds tarb.tags */
    tap_ok(good && taken > 300, "tarb: all %u tags are given, and none that is not there: %u", TAGS,
           taken);
}

static void test_rate(uint64_t seed)
{
    static struct bench b;

    for (unsigned longest = 1; longest <= BEATS; longest += BEATS - 1) {
        start(&b, seed);
        b.longest = longest;
        run(&b, 100);
        unsigned before = b.out;

        run(&b, 10000);
        double beats = (b.out - before) / 10000.0;
        tap_ok(drain(&b) && beats > 0.999, "tarb: packets of up to %u beats: %.4f beats per clock",
               longest, beats);
    }
}

/* A packet that finds it idle: in t, out of the register after t + 1. */
static void test_latency(uint64_t seed)
{
    static struct bench b;

    start(&b, seed);
    b.longest = 1;
    b.quiet = true;
    run(&b, 10);
    b.quiet = false;
    run(&b, 1);
    b.quiet = true;
    bool early = b.dut.out.beat.valid;
    run(&b, 1);
    /* holds tarb.latency */
    tap_ok(!early && b.packets == 1, "tarb: out one clock behind what came in");
}

/* Packets of both senders, whole, each sender's in their order, in turn while both wait. */
static void test_turns(uint64_t seed)
{
    enum { SENDERS = 2 };
    struct misses wrong = {0};
    struct tarb dut = {0};
    struct tarb_in in = {.tags = 7};
    struct rng rng;
    unsigned left[SENDERS] = {0}, sent[SENDERS] = {0}, came[SENDERS] = {0}, packets[SENDERS] = {0};
    unsigned inside = SENDERS, last = SENDERS, repeated = 0;

    tarb_reset(&dut);
    rng_seed(&rng, seed);
    for (unsigned n = 0; n < 20000; n++) {
        struct beat *beat[SENDERS] = {&in.fma, &in.bte};
        const bool room[SENDERS] = {dut.out.room, dut.out.room_bte};

        in.orb_room = rng_below(&rng, 4) != 0;
        for (unsigned s = 0; s < SENDERS; s++) {
            const bool head = left[s] == 0;

            *beat[s] = (struct beat){0};
            if (!head || (room[s] && rng_below(&rng, 8) != 0)) {
                left[s] = head ? 1 + rng_below(&rng, BEATS) : left[s];
                *beat[s] = (struct beat){1, head, --left[s] == 0, 0, s << 20 | sent[s]++};
            }
        }
        tarb(&dut, &in);
        if (dut.out.beat.valid) {
            const unsigned s = (unsigned)(dut.out.beat.word >> 20) % SENDERS;

            must_equal(&wrong, (uint64_t)dut.out.beat.word, s << 20 | came[s], "beat of sender %u",
                       s);
            must(&wrong, dut.out.beat.head ? inside == SENDERS : inside == s,
                 "sender %u within a packet", s);
            came[s]++;
            repeated = !dut.out.beat.head ? repeated : s == last ? repeated + 1 : 0;
            must_at_most(&wrong, repeated, 3, "packets of sender %u one after the other", s);
            packets[s] += dut.out.beat.head;
            last = s;
            inside = dut.out.beat.tail ? SENDERS : s;
        }
        now++;
    }
    must_at_least(&wrong, packets[0], 1000, "packets of fma");
    must_at_least(&wrong, packets[1], 1000, "packets of bte");
    /* holds tarb.turns */
    tap_misses(&wrong, "tarb: %u packets of fma, %u of bte, in turn", packets[0], packets[1]);
}

/* Wrong bits in what waits in the memory. */
static void test_bits(uint64_t seed)
{
    static struct bench b;

    for (unsigned bits = 1; bits <= 2; bits++) {
        start(&b, seed);
        b.offer = 0.4;
        b.room = 0.2;
        for (unsigned n = 0; n < 20000; n++) {
            run(&b, 1);
            const struct beat_queue *q = &b.dut.queue;
            unsigned place = (unsigned)(beat_queue_place)(q->wr[0] - 1), newest = (b.in - 1) % RING;

            if ((beat_queue_count)(q->wr[0] - q->rd[0]) > 3 && b.flips[newest] == 0) {
                unsigned word = rng_below(&b.rng, 3) * 56, first = rng_below(&b.rng, 56);
                unsigned second = (first + 1 + rng_below(&b.rng, 55)) % 56;

                b.dut.queue.codes[place] ^= (beat_code)1 << (word + first);
                if (bits == 2) {
                    b.dut.queue.codes[place] ^= (beat_code)1 << (word + second);
                }
                b.flips[newest] = bits;
            }
        }
        bool good = drain(&b);

        tap_ok(good && (bits == 1 ? b.corrected : b.fatal) > 100 && b.counted[0] == b.corrected &&
                   b.counted[1] == b.fatal,
               "tarb: %llu beats with %u wrong bit%s: %s",
               (unsigned long long)(bits == 1 ? b.corrected : b.fatal), bits, bits == 1 ? "" : "s",
               bits == 1 ? "put right, counted" : "marked bad, counted");
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &now;
    test_order(seed);
    test_tags(seed);
    test_rate(seed);
    test_turns(seed);
    test_latency(seed);
    test_bits(seed);
    tap_ok(harness_covers("hls/nic/initiator/tarb.c") == 4, "all covers are hit");
    return tap_done();
}
