// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_rings.c - what a driver may do wrong with a ring of block transfers, or in the middle of them: each bit of a descriptor, a ring that cannot
 * be read, a channel that is disabled and goes to another owner, indices that go round. Nothing but the segments is touched, and the
 * NICs are whole afterwards.
 *
 * Built for proto: fast.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/transfer/nic_transfers.h"

#include <stdlib.h>
#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    HERE = 5,
    THERE = 6,
    CHANNEL = 1,
    EVENTS_AT = 0x10000,
    EVENTS_LOG2 = 12, /* more than a test has: nobody reads them */
    RING_AT = 0x20000,
    NEXT_RING_AT = 0x40000,
    LOCAL_AT = 0x400000,
    REMOTE_AT = 0x800000,
    SEGMENT = 0x4000,
    EPOCH = 1 << 12,
    PATIENCE = 40 * EPOCH
};

static uint8_t *before[2]; /* memory of the nodes */

static uint8_t *memory(const struct nic_bench *b, unsigned node)
{
    return host_memory(b->node[node].host);
}

static struct nic_bench *start(uint64_t seed)
{
    struct gn_segment segment = {
        .valid = true, .read = true, .write = true, .length = SEGMENT, .ptag = DOMAIN};
    struct nic_bench *b = channel_bench_new(2, seed, NULL);

    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    for (unsigned node = 0; node < 2; node++) {
        nic_bench_write(b, node, NR_ORB_EPOCH, EPOCH);
        host_set(b->node[node].host, &(struct host_knobs){.latency = 20});
        segment.base = LOCAL_AT;
        nic_bench_segment(b, node, HERE, &segment);
        segment.base = REMOTE_AT;
        nic_bench_segment(b, node, THERE, &segment);
        nic_bench_queue(
            b, node, QUEUE,
            &(struct gn_ring){
                .enabled = true, .base = EVENTS_AT, .log2 = EVENTS_LOG2, .ptag = DOMAIN});
        for (uint64_t i = 0; i < BENCH_MEMORY; i += 8) {
            const uint64_t word = rng_next(&b->rng);
            const bool events = i >= EVENTS_AT && i < EVENTS_AT + (8 << EVENTS_LOG2);

            memcpy(memory(b, node) + i, events ? &(uint64_t){0} : &word, 8);
        }
    }
    return b;
}

/* From now on nothing is written but what `unchanged` leaves out. */
static void remember(const struct nic_bench *b)
{
    for (unsigned node = 0; node < 2; node++) {
        before[node] = realloc(before[node], BENCH_MEMORY);
        if (before[node] == NULL) {
            abort();
        }
        memcpy(before[node], memory(b, node), BENCH_MEMORY);
    }
}

static bool same(const struct nic_bench *b, unsigned node, uint64_t from, uint64_t to)
{
    return memcmp(before[node] + from, memory(b, node) + from, to - from) == 0;
}

/* All but rings, events, and the two segments: a PE with a changed bit may be this node. */
static bool unchanged(const struct nic_bench *b)
{
    bool good = true;

    for (unsigned node = 0; node < 2; node++) {
        good &= same(b, node, 0, EVENTS_AT);
        good &= same(b, node, NEXT_RING_AT + 0x10000, LOCAL_AT);
        good &= same(b, node, LOCAL_AT + SEGMENT, REMOTE_AT);
        good &= same(b, node, REMOTE_AT + SEGMENT, BENCH_MEMORY);
    }
    return good;
}

static struct nic_transfer plain(struct nic_bench *b, uint64_t n)
{
    return (struct nic_transfer){.pe = 1,
                                 .op = rng_below(&b->rng, 2) != 0 ? NIC_BTE_PUT : NIC_BTE_GET,
                                 .mdh = THERE,
                                 .local_mdh = HERE,
                                 .ptag = DOMAIN,
                                 .offset = 4 * rng_below(&b->rng, 64),
                                 .local = rng_below(&b->rng, 256),
                                 .bytes = 4 + 4 * rng_below(&b->rng, 64),
                                 .wants = NIC_BTE_GLOBAL,
                                 .queue = QUEUE,
                                 .write_back = true,
                                 .event = n};
}

static bool is_busy(struct nic_bench *b)
{
    return (nic_bench_read(b, 0, NR_BTE + NR_BTE_STEP * CHANNEL + 8) >> NR_BTE8_BUSY_AT & 1) != 0;
}

