// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_ecc.c - bit errors in the replay buffer and in the receive buffer, under traffic.
 *
 * The test writes the memory of the native model. One wrong bit per word, data or check bit, is
 * corrected on the way out and counted. Two are found: the micropacket is never delivered wrong,
 * the link re-initialises, and as its memory stays as it is, dies and reports the flit as uncorrectable.
 * What the receive buffer holds is acknowledged: a flit with a double-bit error comes out marked, and it alone; with a head
 * the packets behind it are not framed any more, so the link begins a new epoch by itself.
 *
 * Built for aries: san.
 */
#include <inttypes.h>

#include "tb/system/link/link_bench.h"

enum { UP_LIMIT = 30000, DEATH_LIMIT = 150000, DRAIN_LIMIT = 400000, PAYLOAD_SLOTS = 9 };

static struct bench b;

static bool up(uint64_t seed)
{
    struct bench_config config = bench_defaults();
    config.cable[0].delay = config.cable[1].delay = 60;
    bench_start(&b, &config, seed);
    const bool runs = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, 1000);
    return runs;
}

static lcb_stored *stored(unsigned seq, unsigned slot)
{
    return &b.end[0].lcb->tx.buffer[seq % (1 << LCB_WINDOW_LOG2) << LCB_SLOT_LOG2 | slot];
}

static void flip(unsigned seq, unsigned slot, unsigned bit)
{
    *stored(seq, slot) ^= (lcb_stored)((lcb_stored)1 << bit);
}

/*
 * Everything from end 0 is noise for some clocks. Returns the first micropacket that was lost; it
 * and the four behind it are in the replay buffer and will be sent again.
 */
static lcb_seq lose_some(void)
{
    const lcb_seq first = b.end[0].lcb->tx.next;
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        channel_lane(&b.cable[0], l, LANE_NOISE);
    bench_run(&b, 30);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        channel_lane(&b.cable[0], l, LANE_GOOD);
    bench_run(&b, 25);
    return first;
}

/* A random bit in every word of the first micropackets of a replay. */
static void single_errors(uint64_t seed)
{
    enum { TRIALS = 200, MICROPACKETS = 4 };
    struct rng r;
    rng_seed(&r, seed);
    bool pass = up(seed);
    unsigned flipped[LCB_STORED_BITS] = {0};
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const lcb_seq lost = lose_some();
        for (unsigned m = 0; m < MICROPACKETS; m++) {
            for (unsigned slot = 0; slot <= PAYLOAD_SLOTS; slot++) {
                const unsigned bit = rng_below(&r, LCB_STORED_BITS);
                flip((lcb_seq)(lost + m), slot, bit);
                flipped[bit]++;
            }
        }
        bench_run(&b, 900);
    }
    unsigned untouched = 0;
    for (unsigned bit = 0; bit < LCB_STORED_BITS; bit++)
        untouched += flipped[bit] == 0;
    const uint64_t corrected = bench_count(&b, 0, COUNT_CORRECTED);
    pass = bench_drain(&b, DRAIN_LIMIT) && pass;
    const bool clean = bench_clean(&b);
    if (clean)
        tap_why("%" PRIu64 " corrected, %" PRIu64 " fatal, %u bits untouched", corrected,
                bench_count(&b, 0, COUNT_FATAL), untouched);
    tap_ok(pass && clean && corrected > TRIALS * MICROPACKETS * 5 && untouched == 0 &&
               bench_count(&b, 0, COUNT_FATAL) == 0 && bench_escapes(&b) == 0,
           "single errors in every place are corrected: %" PRIu64 " of them", corrected);
    bench_free(&b);
}

