// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_bits.c - wrong bits in the memories of a router of SeaStar, one or two of a word.
 *
 * Built for seastar2: fast.
 */
#include "tb/blocks/seastar/router/ss_router_bench.h"

enum { FROM = 1, TO = 0, STORED = 13 /* packets, so that the last ones are in the memories */ };

static struct ss_bench b;
static unsigned marked; /* flits that came out marked, of the last release */

/* Packets of one VC that wait, as there is no room. */
static void fill(uint64_t seed)
{
    ss_bench_start(&b, seed);
    for (unsigned o = 0; o < SS_PORTS; o++) {
        b.receiver[o] = (struct bench_receiver){.ready = 1, .drains = 1};
    }
    b.closed = true;
    ss_bench_step(&b);
    ss_bench_step(&b);
    ss_bench_stream(&b, FROM, TO, GOLDEN_SS_LONGEST);
    b.sender[FROM].vcs = 1;
    for (unsigned i = 0; i < STORED * (GOLDEN_SS_LONGEST + 4); i++) {
        ss_bench_step(&b);
    }
    b.sender[FROM].begins = 0;
}

/* What the router counts until all is through; tails that come out. */
static unsigned release(unsigned *corrected, unsigned *fatal)
{
    unsigned tails = 0;

    marked = 0;
    b.closed = false;
    for (unsigned i = 0; i < 400; i++) {
        ss_bench_step(&b);
        *corrected += b.router.out.events[FROM].corrected;
        *fatal += b.router.out.events[FROM].fatal;
        tails += b.router.out.to[TO].valid && b.router.out.to[TO].tail;
        marked += b.router.out.to[TO].valid && b.router.out.to[TO].bad;
    }
    return tails;
}

static uint64_t flips(unsigned bits, unsigned width)
{
    uint64_t set = 0;

    while ((unsigned)__builtin_popcountll(set) < bits) {
        set |= (uint64_t)1 << rng_below(&b.rng, width);
    }
    return set;
}

/* Whether a flit of the stream is no head: those in front of the memory are the first four. */
static bool is_body(unsigned place)
{
    return (place + 4) % GOLDEN_SS_LONGEST != 0;
}

/* A word of the store, of any flit, in its upper or lower code. */
static void store(uint64_t seed, unsigned bits, unsigned rounds)
{
    struct misses counts = {0}, data = {0}, whole = {0};

    for (unsigned round = 0; round < rounds; round++) {
        unsigned corrected = 0, fatal = 0;

        fill(seed + round);
        const unsigned place = 8 + rng_below(&b.rng, 100); /* of VC 0, in the memory */
        const bool upper = rng_below(&b.rng, 2) != 0;
        const ss_word set = upper ? (ss_word)flips(bits, 40) << 41 : (ss_word)flips(bits, 41);

        b.router.in_port[FROM].store.memory[place] ^= set;
        const unsigned tails = release(&corrected, &fatal);

        must_equal(&counts, corrected, bits == 1, "round %u, place %u: corrected", round, place);
        must_equal(&counts, fatal, bits == 2, "round %u, place %u: uncorrectable", round, place);
        must_equal(&whole, tails, b.sent, "round %u, place %u: packets", round, place);
        must_equal(&data, marked, bits == 2, "round %u, place %u: marked flits", round, place);
        if (bits == 1) {
            must_equal(&data, b.missed[0].count, 0, "round %u: flits that differ", round);
        } else if (is_body(place)) {
            must_at_most(&data, b.missed[0].count, 2, "round %u: flits and marks that differ",
                         round);
        }
    }
    tap_misses(&counts, "flits with %u wrong: counted", bits);
    tap_misses(&whole, "flits with %u wrong: every packet comes, and ends", bits);
    tap_misses(&data, bits == 1 ? "and each flit as it was sent"
                                : "and the flit alone differs, and is marked");
}

/* A word of the list of packets. */
static void list(uint64_t seed, unsigned bits)
{
    unsigned corrected = 0, fatal = 0;
    const unsigned place = 5;

    fill(seed);
    b.router.in_port[FROM].packets.list[place] ^= (ss_packet_ecc_word)flips(bits, 26);
    const unsigned tails = release(&corrected, &fatal);
    tap_equal(corrected, bits == 1, "list of packets, %u wrong: corrected", bits);
    tap_equal(fatal, bits == 2, "list of packets, %u wrong: uncorrectable", bits);
    tap_equal(tails, b.sent - (bits == 2), "that packet alone is dropped");
    for (unsigned v = 0; v < GOLDEN_SS_VCS; v++) {
        tap_equal(b.from[FROM].used[v], 0, "all credits of VC %u are back", v);
    }
}

/* An entry of a table. */
static void table(uint64_t seed, unsigned bits)
{
    unsigned corrected = 0, fatal = 0;

    fill(seed);
    release(&corrected, &fatal);
    const uint64_t before = b.delivered;

    corrected = fatal = 0;
    b.router.route[FROM].near[TO] ^= (ss_entry)flips(bits, 8);
    b.sender[FROM].begins = 1;
    ss_bench_step(&b);
    b.sender[FROM].begins = 0;
    release(&corrected, &fatal);
    tap_equal(corrected, bits == 1, "entry of a table, %u wrong: corrected", bits);
    tap_equal(fatal, bits == 2, "entry of a table, %u wrong: uncorrectable", bits);
    tap_equal(b.delivered - before, bits == 1, "with one the packet comes, with two it is dropped");
}

/* holds ss_router.bits */
int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    for (unsigned bits = 1; bits <= 2; bits++) {
        store(seed, bits, 60);
        list(seed, bits);
        table(seed, bits);
    }
    return tap_done();
}