static bool await_rest(struct nic_bench *b)
{
    for (uint64_t last = b->clock + PATIENCE; b->clock < last;) {
        if (!is_busy(b)) {
            return true;
        }
    }
    return false;
}

/* A transfer that is right, with its completion. */
static bool works(struct nic_bench *b, struct nic_ring *r)
{
    const uint64_t n = r->written;
    const struct nic_transfer t = plain(b, n);

    nic_ring_put(r, &t);
    nic_ring_doorbell(r);
    for (uint64_t last = b->clock + PATIENCE; b->clock < last && nic_ring_word(r, n) == 0;) {
        nic_bench_clock(b);
    }
    return nic_ring_word(r, n) == UINT64_C(1) << 63;
}

static void stop(struct nic_bench *b, const char *what)
{
    tap_ok(nic_bench_drain(b, PATIENCE) && nic_bench_whole(b),
           "%s: both NICs are drained and whole", what);
    nic_bench_judge_hosts(b, what);
    nic_bench_free(b);
}

/* ---- each bit of a descriptor ------------------------------------------------------------------------ */

static void test_bits(uint64_t seed)
{
    enum { BITS = 7 * 64, AT_ONCE = 8 };
    struct nic_bench *b = start(seed);
    struct nic_ring r = {.b = b, .channel = CHANNEL, .log2 = 4, .at = RING_AT};
    unsigned stuck = 0, lost = 0;

    remember(b);
    nic_ring_open(&r, 0);
    for (unsigned bit = 0; bit < BITS; bit++) {
        const struct nic_transfer t = plain(b, bit);
        uint8_t *at = memory(b, 0) + r.at + 64 * (r.written % 16);

        nic_ring_put(&r, &t);
        at[bit / 8] ^= (uint8_t)(1u << bit % 8);
        nic_ring_doorbell(&r);
        if (bit % AT_ONCE == AT_ONCE - 1) {
            lost += !works(b, &r); /* ends a chain, too */
            stuck += !await_rest(b);
        }
    }
    tap_ok(stuck == 0 && nic_ring_read(&r) == r.written,
           "descriptors with each of %u bits changed: all come to an end", BITS);
    tap_equal(lost, 0, "descriptors that are right, between them, that did not end OK");
    tap_ok(unchanged(b), "and nothing else is written");
    stop(b, "bits of descriptors");
}

/* ---- a ring that cannot be read ------------------------------------------------------------------------- */

static void test_unreadable(uint64_t seed)
{
    struct nic_bench *b = start(seed);
    struct nic_ring r = {.b = b, .channel = CHANNEL, .log2 = 4, .at = RING_AT};
    const uint16_t status = NR_BTE + NR_BTE_STEP * CHANNEL + 8;
    const uint64_t failed = UINT64_C(1) << NR_BTE8_FAILED_AT;

    remember(b);
    for (unsigned n = 0; n < 4; n++) {
        const struct host_fault fault = {
            .from = RING_AT + 64 * n, .to = RING_AT + 64 * n + 64, .bus_error = true};

        nic_ring_open(&r, 0);
        host_add_fault(b->node[0].host, &fault);
        for (unsigned i = 0; i < 6; i++) {
            const struct nic_transfer t = plain(b, i);

            nic_ring_put(&r, &t);
        }
        nic_ring_doorbell(&r);
        tap_ok(await_rest(b) && nic_bench_read(b, 0, status) == failed && nic_ring_read(&r) == n,
               "descriptor %u cannot be read: STATUS, and READ_INDEX, say so", n);
        host_clear_faults(b->node[0].host);
        nic_ring_open(&r, 0);
        tap_ok(works(b, &r), "the channel, enabled again, works");
        nic_bench_write(b, 0, (uint16_t)(status - 7), 0);
    }
    tap_equal(nic_bench_read(b, 0, NR_BTE_FAILED), 4, "each is counted");
    tap_ok((nic_bench_read(b, 0, NR_FIRST_ERROR) & 1) != 0, "the first error is held");
    r.at = BENCH_MEMORY; /* out of the physical window */
    nic_bench_write(b, 0, (uint16_t)(status - 8), r.at);
    nic_bench_write(b, 0, (uint16_t)(status - 7), 1 | 4 << NR_BTE1_LOG2_AT);
    nic_bench_write(b, 0, (uint16_t)(status - 6), 1);
    tap_ok(await_rest(b) && nic_bench_read(b, 0, status) == failed,
           "a ring outside of the window of memory: STATUS says so");
    tap_ok(unchanged(b), "and nothing else is written");
    stop(b, "rings that cannot be read");
}

