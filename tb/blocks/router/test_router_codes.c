// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_codes.c - wrong bits in the memories of a tile's input side: one is corrected and reported, two are reported.
 *
 * Built for routers: san.
 */
#include "tb/blocks/router/input/input_bench.h"

#include <stdlib.h>
#include <string.h>

enum { ALL = (1 << VCS) - 1 };

static unsigned code_bit(struct input_bench *b)
{
    return rng_below(&b->rng, RTR_CODE_BITS);
}

/* The word that the last clock wrote into the buffer: the one that has changed or, if the same stood there before, that at `place`; or -1. */
static int written(const struct input_bench *b, const inq_word *before, int place)
{
    for (int i = 0; i < 1 << RTR_INQ_LOG2; i++)
        if (b->dut.store.buffer[i] != before[i])
            return i;
#if RTR_LENGTH_BITS == 0
    return b->dut.store.packet.refused ? -1 : place;
#else
    return b->dut.store.refused ? -1 : place;
#endif
}

/* Where the next flit of this VC will stand. */
static int place_of(const struct inq_store *s, unsigned vc)
{
    const unsigned count = (unsigned)s->wr[vc % RTR_VCS];
#if RTR_INQ_SHARED
    const unsigned block = (unsigned)s->wr_block[vc % RTR_VCS << 1 | (count >> INQ_BLOCK_LOG2 & 1)];
    const unsigned from = s->moved_wr >> vc % RTR_VCS & 1 ? block : vc % RTR_VCS;
    return (int)(from << INQ_BLOCK_LOG2 | count % (1 << INQ_BLOCK_LOG2));
#else
    return (int)(vc % RTR_VCS << INQ_COUNT_BITS | count);
#endif
}

enum memory { MINIMAL, NONMINIMAL, VC_MAP };

/* Wrong bits in every word of a table or of the VC map: there two of the copies of one bit. */
static void corrupt(struct input_bench *b, enum memory which, unsigned wrong)
{
    const unsigned bits = which == VC_MAP ? ROUTE_MAP_BITS : ROUTE_ENTRY_BITS + ROUTE_ECC_BITS;
    const unsigned words = 1u << (which == VC_MAP ? ROUTE_MAP_LOG2 : ROUTE_TABLE_LOG2);

    for (unsigned i = 0; i < words; i++) {
        const unsigned first = rng_below(&b->rng, which == VC_MAP ? bits : bits - 1);
        const unsigned copy = rng_below(&b->rng, 4); /* of the four in the VC map */
        uint64_t flip = UINT64_C(1) << first;

        if (which == VC_MAP)
            flip <<= bits * copy;
        if (wrong == 2 && which == VC_MAP)
            flip |= UINT64_C(1) << (first + bits * ((copy + 1 + rng_below(&b->rng, 3)) % 4));
        else if (wrong == 2)
            flip |= flip << (1 + rng_below(&b->rng, bits - 1 - first));
        if (which == VC_MAP)
            b->dut.route.vc_map[i] ^= (route_map_word)flip;
        else if (which == MINIMAL)
            b->dut.route.minimal_table[i] ^= (route_ecc_word)flip;
        else
            b->dut.route.nonminimal_table[i] ^= (route_ecc_word)flip;
    }
}

static void test_table_bits(struct input_bench *b, uint64_t seed, enum memory which)
{
    static const char *names[] = {"minimal tables", "non-minimal tables", "VC map"};

    input_bench_start(b, seed);
    input_bench_fill(b, true);
    corrupt(b, which, 1);
    b->gap = 50; /* no two in one clock */
    input_bench_run(b, 20000, &(struct input_traffic){.vcs = ALL});
    input_bench_drain(b);
    /* holds route.copies */
    must_equal(&b->wrong, b->flits_out, b->flits_in, "b->flits_out");
    must_equal(&b->wrong, b->fatal, 0, "b->fatal");
    must_equal(&b->wrong, b->corrected, b->packets, "b->corrected");
    tap_misses(&b->wrong, "%s: a single-bit error is corrected, counted", names[which]);

    input_bench_start(b, seed);
    input_bench_fill(b, true);
    corrupt(b, which, 2);
    for (unsigned i = 0; i < 2 * WAYS * 8; i++) { /* the bench forgets what can no longer be read */
        struct candidate *w =
            &b->t.candidate[which == NONMINIMAL][i / 8 / WAYS][i / 8 % WAYS][i >> 1 & 3][i & 1];
        w->valid &= which == VC_MAP;
    }
    for (unsigned i = 0; i < 500; i++) {
        struct head h =
            input_bench_head(b, rng_below(&b->rng, VCS), &(struct input_traffic){.length = 2});

        b->spoils_head = which == VC_MAP;
        input_bench_send(b, &h, false);
        input_bench_clock(b);
        input_bench_send(b, NULL, false);
        input_bench_idle(b, 15);
    }
    input_bench_drain(b);
    const bool some = which == NONMINIMAL ? b->nonminimal == 0 : b->dropped != 0;
    /* holds route.entry */
    must(&b->wrong, some, "expected some");
    must_equal(&b->wrong, b->fatal, 500, "b->fatal");
    must_equal(&b->wrong, b->flits_out, (500 - b->dropped) * 2, "b->flits_out");
    tap_misses(&b->wrong, "%s: two are reported, the packet goes without them or is dropped",
               names[which]);
}

