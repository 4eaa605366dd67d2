// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_rx.c - what lcb_rx alone makes of a micropacket, made with the golden format, for every distance of its sequence
 * number from the one that is due: accepted if it is that, repeated if it is up to a window behind, else a gap; an empty
 * one is neither, one with a wrong CRC is a gap. Only what is accepted is handed up, head and tail of packets told apart.
 * When the link was down, what came of a micropacket before is forgotten, and a gap with it; a new epoch begins with
 * number 0 and a head.
 */
#include "golden/link.h"
#include "harness.h"
#include "hls/link/lcb_rx.h"

#include <string.h>

enum { NUMBERS = 128, WINDOW = 64, MOST = 9, INTERRUPTIONS = 1000 };

static struct lcb_rx rx;
static struct rng r;
static uint64_t now;
static unsigned left; /* flits until the packet that is handed up ends */

struct seen {
    unsigned good, bad, accepted, repeated, flits, wrong;
};

/* True if it is marked as a flit of its packet has to be. */
static bool in_place(void)
{
    const bool head = left == 0;
    left = (head ? golden_length((uint64_t)rx.out.flit) : left) - 1;
    return rx.out.head == head && rx.out.tail == (left == 0) && !rx.out.bad;
}

/* Sends a micropacket, then waits until its flits are out. */
static struct seen receive(unsigned sequence, unsigned count, bool spoilt)
{
    uint64_t slot[GOLDEN_SLOTS] = {0};
    struct seen s = {0};
    for (unsigned i = 0; i < count; i++)
        slot[i] = rng_next(&r) >> 16;
    slot[9] = golden_set(slot[9], FIELD_SEQUENCE, sequence);
    slot[9] = golden_set(slot[9], FIELD_COUNT, count);
    golden_micropacket_close(slot);
    slot[9] ^= spoilt;
    for (unsigned clock = 0; clock < GOLDEN_SLOTS + MOST + 4; clock++) {
        struct lcb_rx_in in = {.run = 1, .valid = clock < GOLDEN_SLOTS};
        in.word = in.valid ? (lcb_word)slot[clock] : 0;
        lcb_rx(&rx, &in);
        now++;
        s.good += rx.out.good;
        s.bad += rx.out.crc_error;
        s.accepted += rx.out.accepted;
        s.repeated += rx.out.repeated;
        s.wrong += rx.out.closed; /* nobody asked */
        if (rx.out.flit_valid)
            s.wrong +=
                s.flits >= count || (uint64_t)rx.out.flit != slot[s.flits % MOST] || !in_place();
        s.flits += rx.out.flit_valid;
    }
    return s;
}

static bool right(unsigned ahead, unsigned count, bool spoilt)
{
    const unsigned due = (unsigned)rx.out.expected;
    const bool gap_before = rx.out.gap;
    const struct seen s = receive((due + ahead) % NUMBERS, count, spoilt);
    const bool accepted = !spoilt && count > 0 && ahead == 0;
    const bool repeated = !spoilt && count > 0 && ahead >= NUMBERS - WINDOW;
    const bool gap = spoilt || (repeated ? gap_before : ahead != 0);
    return s.good == !spoilt && s.bad == spoilt && s.accepted == accepted &&
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
        wrong += clear && rx.out.expected != 0;
        wrong += !right(0, 1 + rng_below(&r, MOST), false);
    }
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
        for (unsigned count = 0; count <= MOST; count++) {
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
    tap_ok(wrong == 0, "micropackets of every number and count, good and spoilt");
    const unsigned after = interrupted();
    tap_why("%u wrong", after);
    tap_ok(after == 0, "after the link was down, %d times, and in new epochs", INTERRUPTIONS);
    return tap_done();
}
