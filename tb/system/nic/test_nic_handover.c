// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_handover.c - ptag, memory handles and completion queue of one process are given to the next one while answers of the first are
 * under way, delayed by most of an epoch and lost at 1e-2. The driver keeps to its rules (hls/nic/regs/README.md, "Rules of a driver"): no byte and no
 * event of the old owner comes to the new one. And without the last rule, so that it is known to be looked at: then they do.
 *
 * Two owners in turn, each with memory and a ring of its own on both nodes, and both with the same names. Of its local segment, and of that on
 * node 1, an owner uses its own half alone: what stands in the other half afterwards is a stranger's.
 *
 * Built for proto: fast.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/nic_report.h"

#include <limits.h>
#include <string.h>

enum {
    EPOCH = 4 * NIC_TAGS,
    PTAG = 7,
    LOCAL = 4,
    REMOTE = 6,
    QUEUE = 2,
    RING_LOG2 = 6,
    BYTES = 0x1000,
    RINGS_AT = 0x8000,
    SEGMENTS_AT = 0x10000,
    LIMIT = 4, /* transactions in flight */
    FRESH = 0x55,
    PATIENCE = 5 * EPOCH + EPOCH / 2 + 128, /* 128: reads of STATUS */
};

static struct nic_bench *b;
static struct rng rng;
static unsigned owner; /* of this round, from 0 on */
static uint64_t stray_bytes, stray_events, events, sent, longest;
static bool stuck;

static uint8_t *segment(unsigned node)
{
    return host_memory(b->node[node].host) + SEGMENTS_AT + owner % 2 * BYTES;
}

static uint8_t *ring(void)
{
    return host_memory(b->node[0].host) + RINGS_AT + owner % 2 * (8 << RING_LOG2);
}

/* Of descriptors three take turns, so that the old owner's STATUS can be read for as long as it is wanted. */
static unsigned descriptor(void)
{
    return owner % 3;
}

static void post(struct driver_burst burst)
{
    while (!driver_room(&b->node[0].driver)) {
        nic_bench_clock(b);
    }
    driver_burst(&b->node[0].driver, &burst);
}

static void run(uint64_t clocks)
{
    for (uint64_t end = b->clock + clocks; b->clock < end;) {
        nic_bench_clock(b);
    }
}

/* ---- the driver ----------------------------------------------------------------------------------- */

static uint64_t read_status(unsigned unit)
{
    struct driver_burst word = store_word(unit, 16, 0);

    word.read = true;
    post(word);
    nic_bench_settle_driver(b, 0);
    return b->node[0].driver.answer;
}

static void settle(bool flush)
{
    const uint64_t begin = b->clock, enable = 1;

    if (flush) {
        nic_bench_write(b, 0, NR_CONTROL, enable | 1 << NR_CONTROL_FLUSH_AT);
    }
    nic_bench_write(b, 0, NR_CONTROL, enable | 1 << NR_CONTROL_SETTLE_AT);
    while ((nic_bench_read(b, 0, NR_STATUS) >> NR_STATUS_SETTLED_AT & 1) == 0 && !stuck) {
        stuck = b->clock - begin > PATIENCE;
    }
}

/* Nobody's from now on: pages, memory and ring; names as soon as nothing asked in them is under way any more. */
static void take_away(bool rests)
{
    const struct gn_segment none = {.length = 1};
    const uint64_t begin = b->clock;

    nic_bench_write(b, 0, (uint16_t)(NR_FMA + NR_FMA_STEP * descriptor()), 0);
    (void)read_status(descriptor()); /* no store of its owner is left behind it */
    nic_bench_segment(b, 0, LOCAL, &none);
    nic_bench_segment(b, 1, REMOTE, &none);
    settle(false);
    settle(true);
    nic_bench_queue(b, 0, QUEUE, &(struct gn_ring){0});
    settle(false);
    while (rests && (read_status(descriptor()) & 0x1FF) != 0 && !stuck) {
        stuck = b->clock - begin > PATIENCE;
    }
    if (rests) {
        run(2 * EPOCH); /* what of its requests is still on its way to other nodes */
    }
    longest = b->clock - begin > longest ? b->clock - begin : longest;
}

static void give(void)
{
    struct gn_segment s = {.valid = true, .read = true, .write = true, .length = BYTES};

    memset(ring(), 0, 8 << RING_LOG2);
    memset(segment(0), FRESH, BYTES);
    memset(segment(1), FRESH, BYTES);
    memset(segment(1) + owner % 2 * BYTES / 2, 0xA0 + (int)(owner % 2), BYTES / 2);
    s.base = SEGMENTS_AT + owner % 2 * BYTES;
    s.ptag = PTAG;
    nic_bench_segment(b, 0, LOCAL, &s);
    nic_bench_segment(b, 1, REMOTE, &s);
    nic_bench_queue(b, 0, QUEUE,
                    &(struct gn_ring){.enabled = true,
                                      .base = RINGS_AT + owner % 2 * (8 << RING_LOG2),
                                      .log2 = RING_LOG2,
                                      .ptag = PTAG});
    nic_bench_descriptor(b, 0, descriptor(), PTAG, LIMIT);
}