/* Errors in every third word of the buffer, the links and free blocks, and what staging knows of a flit. */
static void test_buffer_corrected(struct input_bench *b, uint64_t seed)
{
    static inq_word before[1 << RTR_INQ_LOG2];
    static struct stage_queue stage;
    uint64_t hits = 0;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    for (unsigned i = 0; i < 20000 || b->left != 0; i++) {
        memcpy(before, b->dut.store.buffer, sizeof before);
        stage = b->dut.stage;
        b->drain = i / 2048 % 2 ? 100 : 5; /* empty and full */
        input_bench_offer(b, &(struct input_traffic){.vcs = ALL});
        const int place = b->in.valid ? place_of(&b->dut.store, b->sending.vc) : -1;
        input_bench_clock(b);
        const int at = written(b, before, place);
        if (at >= 0 && i % 3 == 0) {
            /* holds store.copies */
            b->dut.store.buffer[at] ^= (inq_word)1 << rng_below(&b->rng, INQ_WORD_BITS);
            hits++;
        }
        for (unsigned j = 0; j < sizeof stage.controls / sizeof *stage.controls; j++)
            if (stage.controls[j] != b->dut.stage.controls[j] && i % 5 == 0)
                b->dut.stage.controls[j] ^= 1;
#if RTR_INQ_SHARED
        if (i % 50 == 0)
            for (unsigned j = b->dut.store.list_rd; j != b->dut.store.list_wr;
                 j = (j + 1) % (1 << INQ_BLOCK_BITS))
                b->dut.store.list[j] =
                    (inq_block_ecc_word)(inq_block_ecc_encode(
                                             inq_block_ecc_decode(b->dut.store.list[j]).data) ^
                                         ((inq_block_ecc_word)1
                                          << rng_below(&b->rng, INQ_NEXT_BITS)));
#endif
    }
    input_bench_drain(b);
    tap_note("%llu words of the buffer hit, %llu errors corrected", (unsigned long long)hits,
             (unsigned long long)b->corrected);
    must_equal(&b->wrong, b->flits_out, b->flits_in, "b->flits_out");
    must_equal(&b->wrong, b->fatal, 0, "b->fatal");
    must_at_least(&b->wrong, b->corrected, hits / 2 + 1, "b->corrected");
    tap_misses(
        &b->wrong,
        "a single-bit error in the buffer, in block numbers and in staging is corrected, counted");
}

/* Two wrong bits of a flit: a body flit comes out marked, a head takes its packet with it. */
static void test_buffer_fatal(struct input_bench *b, uint64_t seed)
{
    static inq_word before[1 << RTR_INQ_LOG2];
    uint64_t heads = 0, bodies = 0;

    input_bench_start(b, seed);
    input_bench_fill(b, false);
    for (unsigned i = 0; i < 20000 || b->left != 0; i++) {
        const bool begins = b->left == 0, hit = i % 7 == 0;
        const unsigned first = code_bit(b), second = code_bit(b);

        memcpy(before, b->dut.store.buffer, sizeof before);
        b->spoils_head = begins && hit && first != second;
        input_bench_offer(b, &(struct input_traffic){.vcs = ALL});
        const bool sent = b->in.valid;
        const int place = b->in.valid ? place_of(&b->dut.store, b->sending.vc) : -1;
        input_bench_clock(b);
        const int at = written(b, before, place);
        if (!hit || first == second || !sent || at < 0)
            continue;
        b->dut.store.buffer[at] ^= (inq_word)1 << first | (inq_word)1 << second;
        if (begins) {
            heads++;
        } else if (!b->lost) {
            struct input_vc *vc = &b->vc[b->sending.vc];

            vc->flit[(vc->in - 1) % WAITING].bad = true;
            vc->flit[(vc->in - 1) % WAITING].any = true;
            bodies++;
        } else {
            bodies++;
        }
    }
    input_bench_drain(b);
    tap_note("%llu heads, %llu other flits hit, %llu reported", (unsigned long long)heads,
             (unsigned long long)bodies, (unsigned long long)b->fatal);
    /* holds store.head_alone */
    must_equal(&b->wrong, b->unmarked, 0, "b->unmarked");
    must_at_least(&b->wrong, bodies, 100 + 1, "bodies");
    tap_misses(&b->wrong, "a double-bit error: the flit comes out marked, and only that one");
    /* holds store.head */
    tap_ok(b->dropped == heads && heads > 100, "in a head: the packet is dropped");
    tap_ok(b->fatal == heads + bodies, "each is reported");
}

