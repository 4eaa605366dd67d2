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
    unsigned good, bad, accepted, repeated, flits, wrong, corrected, fatal, lost;
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
    unsigned due, wrong, rises, falls;
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
        s.wrong += rx.out.closed; /* nobody asked */
        s.wrong += s.lost == 0 && rx.out.holds != (s.accepted && s.flits < count);
        s.corrected += rx.out.ecc_corrected;
        s.fatal += rx.out.ecc_fatal;
        s.lost += rx.out.lost;
        if (rx.out.flit_valid) {
            const bool hit = damage.two && s.flits == damage.slot;
            s.wrong += s.flits >= count || !in_place(hit) ||
                       (!hit && (uint64_t)rx.out.flit != slot[s.flits % MOST]);
        }
        s.flits += rx.out.flit_valid;
    }
    load.wrong += rx.out.load != load.due;
    return s;
}

static bool right(unsigned ahead, unsigned count, bool corrupted)
{
    const unsigned due = (unsigned)rx.out.expected;
    const bool gap_before = rx.out.gap;
    const struct seen s = receive((due + ahead) % NUMBERS, count, corrupted);
    const bool numbered = !corrupted && count > 0 && count <= MOST;
    const bool accepted = numbered && ahead == 0;
    const bool repeated = numbered && ahead >= NUMBERS - WINDOW;
    const bool gap = corrupted || (repeated ? gap_before : ahead != 0);
    return s.good == !corrupted && s.bad == corrupted && s.accepted == accepted &&
           s.repeated == repeated && s.flits == (accepted ? count : 0) && s.wrong == 0 &&
           rx.out.gap == gap && rx.out.expected == (due + accepted) % NUMBERS;
}

/* Some words of a micropacket, then the link is down, and perhaps a new epoch begins. */
static unsigned interrupted(void)
{
    unsigned wrong = 0;
    for (unsigned n = 0; n < INTERRUPTIONS; n++) {
        const bool clear = rng_below(&r, 2);
        const unsigned words = rng_below(&r, GOLDEN_SLOTS + 1), clocks = 1 + rng_below(&r, 6);
        wrong += !right(rng_below(&r, 3), MOST, false);
        for (unsigned clock = 0; clock < words + clocks; clock++) {
            struct lcb_rx_in in = {.run = clock < words, .word = (lcb_word)rng_next(&r)};
            in.valid = in.run || rng_below(&r, 2);
            in.clear = clear && clock == words + clocks - 1;
            lcb_rx(&rx, &in);
            now++;
            wrong += !in.run && rx.out.gap;
        }
        left = clear ? 0 : left;
        load.due = clear ? 0 : load.due;
        wrong += rx.out.load != load.due || (clear && rx.out.expected != 0);
        wrong += !right(0, 1 + rng_below(&r, MOST), false);
    }
    return wrong;
}

static lcb_stored bit(unsigned n)
{
    return (lcb_stored)((lcb_stored)1 << n);
}

/* Every bit of every place. */
static unsigned one_wrong_bit(void)
{
    unsigned wrong = 0;
    for (unsigned slot = 0; slot < MOST; slot++) {
        for (unsigned n = 0; n < LCB_STORED_BITS; n++) {
            damage.slot = slot;
            damage.bits = bit(n);
            const struct seen s = receive((unsigned)rx.out.expected, MOST, false);
            wrong += s.wrong != 0 || s.flits != MOST || s.corrected != 1 || s.fatal + s.lost != 0;
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
    const bool silent = s.good == 1 && s.accepted + s.flits + s.wrong + s.corrected == 0;
    const struct lcb_rx_in closes = {.close = 1}, clears = {.clear = 1};
    lcb_rx(&rx, &closes);
    const bool closed = rx.out.closed && !rx.out.flit_valid;
    lcb_rx(&rx, &clears);
    left = 0;
    load.due = 0;
    return silent && closed && rx.out.expected == 0 && rx.out.load == 0;
}

static unsigned two_wrong_bits(unsigned *heads)
{
    unsigned wrong = 0;
    for (unsigned n = 0; n < PAIRS; n++) {
        const unsigned first = rng_below(&r, LCB_STORED_BITS);
        const unsigned second = (first + 1 + rng_below(&r, LCB_STORED_BITS - 1)) % LCB_STORED_BITS;
        damage.slot = rng_below(&r, MOST);
        damage.bits = bit(first) | bit(second);
        damage.two = true;
        const struct seen s = receive((unsigned)rx.out.expected, MOST, false);
        const unsigned due = s.head ? damage.slot : MOST;
        wrong +=
            s.wrong != 0 || s.flits != due || s.fatal != 1 || s.lost != s.head || s.corrected != 0;
        *heads += s.head;
        wrong += s.head && !until_clear();
    }
    damage.bits = 0;
    damage.two = false;
    return wrong;
}

int main(int argc, char **argv)
{
    unsigned wrong = 0, first = NUMBERS;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    memset(&rx, 0, sizeof rx);
    lcb_rx_reset(&rx);
    for (unsigned ahead = 0; ahead < NUMBERS; ahead++) {
        for (unsigned count = 0; count < COUNTS; count++) {
            /* a gap before it or none */
            const bool before = right(count % 2, MOST, false);
            const bool pass = before && right(ahead, count, false) &&
                              right(0, 1 + count % MOST, false) && right(ahead, count, true) &&
                              right(0, MOST, false);
            wrong += !pass;
            first = pass || first < NUMBERS ? first : ahead;
        }
    }
    tap_why("%u wrong, first %u ahead", wrong, first);
    tap_ok(wrong == 0, "micropackets of every number and count, good and corrupted");
    const unsigned after = interrupted();
    tap_why("%u wrong", after);
    tap_ok(after == 0, "after the link was down, %d times, and in new epochs", INTERRUPTIONS);
    unsigned heads = 0;
    const unsigned one = one_wrong_bit(), two = two_wrong_bits(&heads);
    tap_why("%u wrong", one);
    /* holds lcb_rx.bits */
    tap_ok(one == 0, "a single-bit error in the receive buffer, in every place, is corrected");
    tap_why("%u wrong", two);
    tap_ok(two == 0 && heads > PAIRS / 20,
           "two are reported: %d flits, %u of them heads, which only a new epoch mends", PAIRS,
           heads);
    tap_why("%u wrong", load.wrong);
    /* holds lcb_rx.load */
    tap_ok(load.wrong == 0 && load.rises > 500 && load.falls > 500,
           "the load by every tail, %u times higher and %u times lower than any that it can be",
           load.rises, load.falls);
    return tap_done();
}