/* Two bits of one word; the micropacket is in the middle of what has to be sent again. */
static void double_error(unsigned slot, unsigned first, unsigned second, uint64_t seed)
{
    bool pass = up(seed);
    const lcb_seq seq = (lcb_seq)(lose_some() + 2);
    flip(seq, slot, first);
    flip(seq, slot, second);
    pass = bench_await(&b, LINK_DEAD, DEATH_LIMIT) && pass;
    const uint64_t fatal = bench_count(&b, 0, COUNT_FATAL),
                   again = bench_count(&b, 0, COUNT_REINITS);
    bench_run(&b, 3000);
    const uint64_t uncorrectable = b.end[0].flow.uncorrectable;
    bench_restart(&b, 0);
    bench_restart(&b, 1);
    pass = bench_await(&b, LINK_RUN, UP_LIMIT) && pass;
    bench_run(&b, 3000);
    pass = bench_drain(&b, DRAIN_LIMIT) && pass;
    const bool clean = bench_clean(&b);
    if (clean)
        tap_why("%" PRIu64 " fatal, %" PRIu64 " re-initialisations, %" PRIu64
                " flits reported uncorrectable",
                fatal, again, uncorrectable);
    tap_ok(pass && clean && fatal > 0 && again > 0 && uncorrectable > 0 &&
               uncorrectable <= PAYLOAD_SLOTS,
           "bits %u and %u of slot %u: found, nothing wrong delivered, %" PRIu64
           " reported uncorrectable",
           first, second, slot, uncorrectable);
    bench_free(&b);
}

/* ---- receive buffer of end 1 ------------------------------------------------------------------------ */

/* Whether the word in payload slot `slot` of the micropacket that comes in is a head. */
static bool is_head(const struct lcb_rx *rx, unsigned slot)
{
    const unsigned mask = (1 << LCB_RX_LOG2) - 1;
    const unsigned until = (rx->commit + slot) & mask;
    unsigned left = (unsigned)rx->left;
    if (rx->fetched)
        left = (left ? left : golden_length((uint64_t)rx->raw)) - 1;
    for (unsigned i = rx->read; i != until; i = (i + 1) & mask)
        left = (left ? left : golden_length((uint64_t)(lcb_flit)rx->buffer[i])) - 1;
    return left == 0;
}

/* Payload flits of the micropacket whose tail has come and which is judged next, 0 if there is none: all of it is in the buffer. */
static unsigned nearly_accepted(void)
{
    const struct lcb_rx *rx = &b.end[1].lcb->rx;
    const uint64_t tail = (uint64_t)rx->side << LCB_CRC_BITS;
    return rx->complete ? (unsigned)golden_get(tail, FIELD_COUNT) : 0;
}

/* So many wrong bits in a flit that is about to be accepted; of two, in a head or not. False if none comes. */
static bool damage(struct rng *r, unsigned bits, bool head)
{
    enum { SOON = 2000 };
    struct lcb_rx *rx = &b.end[1].lcb->rx;
    unsigned slot = 0, count = 0;
    for (unsigned clock = 0; clock < SOON && count == 0; clock++) {
        bench_step(&b);
        count = nearly_accepted();
        slot = count ? rng_below(r, count) : 0;
        count = bits == 1 || is_head(rx, slot) == head ? count : 0;
    }
    const unsigned first = rng_below(r, LCB_STORED_BITS);
    const unsigned second = (first + 1 + rng_below(r, LCB_STORED_BITS - 1)) % LCB_STORED_BITS;
    lcb_stored *word = &rx->buffer[(rx->commit + slot) % (1 << LCB_RX_LOG2)];
    *word ^= (lcb_stored)((lcb_stored)1 << first);
    if (bits == 2)
        *word ^= (lcb_stored)((lcb_stored)1 << second);
    return count != 0;
}