/* ---- the owner ------------------------------------------------------------------------------------ */

/* A place in its half of a segment, and bytes that fit there. */
static uint64_t place(void)
{
    return owner % 2 * BYTES / 2 + rng_below(&rng, BYTES / 2 - 64) / 4 * 4;
}

static void use(void)
{
    const uint64_t node = (uint64_t)1 << 40;
    uint8_t data[64];

    memset(data, 0xB0 + (int)(owner % 2), sizeof data);
    post(store_word(descriptor(), 1, REMOTE | LOCAL << 12 | (uint64_t)QUEUE << 30));
    for (unsigned n = 1 + rng_below(&rng, LIMIT); n > 0; n--) {
        post(store_word(descriptor(), 8, 0));
        for (unsigned k = 1 + rng_below(&rng, 6); k > 0; k--) {
            const bool flagged = rng_below(&rng, 2) == 0;
            const unsigned bytes = 4 * (1 + rng_below(&rng, 15));

            post(store_word(descriptor(), 0, node | place()));
            post(rng_below(&rng, 3) != 0 ? store_get(descriptor(), 0, place(),
                                                     bytes - 4 * flagged * (bytes > 4), flagged)
                                         : store_put(descriptor(), 0, data, bytes));
            sent++;
        }
        post(store_word(descriptor(), 13, owner | (uint64_t)2 << 56));
    }
    run(rng_below(&rng, EPOCH));
}

/* What of the owner's memory and ring is not its own. */
static void look(void)
{
    for (unsigned node = 0; node < 2; node++) {
        const uint8_t *other = segment(node) + (owner + 1) % 2 * BYTES / 2;

        for (unsigned i = 0; i < BYTES / 2; i++) {
            stray_bytes += other[i] != FRESH;
        }
    }
    for (unsigned i = 0; i < 1 << RING_LOG2; i++) {
        uint64_t word;

        memcpy(&word, ring() + 8 * i, 8);
        /* that of a descriptor disabled while open has no data */
        stray_events += word != 0 && (word & 0xFFFFFFFF) != owner && (word >> 56 & 7) != 2;
        events += word != 0;
    }
}

static void rounds(unsigned n, bool rests)
{
    stray_bytes = stray_events = longest = events = 0;
    for (; n > 0 && !stuck; n--, owner++) {
        give();
        use();
        take_away(rests);
        look();
    }
}

int main(int argc, char **argv)
{
    uint64_t seed;
    unsigned most = 1000;
    const char *path = "build/reports/nic-episodes.json";
    cJSON *report = cJSON_CreateObject();

    test_options(
        argc, argv, &seed,
        args_unsigned("--rounds", &most, 1, UINT_MAX, "names that are given to the next process"),
        args_text("--json", "FILE", &path, "the report to add to"));
    rng_seed(&rng, seed);
    b = channel_bench_new(2, seed, NULL);
    channel_of(b)->knobs =
        (struct channel_knobs){.delay = 10, .delay_extra = EPOCH / 2 - 100, .loss = 1e-2};
    for (unsigned node = 0; node < 2; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = 30, .latency_extra = 30});
        nic_bench_write(b, node, NR_ORB_EPOCH, EPOCH);
    }
    rounds(100, false);
    tap_ok(stray_bytes != 0 && stray_events != 0,
           "names given out again at once: %llu bytes and %llu events of old owners in 100 rounds",
           (unsigned long long)stray_bytes, (unsigned long long)stray_events);
    run(8 * EPOCH);
    rounds(most, true);
    if (stuck) {
        tap_why("clock %llu: owner %u: not settled, or transactions in flight, after %u clocks, "
                "expected an end",
                (unsigned long long)b->clock, owner, PATIENCE);
    }
    /* holds nic.handover */
    tap_ok(!stuck && stray_bytes == 0 && stray_events == 0 && events > most / 4,
           "by the rules, %u rounds, %llu requests, %llu events: %llu bytes and %llu events of old "
           "owners; a process is taken away in %llu clocks at most, epochs of %u",
           most, (unsigned long long)sent, (unsigned long long)events,
           (unsigned long long)stray_bytes, (unsigned long long)stray_events,
           (unsigned long long)longest, EPOCH);
    channel_of(b)->knobs.loss = 0;
    nic_bench_drain(b, PATIENCE);
    nic_bench_whole(b);
    tap_misses(&b->unrest, "both NICs are whole");
    cJSON_AddNumberToObject(report, "handovers", most);
    cJSON_AddNumberToObject(report, "handover_strays", (double)(stray_bytes + stray_events));
    tap_ok(nic_report_update(path, report), "%s has it", path);
    nic_bench_free(b);
    return tap_done();
}
