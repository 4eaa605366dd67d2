// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_rx.c - what lcb_rx alone makes of a micropacket, made with the golden format, for every distance of its sequence
 * number from the one that is due: accepted if it is that, repeated if it is up to a window behind, else a gap; an idle
 * one, by a count of 0 or of more than there can be, is neither, one with a wrong CRC is a gap. Only what is accepted is
 * handed up, head and tail of packets marked; `holds` says how long that takes.
 * When the link was down, what came of a micropacket before is forgotten, and a gap with it; a new epoch begins with
 * number 0 and a head.
 * The load is what the last tail says: all of it with an ack, else its high part and of the rest what is nearest to the load
 * before; a wrong CRC changes nothing, in a new epoch it is 0.
 * One wrong bit in the receive buffer is corrected. Two are reported and the flit is marked, no other; in a head nothing more
 * is handed up or accepted until a new epoch.
 *
 * Built for aries: san.
 */
#include "tb/golden/link/link.h"
#include "tb/base/harness.h"
#include "hls/link/micropacket/lcb_rx.h"

#include <string.h>

enum { NUMBERS = 128, WINDOW = 64, MOST = 9, COUNTS = 16, INTERRUPTIONS = 1000, PAIRS = 3000 };

static struct lcb_rx rx;
static struct rng r;
static uint64_t now;
static unsigned left; /* flits until the packet that is handed up ends */

struct seen {
    unsigned good, bad, accepted, repeated, flits, corrected, fatal, lost;
    struct misses wrong;
    bool head; /* the flit with wrong bits is one */
};

/* Wrong bits in the buffer: in which flit of the micropacket that comes. */
static struct {
    unsigned slot;
    lcb_stored bits;
    bool two;
} damage;

/* True if it is marked as a flit of its packet has to be. */
static bool in_place(bool bad)
{
    const bool head = left == 0;
    left = (head ? golden_length((uint64_t)rx.out.flit) : left) - 1;
    return rx.out.head == head && rx.out.tail == (left == 0) && rx.out.bad == bad;
}

/* Whether flit `at` of these is a head, the first of them coming behind what has been handed up. */
static bool is_head(const uint64_t *slot, unsigned at)
{
    unsigned rest = left;
    for (unsigned i = 0; i < at; i++)
        rest = (rest ? rest : golden_length(slot[i])) - 1;
    return rest == 0;
}

/* Loads by what tails carried, and those that were not as they have to be. */
static struct {
    unsigned due, rises, falls;
    struct misses wrong;
} load;

/* What is in a tail besides number and count. */
static uint64_t some_sideband(void)
{
    uint64_t tail = golden_set(0, FIELD_TYPE, rng_below(&r, 3));
    tail |= rng_next(&r) & 0x7ffULL << 20;
    return golden_set(tail, FIELD_LOAD_HIGH,
                      rng_below(&r, 2) ? load.due / 8 : rng_below(&r, 128) / 8);
}

/* The loads that a tail leaves possible are 8, or one with an ack. */
static void load_told(uint64_t tail)
{
    const bool ack = golden_has_ack(tail);
    const unsigned low = ack ? (unsigned)golden_get(tail, FIELD_LOAD_LOW) : 0;
    const unsigned least = 8 * (unsigned)golden_get(tail, FIELD_LOAD_HIGH) + low;
    const unsigned most = least + (ack ? 0 : 7);
    load.rises += !ack && load.due < least;
    load.falls += !ack && load.due > most;
    load.due = load.due < least ? least : load.due > most ? most : load.due;
}