/* ---- a channel that is disabled ---------------------------------------------------------------------------- */

/* It is disabled in the middle; then another owner has it, with a ring elsewhere. */
static void test_owners(uint64_t seed)
{
    enum { ROUNDS = 40, POSTED = 12 };
    struct nic_bench *b = start(seed);
    unsigned stuck = 0, late = 0, dead = 0, begun = 0;

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct nic_ring one = {.b = b, .channel = CHANNEL, .log2 = 4, .at = RING_AT};
        struct nic_ring two = {.b = b, .channel = CHANNEL, .log2 = 3, .at = NEXT_RING_AT};

        nic_ring_open(&one, 4);
        for (unsigned i = 0; i < POSTED; i++) {
            const struct nic_transfer t = plain(b, i);

            nic_ring_put(&one, &t);
        }
        nic_ring_doorbell(&one);
        for (unsigned n = rng_below(&b->rng, 300); n > 0; n--) {
            nic_bench_clock(b);
        }
        nic_bench_write(b, 0, NR_BTE + NR_BTE_STEP * CHANNEL + 1, 0);
        stuck += !await_rest(b);
        nic_bench_write(b, 0, NR_CONTROL, 1 << NR_CONTROL_ENABLE_AT | 1 << NR_CONTROL_SETTLE_AT);
        while ((nic_bench_read(b, 0, NR_STATUS) >> NR_STATUS_SETTLED_AT & 1) == 0) {
        }
        for (unsigned i = 0; i < POSTED; i++) {
            begun += nic_ring_word(&one, i) == UINT64_C(1) << 63;
        }
        remember(b);
        nic_ring_open(&two, 4);
        for (unsigned i = 0; i < 9; i++) {
            dead += !works(b, &two);
        }
        late += !same(b, 0, RING_AT, RING_AT + 64 * 16);
        nic_bench_write(b, 0, NR_BTE + NR_BTE_STEP * CHANNEL + 1, 0);
        stuck += !await_rest(b);
    }
    tap_ok(stuck == 0, "a channel is disabled %u times in the middle of %u transfers: it rests",
           ROUNDS, POSTED);
    tap_ok(begun > ROUNDS && begun < ROUNDS * POSTED,
           "of %u transfers %u had begun, and are complete then", ROUNDS * POSTED, begun);
    tap_equal(late, 0, "writes into the ring of the old owner");
    tap_equal(dead, 0, "transfers of the next owner that did not end OK");
    stop(b, "owners");
}

/* ---- indices ------------------------------------------------------------------------------------------------ */

static void test_indices(uint64_t seed)
{
    enum { TRANSFERS = 1100 }; /* indices are modulo 1,024 */
    static const unsigned sizes[] = {0, 1, 5, 10};
    struct nic_bench *b = start(seed);

    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct nic_ring r = {.b = b, .channel = CHANNEL, .log2 = sizes[k], .at = RING_AT};
        uint64_t done = 0;
        const uint64_t last = b->clock + 400000;

        nic_ring_open(&r, 0);
        while (done < TRANSFERS && b->clock < last) {
            while (r.written < TRANSFERS && r.written - done < (1u << r.log2) &&
                   r.written - done < 1023) {
                struct nic_transfer t = plain(b, r.written);

                t.bytes = 4;
                t.wants = 0;
                nic_ring_put(&r, &t);
            }
            nic_ring_doorbell(&r);
            for (unsigned n = 0; n < 50; n++) {
                nic_bench_clock(b);
            }
            while (done < r.written && nic_ring_word(&r, done) == UINT64_C(1) << 63) {
                done++;
            }
        }
        tap_equal(done, TRANSFERS, "transfers through a ring of %u", 1u << r.log2);
        tap_equal(nic_ring_read(&r), TRANSFERS, "its READ_INDEX");
        nic_bench_write(b, 0, NR_BTE + NR_BTE_STEP * CHANNEL + 1, 0);
        (void)await_rest(b);
    }
    stop(b, "indices");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    test_bits(seed);
    test_unreadable(seed + 1);
    test_owners(seed + 2);
    test_indices(seed + 3);
    free(before[0]);
    free(before[1]);
    return tap_done();
}
