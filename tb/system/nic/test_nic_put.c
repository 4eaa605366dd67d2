// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_put.c - the shortest way through a NIC: a put of 8 bytes, a get, a message and a queue write between two
 * nodes, from the processor's stores to memory and events; and how long each takes.
 *
 * Built for proto: san. Recorded for nic, nic_initiator, nic_memory, nic_target of aries.
 */
#include "tb/system/nic/nic_channel.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    HERE = 5,
    THERE = 6,
    RING_AT = 0x10000,
    LOCAL_AT = 0x20003,
    REMOTE_AT = 0x40005
};

/* Words of a descriptor's page (hls/nic/PROGRAMMING.md). */
enum { BASE = 0, MODES = 1, EVENT = 5, OPEN = 8, CQWRITE = 9, CLOSE = 13 };

static struct golden_nic *golden;

static struct nic_bench *start(uint64_t seed)
{
    struct nic_bench *b;

    golden = gn_new(2, false);
    b = channel_bench_new(2, seed, golden);
    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    for (unsigned node = 0; node < 2; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = 20});
        nic_bench_segment(b, node, HERE,
                          &(struct gn_segment){.valid = true,
                                               .read = true,
                                               .write = true,
                                               .base = LOCAL_AT,
                                               .length = 4096,
                                               .ptag = DOMAIN,
                                               .queue = QUEUE,
                                               .event = true});
        nic_bench_segment(b, node, THERE,
                          &(struct gn_segment){.valid = true,
                                               .read = true,
                                               .write = true,
                                               .base = REMOTE_AT,
                                               .length = 4096,
                                               .ptag = DOMAIN,
                                               .queue = QUEUE,
                                               .event = true});
        nic_bench_queue(
            b, node, QUEUE,
            &(struct gn_ring){.enabled = true, .base = RING_AT, .log2 = 6, .ptag = DOMAIN});
        nic_bench_descriptor(b, node, 2, DOMAIN, 4);
    }
    return b;
}

static void post(struct nic_bench *b, struct driver_burst burst)
{
    driver_burst(&b->node[0].driver, &burst);
}

/* Opens a transaction to node 1, does one operation in it and closes it; true if all that it wants came. */
static bool run(struct nic_bench *b, const struct gn_operation *o, uint64_t tag, const char *what)
{
    unsigned t = gn_open(golden, 0, DOMAIN, false);
    struct gn_wants w = {.global = true, .local = true, .queue = QUEUE, .event = tag};
    uint64_t begin = b->clock, unexplained = gn_counts(golden)->unexplained;

    post(b, store_word(2, MODES,
                       o->mdh | (uint64_t)o->local_mdh << 12 | (uint64_t)QUEUE << 30 |
                           (uint64_t)(o->kind == GN_MESSAGE) << 40));
    post(b, store_word(2, BASE, (uint64_t)1 << 40 | o->offset));
    post(b, store_word(2, EVENT, o->event));
    post(b, store_word(2, OPEN, 0));
    gn_post(golden, t, o);
    if (o->kind == GN_GET) {
        post(b, store_get(2, 0, o->local_offset, o->bytes, o->flagged));
    } else if (o->kind == GN_CQWRITE) {
        post(b, store_word(2, CQWRITE, o->event));
    } else {
        post(b, store_put(2, 0, o->data, o->bytes));
    }
    gn_close(golden, t, &w);
    post(b, store_word(2, CLOSE, tag | (uint64_t)3 << 56));
    while (gn_waiting(golden) != 0 && b->clock - begin < 5000) {
        nic_bench_clock(b);
    }
    tap_note("%s: %llu clocks", what, (unsigned long long)(b->clock - begin));
    return gn_waiting(golden) == 0 && gn_counts(golden)->unexplained == unexplained;
}

int main(int argc, char **argv)
{
    struct nic_bench *b = start(test_seed(argc, argv));
    struct gn_operation put = {
        .kind = GN_PUT, .to = 1, .mdh = THERE, .offset = 11, .bytes = 8, .data = "heddle."};
    struct gn_operation get = {.kind = GN_GET,
                               .to = 1,
                               .mdh = THERE,
                               .offset = 8,
                               .bytes = 12,
                               .local_mdh = HERE,
                               .local_offset = 100};
    struct gn_operation message = {.kind = GN_MESSAGE,
                                   .to = 1,
                                   .mdh = THERE,
                                   .offset = 501,
                                   .bytes = 21,
                                   .event = 0x77,
                                   .data = "the quick brown fox."};
    struct gn_operation cqwrite = {.kind = GN_CQWRITE, .to = 1, .mdh = THERE, .event = 0x99};
    const struct gn_count *count;

    tap_ok(run(b, &put, 0x1001, "put of 8 bytes"),
           "a put of 8 bytes: memory, local and global event");
    tap_ok(memcmp(host_memory(b->node[1].host) + REMOTE_AT + 11, "heddle.", 8) == 0, "it is there");
    tap_ok(run(b, &get, 0x1002, "get of 12 bytes"), "a get of 12 bytes");
    tap_ok(memcmp(host_memory(b->node[0].host) + LOCAL_AT + 100,
                  host_memory(b->node[1].host) + REMOTE_AT + 8, 12) == 0,
           "they are here");
    get.flagged = true;
    tap_ok(run(b, &get, 0x1003, "flagged get"), "a flagged get");
    tap_ok(run(b, &message, 0x1004, "message of 21 bytes"), "a message and its event");
    tap_ok(run(b, &cqwrite, 0x1005, "queue write"), "an event without data");
    tap_ok(nic_bench_drain(b, 10000), "both NICs are drained");
    count = gn_finish(golden);
    tap_ok(count->unexplained == 0 && count->missing_events == 0 && count->missing_accesses == 0,
           "every access and event explained: %llu writes, %llu reads, %llu events",
           (unsigned long long)count->writes, (unsigned long long)count->reads,
           (unsigned long long)count->events);
    if (count->first[0] != '\0') {
        tap_note("%s", count->first);
    }
    for (unsigned node = 0; node < 2; node++) {
        tap_ok(host_broken_rules(b->node[node].host) == 0, "node %u keeps the rules of AXI4: %s",
               node, host_broken(b->node[node].host)->first);
        tap_ok(b->node[node].driver.refused == 0, "node %u: no store was refused", node);
    }
    nic_bench_free(b);
    gn_free(golden);
    return tap_done();
}
