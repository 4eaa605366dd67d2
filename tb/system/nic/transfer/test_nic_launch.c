// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_launch.c - block transfers that a process launches, between two nodes: bytes and events, what is refused, a full channel, a descriptor
 * that is disabled while launches wait; rings and launches in one channel.
 *
 * Built for proto: fast.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/transfer/nic_transfers.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    QUEUE_LOG2 = 9,
    HERE = 5,
    THERE = 6,
    UNIT = 2,
    OTHER = 3, /* may not launch */
    CHANNEL = 1,
    LOCAL_AT = 0x400003,
    REMOTE_AT = 0x800005,
    EVENTS_AT = 0x10000,
    BTE_RING_AT = 0x20000,
    SEGMENT = 0x8000,
    LIMIT = 10, /* transactions of a descriptor */
    BASE = 0,
    MODES = 1,
    BYTES = 3,
    LOCAL = 4,
    EVENT = 5,
    TRANSFER = 10,
    STATUS = 0x80,
    NO_ID = 1 << 10, /* of STATUS */
    BAD_COMMAND = 1 << 12,
    DISABLED = 1 << 14
};

static struct nic_ring ring;
static unsigned events; /* of node 0 that were taken */

static void give_descriptor(struct nic_bench *b, unsigned unit, unsigned channels, bool enable)
{
    nic_bench_write(b, 0, (uint16_t)(NR_FMA + NR_FMA_STEP * unit),
                    DOMAIN | (uint64_t)LIMIT << NR_FMA_LIMIT_AT |
                        (uint64_t)channels << NR_FMA_CHANNELS_AT |
                        (uint64_t)enable << NR_FMA_ENABLE_AT);
}

static struct nic_bench *start(uint64_t seed, unsigned latency)
{
    struct gn_segment segment = {
        .valid = true, .read = true, .write = true, .length = SEGMENT, .ptag = DOMAIN};
    struct nic_bench *b = channel_bench_new(2, seed, NULL);

    events = 0;
    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    for (unsigned node = 0; node < 2; node++) {
        nic_bench_write(b, node, NR_ORB_EPOCH, 1 << 14);
        host_set(b->node[node].host, &(struct host_knobs){.latency = latency});
        segment.base = LOCAL_AT;
        nic_bench_segment(b, node, HERE, &segment);
        segment.base = REMOTE_AT;
        nic_bench_segment(b, node, THERE, &segment);
        nic_bench_queue(
            b, node, QUEUE,
            &(struct gn_ring){
                .enabled = true, .base = EVENTS_AT, .log2 = QUEUE_LOG2, .ptag = DOMAIN});
        for (uint64_t i = 0; i < SEGMENT; i++) {
            host_memory(b->node[node].host)[LOCAL_AT + i] = (uint8_t)rng_next(&b->rng);
            host_memory(b->node[node].host)[REMOTE_AT + i] = (uint8_t)rng_next(&b->rng);
        }
    }
    give_descriptor(b, UNIT, 1 << CHANNEL, true);
    give_descriptor(b, OTHER, 0, true);
    ring = (struct nic_ring){
        .b = b, .channel = CHANNEL, .log2 = 4, .at = BTE_RING_AT, .launches = true};
    nic_ring_open(&ring, 0);
    return b;
}

static void stop(struct nic_bench *b, const char *what)
{
    tap_ok(nic_bench_drain(b, 40000) && nic_bench_whole(b), "%s: both NICs are drained and whole",
           what);
    nic_bench_judge_hosts(b, what);
    nic_bench_free(b);
}

static void word(struct nic_bench *b, unsigned unit, unsigned number, uint64_t value)
{
    const struct driver_burst burst = store_word(unit, number, value);

    while (!driver_room(&b->node[0].driver)) {
        nic_bench_clock(b);
    }
    driver_burst(&b->node[0].driver, &burst);
}

/* The words of a process; `channel` need not be one that it may have. */
static void launch(struct nic_bench *b, unsigned unit, unsigned channel,
                   const struct nic_transfer *t)
{
    word(b, unit, BASE, (uint64_t)b->node[1].address << 40 | t->offset);
    word(b, unit, MODES,
         t->mdh | (uint64_t)t->local_mdh << 12 | (uint64_t)t->mode << 27 |
             (uint64_t)t->queue << 30);
    word(b, unit, BYTES, t->bytes);
    word(b, unit, LOCAL, t->local);
    word(b, unit, EVENT, t->target);
    word(b, unit, TRANSFER,
         t->event | (uint64_t)channel << 56 | (uint64_t)t->op << 58 | (uint64_t)t->fence << 60 |
             (uint64_t)t->wants << 61);
    nic_bench_settle_drivers(b);
}

static uint64_t status(struct nic_bench *b, unsigned unit)
{
    const struct driver_burst burst = {
        .read = true, .address = ((uint64_t)unit << 12) + STATUS, .beats = 1};

    driver_burst(&b->node[0].driver, &burst);
    nic_bench_settle_drivers(b);
    return b->node[0].driver.answer;
}