/* Sends a micropacket, then waits until its flits are out. */
static struct seen receive(unsigned sequence, unsigned count, bool corrupted)
{
    uint64_t slot[GOLDEN_SLOTS] = {0};
    struct seen s = {0};
    for (unsigned i = 0; i < count && i < MOST; i++)
        slot[i] = rng_next(&r) >> 16;
    slot[9] = golden_set(some_sideband(), FIELD_SEQUENCE, sequence);
    slot[9] = golden_set(slot[9], FIELD_COUNT, count);
    golden_micropacket_close(slot);
    slot[9] ^= corrupted;
    s.head = is_head(slot, damage.slot);
    if (!corrupted)
        load_told(slot[9]);
    for (unsigned clock = 0; clock < GOLDEN_SLOTS + MOST + 4; clock++) {
        struct lcb_rx_in in = {.run = 1, .valid = clock < GOLDEN_SLOTS};
        in.word = in.valid ? (lcb_word)slot[clock] : 0;
        if (clock == GOLDEN_SLOTS)
            rx.buffer[(rx.commit + damage.slot) % (1 << LCB_RX_LOG2)] ^= damage.bits;
        lcb_rx(&rx, &in);
        now++;
        s.good += rx.out.good;
        s.bad += rx.out.crc_error;
        s.accepted += rx.out.accepted;
        s.repeated += rx.out.repeated;
        must(&s.wrong, !rx.out.closed, "it says closed, and nobody asked");
        if (s.lost == 0)
            must_be(&s.wrong, rx.out.holds, s.accepted && s.flits < count);
        s.corrected += rx.out.ecc_corrected;
        s.fatal += rx.out.ecc_fatal;
        s.lost += rx.out.lost;
        if (rx.out.flit_valid) {
            const bool hit = damage.two && s.flits == damage.slot;
            must(&s.wrong, s.flits < count, "more than the %u flits of the micropacket", count);
            must(&s.wrong, in_place(hit), "marks of flit %u of the micropacket", s.flits);
            if (!hit)
                must_equal(&s.wrong, (uint64_t)rx.out.flit, slot[s.flits % MOST], "flit %u",
                           s.flits);
        }
        s.flits += rx.out.flit_valid;
    }
    must_be(&load.wrong, rx.out.load, load.due);
    return s;
}

/* What is said of a micropacket so far ahead of the due one, and what comes of it. */
static void right(struct misses *m, unsigned ahead, unsigned count, bool corrupted)
{
    const unsigned due = (unsigned)rx.out.expected;
    const bool gap_before = rx.out.gap;
    const struct seen s = receive((due + ahead) % NUMBERS, count, corrupted);
    const bool numbered = !corrupted && count > 0 && count <= MOST;
    const bool accepted = numbered && ahead == 0;
    const bool repeated = numbered && ahead >= NUMBERS - WINDOW;
    const bool gap = corrupted || (repeated ? gap_before : ahead != 0);
    misses_add(m, &s.wrong);
    must_equal(m, s.good, !corrupted, "good, %u ahead with %u flits", ahead, count);
    must_equal(m, s.bad, corrupted, "CRC errors, %u ahead with %u flits", ahead, count);
    must_equal(m, s.accepted, accepted, "accepted, %u ahead with %u flits", ahead, count);
    must_equal(m, s.repeated, repeated, "repeated, %u ahead with %u flits", ahead, count);
    must_equal(m, s.flits, accepted ? count : 0, "flits, %u ahead with %u flits", ahead, count);
    must_equal(m, rx.out.gap, gap, "gap, %u ahead with %u flits", ahead, count);
    must_be(m, rx.out.expected, (due + accepted) % NUMBERS);
}

/* Some words of a micropacket, then the link is down, and perhaps a new epoch begins. */
static struct misses interrupted(void)
{
    struct misses wrong = {0};
    for (unsigned n = 0; n < INTERRUPTIONS; n++) {
        const bool clear = rng_below(&r, 2);
        const unsigned words = rng_below(&r, GOLDEN_SLOTS + 1), clocks = 1 + rng_below(&r, 6);
        right(&wrong, rng_below(&r, 3), MOST, false);
        for (unsigned clock = 0; clock < words + clocks; clock++) {
            struct lcb_rx_in in = {.run = clock < words, .word = (lcb_word)rng_next(&r)};
            in.valid = in.run || rng_below(&r, 2);
            in.clear = clear && clock == words + clocks - 1;
            lcb_rx(&rx, &in);
            now++;
            must(&wrong, in.run || !rx.out.gap, "a gap while the link is down");
        }
        left = clear ? 0 : left;
        load.due = clear ? 0 : load.due;
        must_be(&wrong, rx.out.load, load.due);
        must(&wrong, !clear || rx.out.expected == 0, "a new epoch does not begin with number 0");
        right(&wrong, 0, 1 + rng_below(&r, MOST), false);
    }
    return wrong;
}

static lcb_stored bit(unsigned n)
{
    return (lcb_stored)((lcb_stored)1 << n);
}