/*
 * Wrong bits in the control word of a flit that waits in staging: looked at when it becomes the front, in one clock; one is corrected, two are
 * reported, and what its packet does then is not to be trusted.
 */
static void test_staging(struct input_bench *b, uint64_t seed, unsigned wrong)
{
    const unsigned bits = STAGE_CONTROL + (STAGE_CONTROL <= 11 ? 5 : 6);
    unsigned rounds = 0, right = 0;

    for (unsigned v = 0; v < VCS; v++) {
        const struct stage_queue *stage = &b->dut.stage;

        input_bench_start(b, seed + v);
        input_bench_fill(b, false);
        b->drain = 0;
        input_bench_run(b, 2000, &(struct input_traffic){.vcs = 1u << v, .length = RTR_PACKET});
        if (!(stage->out.valid >> v & 1) || stage->wr[v] == stage->rd[v])
            continue;
        const unsigned last = (stage->wr[v] - 1u) % (1 << RTR_STAGE_LOG2);
        const unsigned first = rng_below(&b->rng, bits - 1);
        const unsigned second = first + 1 + rng_below(&b->rng, bits - 1 - first);
        const uint64_t flips = UINT64_C(1) << first | (wrong == 2 ? UINT64_C(1) << second : 0);

        b->dut.stage.controls[v << RTR_STAGE_LOG2 | last] ^= flips;
        const uint64_t before = b->corrected + b->fatal;
        b->drain = 100;
        input_bench_idle(b, 200);
        rounds++;
        right += before == 0 && b->corrected == (wrong == 1) && b->fatal == (wrong == 2);
    }
    /* holds vc_queue.fatal */
    tap_ok(rounds >= VCS / 2 && right == rounds,
           "control words of staging, %u wrong: %s, in one clock, %u of %u", wrong,
           wrong == 1 ? "corrected" : "reported", right, rounds);
}

/* Two of the four copies of the mark of the last flit that came, while it waits in the store: what its packet does then is not to be trusted. */
static void test_tail_copies(struct input_bench *b, uint64_t seed)
{
    static const unsigned pairs[] = {3, 5, 6, 9, 10, 12};
    static inq_word before[1 << RTR_INQ_LOG2];
    struct misses wrong = {0};

    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct input_traffic t = {.vcs = 1u << i % VCS, .length = RTR_PACKET};
        int last = -1;

        input_bench_start(b, seed + i);
        input_bench_fill(b, false);
        b->drain = 0;
        for (unsigned clock = 0; clock < 2000; clock++) {
            memcpy(before, b->dut.store.buffer, sizeof before);
            input_bench_offer(b, &t);
            const int place = b->in.valid ? place_of(&b->dut.store, b->sending.vc) : -1;
            input_bench_clock(b);
            const int at = written(b, before, place);
            last = at >= 0 ? at : last;
        }
        must(&wrong, last >= 0 && b->fatal == 0, "copies %x: word %d, %llu reported before",
             pairs[i], last, (unsigned long long)b->fatal);
        b->dut.store.buffer[last < 0 ? 0 : last] ^= (inq_word)pairs[i] << RTR_CODE_BITS;
        b->drain = 100;
        input_bench_idle(b, 2 << RTR_INQ_LOG2);
        must(&wrong, b->fatal == 1, "copies %x: %llu reported, expected 1", pairs[i],
             (unsigned long long)b->fatal);
    }
    /* holds router.tail_copies */
    tap_misses(&wrong, "two wrong copies of a tail mark in the store are reported, once");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    struct input_bench *b = malloc(sizeof *b);

    if (b == NULL)
        return EXIT_FAILURE;
    for (int i = MINIMAL; i <= VC_MAP; i++)
        test_table_bits(b, seed, (enum memory)i);
    test_buffer_corrected(b, seed);
    test_staging(b, seed, 1);
    test_staging(b, seed, 2);
    test_buffer_fatal(b, seed);
    test_tail_copies(b, seed);
    free(b);
    return tap_done();
}