/* The next event of node 0, 0 if none comes. */
static uint64_t next_event(struct nic_bench *b)
{
    uint8_t *at = host_memory(b->node[0].host) + EVENTS_AT + 8 * (events % (1u << QUEUE_LOG2));
    uint64_t event = 0;

    for (unsigned n = 0; n < 20000 && event == 0; n++) {
        nic_bench_clock(b);
        memcpy(&event, at, sizeof event);
    }
    memset(at, 0, sizeof event);
    events++;
    const struct driver_burst burst = store_queue(QUEUE, events);
    driver_burst(&b->node[0].driver, &burst);
    return event;
}

static struct nic_transfer plain(unsigned op, uint64_t bytes)
{
    return (struct nic_transfer){.op = op,
                                 .mdh = THERE,
                                 .local_mdh = HERE,
                                 .bytes = bytes,
                                 .pe = 1,
                                 .ptag = DOMAIN,
                                 .wants = NIC_BTE_GLOBAL,
                                 .queue = QUEUE,
                                 .event = 0xC0FFEE};
}

static void test_bytes(uint64_t seed)
{
    struct nic_bench *b = start(seed, 20);
    struct nic_transfer t = plain(NIC_BTE_PUT, 3001);

    t.offset = 0x123;
    t.local = 0x77;
    launch(b, UNIT, CHANNEL, &t);
    tap_equal(status(b, UNIT), 1, "STATUS: one transaction in flight");
    tap_equal(next_event(b), (uint64_t)3 << 56 | t.event, "the event of a put of 3001 bytes");
    tap_ok(memcmp(host_memory(b->node[0].host) + LOCAL_AT + t.local,
                  host_memory(b->node[1].host) + REMOTE_AT + t.offset, t.bytes) == 0,
           "its bytes are there");
    t = plain(NIC_BTE_GET, 4000);
    t.offset = 0x1004;
    t.local = 0x1233;
    launch(b, UNIT, CHANNEL, &t);
    tap_equal(next_event(b), (uint64_t)3 << 56 | t.event, "the event of a get of 4000 bytes");
    tap_ok(memcmp(host_memory(b->node[0].host) + LOCAL_AT + t.local,
                  host_memory(b->node[1].host) + REMOTE_AT + t.offset, t.bytes) == 0,
           "its bytes are there");
    t = plain(NIC_BTE_PUT, 64);
    t.mdh = THERE + 1;
    t.wants = 0;
    launch(b, UNIT, CHANNEL, &t);
    next_event(b);
    for (unsigned n = 0; n < 100; n++) {
        nic_bench_clock(b);
    }
    tap_equal(status(b, UNIT) & 0x1FF, 0, "STATUS: none is in flight");
    stop(b, "launches");
}

static void test_refused(uint64_t seed)
{
    struct nic_bench *b = start(seed, 20);
    struct nic_transfer t = plain(NIC_BTE_PUT, 64);

    launch(b, OTHER, CHANNEL, &t);
    tap_equal(status(b, OTHER), 1 << 16 | BAD_COMMAND, "no right to launch");
    launch(b, UNIT, 0, &t);
    tap_equal(status(b, UNIT), 1 << 16 | BAD_COMMAND, "another channel");
    launch(b, UNIT, 3, &t);
    tap_equal(status(b, UNIT), 2 << 16 | BAD_COMMAND, "a channel that is none");
    t.mode = 7;
    launch(b, UNIT, CHANNEL, &t);
    tap_equal(status(b, UNIT), 3 << 16 | BAD_COMMAND, "routing mode 7");
    word(b, UNIT, STATUS / 8, 0);
    t = plain(NIC_BTE_SEND, 8);
    launch(b, UNIT, CHANNEL, &t);
    tap_equal(next_event(b) >> 59, 12, "a message without a buffer at its receiver: NO_BUFFER");
    for (unsigned i = 1; i < 4; i++) {
        t = plain(i == 1 ? 3 : NIC_BTE_GET, i == 2 ? 6 : 8);
        t.offset = i == 3 ? 1 : 0;
        t.event = i;
        launch(b, UNIT, CHANNEL, &t);
        tap_equal(next_event(b), (uint64_t)2 << 59 | (uint64_t)3 << 56 | i,
                  "operation %u of %u bytes from %u: its event says BAD_COMMAND", t.op,
                  (unsigned)t.bytes, (unsigned)t.offset);
    }
    t = plain(NIC_BTE_PUT, 0);
    launch(b, UNIT, CHANNEL, &t);
    tap_equal(next_event(b) >> 59, 2, "no bytes: BAD_COMMAND");
    t.bytes = UINT64_C(1) << 40;
    launch(b, UNIT, CHANNEL, &t);
    tap_equal(next_event(b) >> 59, 2, "2^40 bytes: BAD_COMMAND");
    nic_bench_write(b, 0, NR_BTE + NR_BTE_STEP * CHANNEL + 1, 0);
    t = plain(NIC_BTE_PUT, 64);
    launch(b, UNIT, CHANNEL, &t);
    tap_equal(status(b, UNIT), 1 << 16 | BAD_COMMAND, "a channel that is disabled");
    stop(b, "refused");
}

