// SPDX-License-Identifier: Apache-2.0
/*
 * test_bist.c - source and checker of the self-tests against packets that are made and read here, from the layout of
 * bist.h; and each thing that can be wrong with a packet is counted, once.
 *
 * Built for proto: san.
 */
#include <string.h>

#include "hls/board/bist_check.h"
#include "hls/board/bist_source.h"
#include "tb/base/harness.h"

enum { FLITS_MOST = 16, STREAMS = 8, TAG_BITS = 18, NO_HOPS = 0x3ffff };

static uint64_t now; /* clocks so far: failed assertions say it */

/* ---- packets, written again -------------------------------------------------------------------------------- */

#define FLIT_MASK ((UINT64_C(1) << 48) - 1)

struct packet {
    unsigned length;
    uint64_t flit[FLITS_MOST];
};

static struct packet packet_of(unsigned stream, unsigned number, unsigned vc)
{
    const uint64_t tag = (uint64_t)stream << 15 | number;
    const unsigned mix = (tag ^ tag >> 4 ^ tag >> 8 ^ tag >> 13) & 15;
    struct packet p = {.length = mix < 14 ? mix + 1 : mix - 7};
    uint64_t body = (tag << 36 | (~tag & 0x3ffff) << 18 | tag) & FLIT_MASK;
    p.flit[0] = (uint64_t)vc << 45 | (uint64_t)p.length << 41 | UINT64_C(7) << 38 |
                (uint64_t)NO_HOPS << TAG_BITS | tag;
    for (unsigned i = 1; i < p.length; i++) {
        p.flit[i] = body;
        body = (body ^ body << 11) & FLIT_MASK;
        body ^= body >> 5;
    }
    return p;
}

/* ---- the source ---------------------------------------------------------------------------------------------- */

/* 20,000 clocks with a taker that is ready, and room, as chance will have it; what is wrong. */
static const char *source_wrong(uint64_t seed, unsigned last, unsigned vcs, double ready,
                                double room, unsigned *flits)
{
    const uint64_t route[2] = {0x2a51, 0x15};
    struct bist_source dut;
    struct rng rng;
    struct packet p = {0};
    unsigned stream = 0, number[STREAMS] = {0}, at = 0;
    uint64_t offered = 0;
    bool waits = false, head = false; /* the flit on offer is one */
    rng_seed(&rng, seed);
    bist_source_reset(&dut);
    for (unsigned i = 0; i < 20000; i++, now++) {
        const unsigned free = room < 1 ? (unsigned)rng_next(&rng) & 255 : 255;
        const unsigned spare = room < 1 ? free & (unsigned)rng_next(&rng) : 255;
        const struct bist_source_in in = {.run = 1,
                                          .ready = rng_chance(&rng, ready),
                                          .room = (u8)free,
                                          .spare = (u8)spare,
                                          .last = (bist_stream)last,
                                          .vcs = (u3)vcs,
                                          .route = {(u18)route[0], (u18)route[1]}};
        const bool taken = dut.out.valid && in.ready, was = dut.out.valid;
        bist_source(&dut, &in);
        if (waits && (!dut.out.valid || dut.out.flit != offered) && !taken)
            return "an offer did not stand";
        if (dut.out.valid && (!was || taken)) { /* a new flit is offered */
            if (at == p.length) {
                const unsigned vc = stream & vcs;
                p = packet_of(stream, number[stream]++, vc);
                p.flit[0] ^= (NO_HOPS ^ route[(stream & ~vcs) != 0]) << TAG_BITS;
                if (!((was && head ? spare : free) >> vc & 1))
                    return "a packet began without room";
                stream = stream == last ? 0 : stream + 1;
                at = 0;
            }
            head = at == 0;
            if (dut.out.flit != p.flit[at++])
                return "a flit is another";
            ++*flits;
        } else if (at != p.length && taken) {
            return "a gap within a packet";
        }
        waits = dut.out.valid;
        offered = (uint64_t)dut.out.flit;
    }
    return NULL;
}

/* Sources stop behind a whole packet, and go on where they were. */
static void stops(void)
{
    struct bist_source dut;
    struct bist_source_in in = {.run = 1,
                                .ready = 1,
                                .room = 255,
                                .spare = 255,
                                .last = 7,
                                .vcs = 7,
                                .route = {NO_HOPS, NO_HOPS}};
    struct packet p = {0};
    struct misses wrong = {0};
    unsigned packets = 0, at = 0, rests = 0;
    bist_source_reset(&dut);
    for (unsigned i = 0; i < 4000; i++, now++) {
        in.run = i / 100 % 2 == 0;
        bist_source(&dut, &in);
        rests += !in.run && !dut.out.valid;
        must(&wrong, in.run || !dut.out.valid || at != p.length, "a packet begins while it rests");
        must(&wrong, dut.out.valid || at == p.length, "a gap behind flit %u of %u", at, p.length);
        if (!dut.out.valid)
            continue;
        if (at == p.length) {
            p = packet_of(packets % 8, packets / 8, packets % 8);
            packets++;
            at = 0;
        }
        must_equal(&wrong, dut.out.flit, p.flit[at], "flit %u of packet %u", at, packets - 1);
        at++;
    }
    tap_ok(misses_why(&wrong) && rests > 20 * 100 - 20 * (FLITS_MOST + 2),
           "a source that is stopped ends its packet, begins none, and goes on with the next one");
}

