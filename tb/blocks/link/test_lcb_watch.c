// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_watch.c - lcb_watch alone, against what it promises as told by dates: when the last progress was, how many good
 * micropackets came since, what the peer said last, when we last told it that we are empty.
 *
 * In each stretch of clocks some inputs rest and others come now and then, so that both limits are reached by every way that
 * leads there, and left just before by every event that may.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/link/lcb_watch.h"

enum { STRETCHES = 400, GOODS = 8192, CLOCKS = 16384, EMPTY = 15, SLOTS = 10 };

static struct lcb_watch watch;
static struct rng r;
static uint64_t now;

/* What the specification speaks of. */
static uint64_t goods;    /* good micropackets so far, */
static uint64_t progress; /* and at the last progress */
static bool waited;       /* flits without acknowledgement, a clock ago */
static bool peer_empty;   /* the last idle micropacket since then said so */
static uint64_t told;     /* clocks until the last in which the peer need not or could be told */
static unsigned wrong, stuck_waiting, stuck_short, hushes;

/* How often each input is 1 in this stretch, of 65,536. */
static unsigned often[7];
enum input { RUN, GOOD, WAITS, ACKED, IDLE, SHORT_OF, EMPTY_HERE };
static unsigned
    speaks; /* what the peer's micropackets are, of EMPTY idle ones, other idle ones, flits: one bit each */

static void begin(void)
{
    lcb_watch_reset(&watch);
    progress = goods;
    waited = peer_empty = false;
    told = now;
}

/* An input that has to stay 1, or 0, for long is now and then for that long. */
static void new_stretch(void)
{
    static const unsigned mostly[7] = {65536, 65536, 65536, 0, 0, 65536, 65536};
    for (unsigned i = 0; i < 7; i++) {
        const unsigned rare = rng_below(&r, 3) == 0 ? 1 + rng_below(&r, 8) : 0;
        const bool other = i != GOOD && i != RUN && rng_below(&r, 4) == 0;
        const unsigned base = other ? 65536 - mostly[i] : mostly[i];
        often[i] = base ? base - rare : rare;
    }
    if (rng_below(&r, 2))
        often[GOOD] = 20000;
    speaks = rng_below(&r, 2) ? 1 : 1 + rng_below(&r, 7);
}

static bool draw(enum input i)
{
    return rng_below(&r, 65536) < often[i];
}

static unsigned count_of_peer(void)
{
    const unsigned kind = rng_below(&r, 3);
    if (!(speaks >> kind & 1))
        return speaks & 1 ? EMPTY : speaks & 2 ? 0 : 3;
    return kind == 0   ? EMPTY
           : kind == 1 ? rng_below(&r, 2) * (SLOTS + rng_below(&r, EMPTY - SLOTS))
                       : 1 + rng_below(&r, SLOTS - 1);
}

/* Whether nothing moves although something should: flits unacknowledged, or credits missing of a peer that holds nothing. */
static void expect(const struct lcb_watch_in *in, bool empty_before)
{
    const bool idles = in->waits || (in->short_of && empty_before);
    goods += in->good;
    if (!in->run || in->acked || !idles || in->waits != waited)
        progress = goods;
    const bool stuck = in->good && goods != progress && (goods - progress) % GOODS == 0;
    if (!in->run || in->idle || !in->empty)
        told = now;
    const bool hush = now - told >= CLOCKS;
    wrong += watch.out.stuck != stuck || watch.out.hush != hush;
    stuck_waiting += stuck && in->waits;
    stuck_short += stuck && !in->waits;
    hushes += hush && now - told == CLOCKS;
    waited = in->waits;
}

static void step(void)
{
    const unsigned count = count_of_peer();
    const struct lcb_watch_in in = {
        .run = draw(RUN),
        .good = draw(GOOD),
        .waits = draw(WAITS),
        .acked = draw(ACKED),
        .idle = draw(IDLE),
        .short_of = draw(SHORT_OF),
        .empty = draw(EMPTY_HERE),
        .side = side_pack((lcb_seq)rng_next(&r), (lcb_type)rng_next(&r), (lcb_count)count,
                          (lcb_high)rng_next(&r), (lcb_body)rng_next(&r)),
    };
    const bool empty_before = peer_empty;
    if (!in.run || in.waits)
        peer_empty = false;
    else if (in.good && (count == 0 || count >= SLOTS))
        peer_empty = count == EMPTY;
    now++;
    lcb_watch(&watch, &in);
    expect(&in, empty_before);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    begin();
    for (unsigned i = 0; i < STRETCHES; i++) {
        new_stretch();
        for (unsigned n = rng_below(&r, 4 * CLOCKS); n > 0; n--)
            step();
        if (rng_below(&r, 10) == 0)
            begin();
    }
    tap_note(
        "%u times stuck with flits out, %u without credits, asked for idle micropackets %u times",
        stuck_waiting, stuck_short, hushes);
    /* holds lcb_watch.stuck */
    tap_ok(wrong == 0, "stuck and hush come when they should, and then only: %u clocks wrong",
           wrong);
    tap_ok(stuck_waiting > 10 && stuck_short > 10 && hushes > 10, "each has been seen");
    return tap_done();
}