/* Many launches at once: as many events as were not refused, then as many again. */
static void test_full(uint64_t seed)
{
    enum { LAUNCHES = 40 };
    struct nic_bench *b = start(seed, 200);
    struct nic_transfer t = plain(NIC_BTE_PUT, 2000);

    for (unsigned i = 0; i < LAUNCHES; i++) {
        t.event = i;
        launch(b, UNIT, CHANNEL, &t);
    }
    const uint64_t after = status(b, UNIT);
    const unsigned refused = (unsigned)(after >> 16 & 0xFFFF);
    unsigned good = 0, last = 0;

    tap_ok((after & (NO_ID | BAD_COMMAND)) == NO_ID && refused > 0 && refused <= LAUNCHES - 3,
           "%u of %u launches find the channel full", refused, LAUNCHES);
    for (uint64_t e = next_event(b); e != 0; e = next_event(b)) {
        good += e >> 56 == 3;
    }
    events--;
    tap_equal(good, LAUNCHES - refused, "events of the others");
    for (unsigned i = 0; i < LAUNCHES; i++) {
        t.bytes = 1 + i;
        launch(b, UNIT, CHANNEL, &t);
        last += next_event(b) >> 56 == 3;
    }
    tap_equal(last, LAUNCHES, "events of as many again, one after the other");
    stop(b, "full");
}

/* A descriptor is disabled: what waits ends SEQUENCE, nothing of it is begun later; the next owner's go on. */
static void test_disabled(uint64_t seed)
{
    enum { LAUNCHES = 3 };
    struct nic_bench *b = start(seed, 200);
    struct nic_transfer t = plain(NIC_BTE_PUT, 4000);
    unsigned ended = 0, sequence = 0;

    for (unsigned i = 0; i < LAUNCHES; i++) {
        t.event = i;
        t.fence = true;
        launch(b, UNIT, CHANNEL, &t);
    }
    give_descriptor(b, UNIT, 1 << CHANNEL, false);
    for (unsigned i = 0; i < LAUNCHES; i++) {
        const uint64_t e = next_event(b);

        ended += e != 0 && (e & 0xFF) == i;
        sequence += (e >> 59 & 15) == 8;
    }
    tap_equal(ended, LAUNCHES, "each has an event");
    tap_at_least(sequence, LAUNCHES - 1, "those that waited, at least, end SEQUENCE");
    for (unsigned n = 0; n < 100; n++) {
        nic_bench_clock(b);
    }
    tap_equal(status(b, UNIT), DISABLED, "nothing of its owner is in flight");
    give_descriptor(b, UNIT, 1 << CHANNEL, true);
    t.fence = false;
    launch(b, UNIT, CHANNEL, &t);
    tap_equal(next_event(b) >> 56, 3, "a launch of the next owner");
    stop(b, "disabled");
}

/* A ring and launches in one channel, bytes of both. */
static void test_both(uint64_t seed)
{
    enum { TRANSFERS = 201, PLACE = 100 };
    struct nic_bench *b = start(seed, 50);
    unsigned good = 0, launched = 0;

    for (unsigned i = 0; i < TRANSFERS; i++) {
        struct nic_transfer t = plain(NIC_BTE_PUT, 1 + rng_below(&b->rng, PLACE));
        const bool launches = rng_below(&b->rng, 2) != 0;

        t.local = t.offset = (uint64_t)PLACE * i;
        t.event = i;
        t.write_back = true;
        t.fence = rng_below(&b->rng, 4) == 0;
        if (launches) {
            launched++;
            launch(b, UNIT, CHANNEL, &t);
        } else {
            nic_ring_put(&ring, &t);
            nic_ring_doorbell(&ring);
        }
        if (i % 3 == 2) { /* no more than three at once */
            for (unsigned k = 0; k < 3; k++) {
                const uint64_t e = next_event(b);
                const uint64_t at = PLACE * (e & 0xFFFF);

                good +=
                    e >> 56 == 3 && memcmp(host_memory(b->node[0].host) + LOCAL_AT + at,
                                           host_memory(b->node[1].host) + REMOTE_AT + at, 1) == 0;
            }
        }
    }
    tap_equal(good, TRANSFERS / 3 * 3, "events, and first bytes, of transfers, %u of them launched",
              launched);
    tap_equal(nic_ring_read(&ring), ring.written, "READ_INDEX counts those of the ring");
    stop(b, "both");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    test_bytes(seed);
    test_refused(seed + 1);
    test_full(seed + 2);
    test_disabled(seed + 3);
    test_both(seed + 4);
    return tap_done();
}
