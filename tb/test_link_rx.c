// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_rx.c - what lcb_rx alone makes of a micropacket, made with the golden format, for every distance of its sequence
 * number from the one that is due: accepted if it is that, repeated if it is up to a window behind, else a gap; an empty
 * one is neither, one with a wrong CRC is a gap. Only what is accepted is handed up.
 */
#include "golden/link.h"
#include "harness.h"
#include "hls/link/lcb_rx.h"

#include <string.h>

enum { NUMBERS = 128, WINDOW = 64, MOST = 9 };

static struct lcb_rx rx;
static struct rng r;
static uint64_t now;

struct seen {
    unsigned good, bad, accepted, repeated, flits, wrong;
};

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
            s.wrong += s.flits >= count || (uint64_t)rx.out.flit != slot[s.flits % MOST];
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
    return tap_done();
}
