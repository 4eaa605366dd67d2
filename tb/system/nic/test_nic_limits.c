// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_limits.c - requests outstanding: all NIC_TAGS of them; and one process's put beside four others that send to a node which never
 * answers, with limits and without.
 *
 * Built for aries, proto: fast.
 */
#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/nic_report.h"

#include <string.h>

static struct misses missed; /* by the check that comes next */

enum {
    EPOCH = 4 * NIC_TAGS,
    DEAD = 1 << 10 | 5, /* a node that there is not */
    OTHERS = 4,         /* descriptors 0 to 3 */
    STRANGER = 4,
    LIMIT = (NIC_TAGS - 8) / OTHERS,
    PTAG = 1, /* of descriptor 0 */
    REMOTE = 6,
    QUEUE = 2,
    RING_LOG2 = 10,
    RING_AT = 0x8000,
    SEGMENT_AT = 0x10000,
    WAITING = 4, /* stores that the processor has under way */
};

static struct nic_bench *b;
static unsigned read_events, turn;
static bool attack;

static void post(struct driver_burst burst)
{
    driver_burst(&b->node[0].driver, &burst);
}

/* A clock; the others' stores come whenever the processor may send one more. */
static void step(void)
{
    const struct nic_driver *d = &b->node[0].driver;

    if (attack && d->bursts_in - d->bursts_done < WAITING) {
        turn++;
        post(store_launch(turn % OTHERS, (uint64_t)DEAD << 40, false, turn));
    }
    nic_bench_clock(b);
}

static void run(uint64_t clocks)
{
    for (uint64_t end = b->clock + clocks; b->clock < end;) {
        step();
    }
}

/* Behind the others' stores; taken when they have. */
static void post_behind(struct driver_burst burst)
{
    const struct nic_driver *d = &b->node[0].driver;

    while (d->bursts_in - d->bursts_done >= WAITING) {
        step();
    }
    post(burst);
}

static void open_one(unsigned descriptor, unsigned queue)
{
    post_behind(store_word(descriptor, 1, REMOTE | (uint64_t)queue << 30));
    post_behind(store_word(descriptor, 8, 0));
}

static void close_one(unsigned descriptor, unsigned wants)
{
    post_behind(store_word(descriptor, 13, descriptor | (uint64_t)wants << 56));
}

/* Clocks of a transaction with one put of 8 bytes, from its first store to its event. */
static uint64_t put(unsigned *status)
{
    const uint64_t begin = b->clock;
    const uint8_t *entry = host_memory(b->node[0].host) + RING_AT + 8 * read_events++;
    uint64_t event = 0;

    open_one(STRANGER, QUEUE);
    post_behind(store_launch(STRANGER, (uint64_t)1 << 40, false, begin));
    close_one(STRANGER, 2);
    while (event == 0 && b->clock - begin < 100 * (uint64_t)EPOCH) {
        step();
        memcpy(&event, entry, 8);
    }
    *status |= (unsigned)(event >> 59) | (event == 0) << 4;
    return b->clock - begin;
}

/* The longest of a number of puts. */
static uint64_t slowest(uint64_t clocks, unsigned *status)
{
    uint64_t most = 0;

    for (uint64_t end = b->clock + clocks; b->clock < end;) {
        const uint64_t took = put(status);

        most = took > most ? took : most;
        run(50);
    }
    return most;
}

static unsigned outstanding(void)
{
    return NIC_TAGS - (unsigned)b->node[0].nic->initiator.orb.free.out.count;
}