static void received_singles(uint64_t seed)
{
    enum { TRIALS = 2000 };
    struct rng r;
    rng_seed(&r, seed);
    bool pass = up(seed);
    for (unsigned n = 0; n < TRIALS && pass; n++)
        pass = damage(&r, 1, false) && pass;
    pass = bench_drain(&b, DRAIN_LIMIT) && pass;
    const bool clean = bench_clean(&b);
    const uint64_t corrected = bench_count(&b, 1, COUNT_CORRECTED);
    if (clean)
        tap_why("%" PRIu64 " corrected, %" PRIu64 " fatal", corrected,
                bench_count(&b, 1, COUNT_FATAL));
    tap_ok(pass && clean && corrected == TRIALS && bench_count(&b, 1, COUNT_FATAL) == 0 &&
               b.epochs == 0,
           "receive buffer: %d single errors are corrected and counted", TRIALS);
    bench_free(&b);
}

static void received_doubles(uint64_t seed)
{
    enum { TRIALS = 300 };
    struct rng r;
    rng_seed(&r, seed);
    bool pass = up(seed);
    for (unsigned n = 0; n < TRIALS && pass; n++) {
        pass = damage(&r, 2, false) && pass;
        bench_run(&b, GOLDEN_SLOTS); /* two that follow each other closely can be counted once */
    }
    pass = bench_drain(&b, DRAIN_LIMIT) && pass;
    const struct golden_flow *f = &b.end[0].flow;
    const uint64_t fatal = bench_count(&b, 1, COUNT_FATAL);
    tap_why("%" PRIu64 " fatal, %" PRIu64 " corrupt, %" PRIu64 " marked, %" PRIu64
            " duplicated, %" PRIu64 " epochs",
            fatal, f->corrupt, f->wrong, f->duplicated, b.epochs);
    /* corrupt: not what was sent, if the two bits are of the flit and not of its code; wrong: marked */
    tap_ok(pass && fatal == TRIALS && f->wrong == TRIALS && f->corrupt <= TRIALS &&
               golden_lost(f) == 0 && f->duplicated + f->reordered == 0 &&
               golden_clean(&b.end[1].flow) && b.epochs == 0,
           "receive buffer: %d double errors behind a head, as many flits are marked", TRIALS);
    bench_free(&b);
}

static void received_heads(uint64_t seed)
{
    enum { TRIALS = 40, NEAR = 40 };
    struct rng r;
    rng_seed(&r, seed);
    bool pass = up(seed);
    for (unsigned n = 0; n < TRIALS && pass; n++) {
        struct lcb_rx *rx = &b.end[1].lcb->rx;
        unsigned clocks = 0;
        bench_run(&b, rng_below(&r, 500));
        pass = damage(&r, 2, true) && pass;
        do
            bench_step(&b);
        while (!rx->out.lost && clocks++ < NEAR);
        pass = pass && rx->out.lost;
        golden_receiver_reset(&b.end[0].flow,
                              (unsigned)(u4)(rx->commit - rx->read) + rx->fetched + 1);
        bench_run(&b, 100);
        pass = bench_await(&b, LINK_RUN, UP_LIMIT) && pass;
    }
    pass = bench_drain(&b, DRAIN_LIMIT) && pass;
    const bool clean = bench_clean(&b);
    const uint64_t fatal = bench_count(&b, 1, COUNT_FATAL);
    if (clean)
        tap_why("%" PRIu64 " fatal, %" PRIu64 " epochs, deaths %" PRIu64, fatal, b.epochs,
                bench_count(&b, 2, COUNT_DEATHS));
    tap_ok(pass && clean && fatal == TRIALS && b.epochs == TRIALS &&
               bench_count(&b, 2, COUNT_DEATHS) == 0,
           "receive buffer: %d heads with a double-bit error, each a new epoch by itself", TRIALS);
    bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    single_errors(seed);
    double_error(0, 0, 47, seed);
    double_error(8, 13, 14, seed + 1);
    double_error(4, 3, 54, seed + 2);
    double_error(5, 48, 53, seed + 3);
    double_error(PAYLOAD_SLOTS, 0, 1, seed + 4);
    double_error(PAYLOAD_SLOTS, 20, 50, seed + 5);
    received_singles(seed + 6);
    received_doubles(seed + 7);
    received_heads(seed + 8);
    return tap_done();
}
