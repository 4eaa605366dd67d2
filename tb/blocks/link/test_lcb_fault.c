// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_fault.c - lcb_fault alone: when a missing micropacket is accepted at last, the lanes it names are those on which
 * its first bad copy differed, chunk by chunk on whatever lanes are in use; never any others, and nobody when only the
 * tail was corrupted, when a bad one did not say that it was the missing one, or when the link was down in between.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/link/lcb_fault.h"

#include <string.h>

enum { MICROPACKETS = 30000, PAYLOAD = 9, CHUNKS = 3 * PAYLOAD, VERDICT = 2, EXPECTED = 77 };

static struct lcb_fault fault;
static struct rng r;
static uint64_t now;
static struct misses wrong;
static unsigned blamed;

struct micropacket {
    uint64_t word[PAYLOAD + 1];
};

static unsigned map;
static struct micropacket missing, bad; /* the one that is due, its first bad copy */
static bool held;

/* Lanes on which two micropackets differ: chunks go round, the highest lane first. */
static unsigned differing(const struct micropacket *a, const struct micropacket *b)
{
    unsigned lane[LANES] = {}, lanes = 0, differ = 0;
    for (unsigned l = LANES; l-- > 0;)
        if (map >> l & 1)
            lane[lanes++] = l;
    for (unsigned c = 0; c < CHUNKS && lanes > 0; c++) {
        const uint64_t diff = a->word[c / 3] ^ b->word[c / 3];
        if (diff >> (32 - 16 * (c % 3)) & 0xffff)
            differ |= 1u << lane[c % lanes];
    }
    return differ;
}

/* One clock; what it must name. */
static void step(struct lcb_fault_in in, unsigned due)
{
    in.lane_map = (u3)map;
    in.expected = EXPECTED;
    lcb_fault(&fault, &in);
    now++;
    must_be(&wrong, fault.out.lanes, due);
    blamed += due != 0;
}

enum kind { ACCEPTED, BAD, BAD_ELSEWHERE, OTHER, KINDS };

/* Words come with gaps, the verdict of a micropacket in the second clock behind its tail. */
static void receive(const struct micropacket *m, enum kind kind, bool down)
{
    const unsigned sequence = kind == BAD_ELSEWHERE ? EXPECTED + 1 + rng_below(&r, 127) : EXPECTED;
    const unsigned count = kind == BAD_ELSEWHERE && rng_below(&r, 2) ? 0 : 1 + rng_below(&r, 9);
    struct lcb_fault_in in = {.run = 1, .word = (u48)rng_next(&r)};
    for (unsigned slot = 0; slot <= PAYLOAD; slot++) {
        for (unsigned gap = rng_below(&r, 3); gap > 1; gap--)
            step(in, 0);
        in.valid = 1;
        in.word = (u48)m->word[slot];
        step(in, 0);
        in.valid = 0;
    }
    for (unsigned i = 1; i < VERDICT; i++)
        step(in, 0);
    in.run = !down;
    in.crc_error = kind == BAD || kind == BAD_ELSEWHERE;
    in.accepted = kind == ACCEPTED;
    in.side = side_pack((lcb_seq)(count ? sequence : EXPECTED), (lcb_type)rng_next(&r),
                        (lcb_count)count, (lcb_high)rng_next(&r), (lcb_body)rng_next(&r));
    step(in, kind == ACCEPTED && held ? differing(m, &bad) : 0);
}

static void corrupt(struct micropacket *m)
{
    const unsigned lane = rng_below(&r, 3), errors = 1 + rng_below(&r, 3);
    for (unsigned i = 0; i < errors; i++) {
        const unsigned at = rng_below(&r, 3) ? lane : rng_below(&r, 3), bit = rng_below(&r, 16);
        m->word[rng_below(&r, PAYLOAD + 1)] ^= UINT64_C(1) << (16 * at + bit);
    }
}

static void make(struct micropacket *m)
{
    for (unsigned i = 0; i <= PAYLOAD; i++)
        m->word[i] = rng_next(&r) >> 16;
}

/* The link is down, perhaps in the middle of a micropacket, and may come back on other lanes. */
static void stop(void)
{
    for (unsigned words = rng_below(&r, 10); words > 0; words--)
        step((struct lcb_fault_in){.valid = 1, .run = 1, .word = (u48)rng_next(&r)}, 0);
    step((struct lcb_fault_in){.valid = 1, .word = (u48)rng_next(&r)}, 0);
    map = 1 + rng_below(&r, 7);
    held = false;
}

static void one(void)
{
    struct micropacket m = missing;
    const enum kind kind = (enum kind)rng_below(&r, KINDS);
    const bool down = rng_below(&r, 40) == 0;
    if (kind == BAD || kind == BAD_ELSEWHERE)
        corrupt(&m);
    else if (kind == OTHER)
        make(&m);
    receive(&m, kind, down);
    if (kind == BAD && !held)
        bad = m;
    held = !down && kind != ACCEPTED && (held || kind == BAD);
    if (kind == ACCEPTED)
        make(&missing);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    lcb_fault_reset(&fault);
    map = 7;
    make(&missing);
    for (unsigned i = 0; i < MICROPACKETS; i++) {
        one();
        if (rng_below(&r, 30) == 0)
            stop();
        if (rng_below(&r, 1000) == 0) {
            lcb_fault_reset(&fault);
            held = false;
        }
    }
    must_at_least(&wrong, blamed, MICROPACKETS / 20 + 1, "times that lanes are named");
    tap_misses(&wrong, "the lanes at fault, %u times", blamed);
    return tap_done();
}