static void start(uint64_t seed)
{
    const struct gn_segment s = {
        .valid = true, .write = true, .base = SEGMENT_AT, .length = 4096, .ptag = PTAG + STRANGER};

    b = channel_bench_new(2, seed, NULL);
    channel_of(b)->knobs = (struct channel_knobs){.delay = 50};
    for (unsigned node = 0; node < 2; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = 50});
        nic_bench_write(b, node, NR_ORB_EPOCH, EPOCH);
    }
    nic_bench_segment(b, 1, REMOTE, &s);
    nic_bench_queue(
        b, 0, QUEUE,
        &(struct gn_ring){
            .enabled = true, .base = RING_AT, .log2 = RING_LOG2, .ptag = PTAG + STRANGER});
    for (unsigned d = 0; d <= STRANGER; d++) {
        nic_bench_descriptor(b, 0, d, (uint8_t)(PTAG + d), 2);
    }
}

static void set_limits(unsigned limit)
{
    for (unsigned d = 0; d < OTHERS; d++) {
        nic_bench_write(b, 0, (uint16_t)(NR_FMA + NR_FMA_STEP * d + 1), limit);
    }
}

/* Requests that nobody answers, without a limit: each tag is given, and comes back. */
static void test_all_tags(void)
{
    unsigned most = 0;

    open_one(0, QUEUE);
    for (unsigned n = 0; n < NIC_TAGS + 40; n++) {
        post_behind(store_launch(0, (uint64_t)DEAD << 40, false, n));
        most = outstanding() > most ? outstanding() : most;
    }
    close_one(0, 0);
    /* holds tarb.tags */
    must_be(&missed, most, NIC_TAGS);
    tap_taken(&missed, "%u requests outstanding, of %u", most, NIC_TAGS);
    run(10 * EPOCH);
    must_be(&missed, outstanding(), 0);
    tap_taken(&missed, "and all tags are back: %u are not", outstanding());
}

/* Four that send to nobody for six epochs; the value is the longest put of the stranger meanwhile. */
static uint64_t beside(unsigned limit, unsigned *most, unsigned *status)
{
    uint64_t took;

    set_limits(limit);
    for (unsigned d = 0; d < OTHERS; d++) {
        open_one(d, QUEUE);
    }
    attack = true;
    run(200);
    took = slowest(6 * EPOCH, status);
    *most = outstanding();
    attack = false;
    for (unsigned d = 0; d < OTHERS; d++) {
        close_one(d, 0);
    }
    run(10 * EPOCH);
    return took;
}

int main(int argc, char **argv)
{
    uint64_t seed;
    const char *path = "build/reports/nic-episodes.json";
    cJSON *report = cJSON_CreateObject();
    unsigned status = 0, held = 0;

    test_options(argc, argv, &seed, args_text("--json", "FILE", &path, "the report to add to"));
    start(seed);
    test_all_tags();
    const uint64_t alone = slowest(2000, &status);
    const uint64_t limited = beside(LIMIT, &held, &status);

    /* holds ssid.limits */
    must_be(&missed, status, 0);
    must_at_most(&missed, limited, 4 * alone, "%s", "limited");
    must_at_least(&missed, held, OTHERS * LIMIT, "%s", "held");
    tap_taken(&missed,
              "a put of 8 bytes: alone at most %llu clocks, beside %d descriptors with %d requests "
              "each to a node that never answers %llu, at most 4 times that",
              (unsigned long long)alone, OTHERS, LIMIT, (unsigned long long)limited);
    const uint64_t unlimited = beside(0, &held, &status);

    must_be(&missed, status, 0);
    must_at_least(&missed, unlimited, EPOCH + 1, "%s", "unlimited");
    tap_taken(&missed, "without limits it takes %llu", (unsigned long long)unlimited);
    nic_bench_drain(b, 1000000);
    nic_bench_whole(b);
    tap_misses(&b->unrest, "the NICs are whole");
    cJSON_AddNumberToObject(report, "put_alone_clocks", (double)alone);
    cJSON_AddNumberToObject(report, "put_beside_limits_clocks", (double)limited);
    cJSON_AddNumberToObject(report, "put_beside_no_limits_clocks", (double)unlimited);
    tap_ok(nic_report_update(path, report), "%s has it", path);
    nic_bench_free(b);
    return tap_done();
}