/* Of a double-bit error in the flit of `damage` or of a single-bit error in it. */
static void must_report(struct misses *m, const struct seen *s)
{
    misses_add(m, &s->wrong);
    must_equal(m, s->flits, damage.two && s->head ? damage.slot : MOST, "flits, flit %u wrong",
               damage.slot);
    must_equal(m, s->corrected, !damage.two, "corrected, flit %u wrong", damage.slot);
    must_equal(m, s->fatal, damage.two, "uncorrectable, flit %u wrong", damage.slot);
    must_equal(m, s->lost, damage.two && s->head, "lost, flit %u wrong", damage.slot);
}

/* Every bit of every place. */
static struct misses one_wrong_bit(void)
{
    struct misses wrong = {0};
    for (unsigned slot = 0; slot < MOST; slot++) {
        for (unsigned n = 0; n < LCB_STORED_BITS; n++) {
            damage.slot = slot;
            damage.bits = bit(n);
            const struct seen s = receive((unsigned)rx.out.expected, MOST, false);
            must_report(&wrong, &s);
        }
    }
    damage.bits = 0;
    return wrong;
}

/* Nothing of this epoch comes any more; the next one begins as always. */
static bool until_clear(void)
{
    const unsigned due = (unsigned)rx.out.expected;
    damage.bits = 0;
    damage.two = false;
    const struct seen s = receive(due, MOST, false);
    const bool silent =
        s.good == 1 && s.accepted + s.flits + s.corrected == 0 && misses_why(&s.wrong);
    const struct lcb_rx_in closes = {.close = 1}, clears = {.clear = 1};
    lcb_rx(&rx, &closes);
    const bool closed = rx.out.closed && !rx.out.flit_valid;
    lcb_rx(&rx, &clears);
    left = 0;
    load.due = 0;
    return silent && closed && rx.out.expected == 0 && rx.out.load == 0;
}

static struct misses two_wrong_bits(unsigned *heads)
{
    struct misses wrong = {0};
    for (unsigned n = 0; n < PAIRS; n++) {
        const unsigned first = rng_below(&r, LCB_STORED_BITS);
        const unsigned second = (first + 1 + rng_below(&r, LCB_STORED_BITS - 1)) % LCB_STORED_BITS;
        damage.slot = rng_below(&r, MOST);
        damage.bits = bit(first) | bit(second);
        damage.two = true;
        const struct seen s = receive((unsigned)rx.out.expected, MOST, false);
        must_report(&wrong, &s);
        *heads += s.head;
        must(&wrong, !s.head || until_clear(), "behind a lost head it is not silent until a clear");
    }
    damage.bits = 0;
    damage.two = false;
    return wrong;
}

int main(int argc, char **argv)
{
    struct misses wrong = {0};
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    memset(&rx, 0, sizeof rx);
    lcb_rx_reset(&rx);
    for (unsigned ahead = 0; ahead < NUMBERS; ahead++) {
        for (unsigned count = 0; count < COUNTS; count++) {
            /* a gap before it or none */
            right(&wrong, count % 2, MOST, false);
            right(&wrong, ahead, count, false);
            right(&wrong, 0, 1 + count % MOST, false);
            right(&wrong, ahead, count, true);
            right(&wrong, 0, MOST, false);
        }
    }
    tap_misses(&wrong, "micropackets of every number and count, good and corrupted");
    const struct misses after = interrupted();
    tap_misses(&after, "after the link was down, %d times, and in new epochs", INTERRUPTIONS);
    unsigned heads = 0;
    const struct misses one = one_wrong_bit();
    struct misses two = two_wrong_bits(&heads);
    /* holds lcb_rx.bits */
    tap_misses(&one, "a single-bit error in the receive buffer, in every place, is corrected");
    must_at_least(&two, heads, PAIRS / 20 + 1, "heads");
    tap_misses(&two, "two are reported: %d flits, %u of them heads, which only a new epoch mends",
               PAIRS, heads);
    /* holds lcb_rx.load */
    must_at_least(&load.wrong, load.rises, 501, "rises");
    must_at_least(&load.wrong, load.falls, 501, "falls");
    tap_misses(&load.wrong,
               "the load by every tail, %u times higher and %u times lower than any that it can be",
               load.rises, load.falls);
    return tap_done();
}