static void source(uint64_t seed)
{
    unsigned flits = 0;
    const char *why = source_wrong(seed, 7, 7, 1, 1, &flits);
    tap_why("%s, %u flits", why ? why : "", flits);
    tap_ok(!why && flits > 19990, "eight streams, always ready: a flit a clock");
    flits = 0;
    why = source_wrong(seed + 1, 7, 7, 0.7, 0.5, &flits);
    tap_why("%s, %u flits", why ? why : "", flits);
    tap_ok(!why && flits > 5000, "ready and room now and then");
    flits = 0;
    why = source_wrong(seed + 2, 3, 1, 0.9, 0.8, &flits);
    tap_why("%s, %u flits", why ? why : "", flits);
    tap_ok(!why && flits > 5000, "four streams of two VCs over two routes");
}

/* ---- the checker ---------------------------------------------------------------------------------------------- */

static struct bist_check checker;

static void give(bool valid, uint64_t flit, bool head, bool tail, bool bad)
{
    const struct bist_check_in in = {
        .valid = valid, .head = head, .tail = tail, .bad = bad, .flit = (u48)flit, .vcs = 7};
    bist_check(&checker, &in);
    now++;
}

/* A packet with what is xored into one flit, some flits left out at its end, a mark on its tail. */
static void send(unsigned stream, unsigned number, unsigned at, uint64_t flip, unsigned without,
                 bool bad)
{
    const struct packet p = packet_of(stream, number, stream);
    for (unsigned i = 0; i < p.length - without; i++) {
        const bool tail = i == p.length - without - 1;
        give(true, p.flit[i] ^ (i == at ? flip : 0), i == 0, tail, bad && tail);
    }
}

/* Two clocks behind a flit the counters show it. */
static void must_count(struct misses *m, unsigned lost, unsigned cut, unsigned wrong)
{
    give(false, 0, false, false, false);
    give(false, 0, false, false, false);
    must_be(m, checker.out.lost, lost);
    must_be(m, checker.out.cut, cut);
    must_be(m, checker.out.wrong, wrong);
}

static void begin(void)
{
    bist_check_reset(&checker);
    for (unsigned number = 0; number < 4; number++)
        for (unsigned stream = 0; stream < STREAMS; stream++)
            send(stream, number, 0, 0, 0, false);
}

/* The first packet of stream 0 from number on that has at least three flits. */
static unsigned longer(unsigned number)
{
    while (packet_of(0, number, 0).length < 3)
        number++;
    return number;
}

static void check(uint64_t seed)
{
    struct rng rng;
    struct misses wrong = {0};
    rng_seed(&rng, seed);
    begin();
    must_count(&wrong, 0, 0, 0);
    tap_taken(&wrong, "32 right packets are right");
    send(0, 9, 0, 0, 0, false);
    send(0, 10, 0, 0, 0, false);
    must_count(&wrong, 5, 0, 0);
    tap_taken(&wrong, "five that are passed over are lost");
    send(0, 9, 0, 0, 0, false);
    must_count(&wrong, 5, 0, 1);
    tap_taken(&wrong, "one that comes twice is wrong");
    for (unsigned bit = 0; bit < 48; bit++)
        for (unsigned at = 0; at < 3; at++) {
            begin();
            const unsigned number = longer(4);
            send(0, number, at, UINT64_C(1) << bit, 0, false);
            must_count(&wrong, 0, 0, 1);
            send(0, number + 1, 0, 0, 0, false);
            must_count(&wrong, number - 3, 0, 1);
        }
    tap_taken(&wrong, "one wrong bit in head or body makes a packet wrong, and it is among the "
                      "lost when the next one comes");
    begin();
    const unsigned number = longer(4);
    send(0, number, 0, 0, 1, false);
    must_count(&wrong, 0, 0, 1);
    tap_taken(&wrong, "one that is too short is wrong");
    begin();
    send(0, number, 1, 0xffff, 1, true);
    must_count(&wrong, number - 4, 1, 0);
    tap_taken(&wrong, "one that is marked is cut, whatever is in it");
    send(0, number + 1, 0, 0, 0, false);
    must_count(&wrong, number - 4, 1, 0);
    tap_taken(&wrong, "and not among the lost, too, if its head was right");
    begin();
    send(0, number, 0, 1, 1, true);
    send(0, number + 1, 0, 0, 0, false);
    must_count(&wrong, number - 3, 1, 0);
    tap_taken(&wrong, "one that is cut, with a wrong head: what it says of numbers does not count");
    const struct bist_check_in clear = {.clear = 1, .vcs = 7};
    bist_check(&checker, &clear);
    must_count(&wrong, 0, 0, 0);
    tap_taken(&wrong, "clear");
}

/* Whether a counter shows what the flit before has come to: two clocks after it came, and not before. */
static void latency(void)
{
    const struct bist_check_out *o = &checker.out;
    begin();
    give(false, 0, false, false, false);
    give(false, 0, false, false, false);
    const struct packet p = packet_of(0, longer(4) + 1, 0);
    for (unsigned i = 0; i < p.length; i++)
        give(true, p.flit[i], i == 0, i + 1 == p.length, i + 1 == p.length);
    const unsigned at_once = (unsigned)(o->cut + o->lost);
    give(false, 0, false, false, false);
    struct misses wrong = {0};
    must_be(&wrong, at_once, 0);
    must_be(&wrong, o->cut, 1);
    must_be(&wrong, o->lost, longer(4) + 1 - 4);
    tap_misses(&wrong, "counters show a flit two clocks later");
}

/* What comes between two ticks. */
static void rate(void)
{
    struct bist_check_in in = {.vcs = 7, .tick = 1};
    begin();
    give(false, 0, false, false, false);
    bist_check(&checker, &in);
    send(0, longer(4), 0, 0, 0, false);
    give(false, 0, false, false, false);
    bist_check(&checker, &in);
    tap_equal(checker.out.rate, packet_of(0, longer(4), 0).length, "flits of a second");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    harness_clock = &now;
    source(seed);
    stops();
    check(seed);
    rate();
    latency();
    return tap_done();
}
