// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_rate.c - how often a NIC does what, at its streams: two of them. Host memory has a latency of 200 clocks, or of 20
 * where 64 writes in progress at one target would be the limit (memory.md: 230 / c in flight for one per c clocks).
 *
 * One transaction stays open; its operations go out as fast as the processor's AXI manager and the NIC allow.
 *
 * Built for aries, proto: fast.
 */
#include "tb/system/nic/nic_channel.h"

#include <string.h>

enum {
    DOMAIN = 3,
    QUEUE = 1,
    HERE = 5,
    THERE = 6,
    DESCRIPTOR = 2,
    SEGMENT = 1 << 20,
    WARM = 2000,
    COUNT = 10000
};
enum { BASE = 0, MODES = 1, OPEN = 8 };

struct rate {
    const char *name;
    struct driver_burst (*store)(uint64_t i); /* the i-th */
    bool both;                                /* both nodes at once */
    bool handles;     /* MODES, with another handle, is written before each */
    bool both_words;  /* BASE and MODES are, in one write */
    unsigned latency; /* of host memory, clocks */
    unsigned delay;   /* of the channel, clocks */
    double wanted;    /* clocks per operation, at most */
};

static struct driver_burst put_64(uint64_t i)
{
    uint8_t data[64];

    memset(data, (int)i, 64);
    return store_put(DESCRIPTOR, i * 64 % 32768, data, 64);
}

static struct driver_burst put_8(uint64_t i)
{
    return store_put(DESCRIPTOR, i * 8 % 32768, (const uint8_t *)&i, 8);
}

static struct driver_burst launch_8(uint64_t i)
{
    return store_launch(DESCRIPTOR, (uint64_t)1 << 40 | (i * 8 % 32768), false, i);
}

static struct driver_burst get_64(uint64_t i)
{
    return store_get(DESCRIPTOR, i * 8 % 32768, i * 64 % 32768, 64, false);
}

static struct driver_burst get_8(uint64_t i)
{
    return store_get(DESCRIPTOR, i * 8 % 32768, i * 8 % 32768, 8, false);
}

static const struct rate rates[] = {
    {"put of 64 bytes, one way", put_64, .latency = 200, .delay = 10, .wanted = 5.0},
    {"put of 64 bytes, both ways", put_64, .both = true, .latency = 200, .delay = 10,
     .wanted = 5.0},
    {"get of 64 bytes, one way", get_64, .latency = 200, .delay = 10, .wanted = 5.0},
    {"get of 64 bytes, both ways", get_64, .both = true, .latency = 200, .delay = 10,
     .wanted = 5.0},
    {"launch put of 8 bytes", launch_8, .latency = 20, .delay = 10, .wanted = 2.0},
#if NIC_PUTS_LOG2 >= 7
    {"launch put of 8 bytes, memory of 200 clocks", launch_8, .latency = 200, .delay = 10,
     .wanted = 2.0},
#endif
    {"window put of 8 bytes", put_8, .latency = 20, .delay = 10, .wanted = 2.0},
    {"window put of 8 bytes, another handle each time", put_8, .handles = true, .latency = 20,
     .delay = 10, .wanted = 4.0},
    {"window put of 8 bytes, another handle and BASE each time", put_8, .both_words = true,
     .latency = 20, .delay = 10, .wanted = 4.0},
    {"get of 8 bytes", get_8, .latency = 20, .delay = 10, .wanted = 5.0},
#if NIC_TAG_LOG2 >= 10
    {"get of 64 bytes, 2,300 clocks away", get_64, .latency = 200, .delay = 2300, .wanted = 5.0},
#endif
};

/* MODES with the one handle and the other in turn. */
static struct driver_burst modes(uint64_t i)
{
    return store_word(DESCRIPTOR, MODES,
                      (i % 2 != 0 ? HERE : THERE) | (uint64_t)HERE << 12 | (uint64_t)QUEUE << 30);
}

/* BASE and MODES in one write of 16 bytes, with the one handle and the other in turn. */
static struct driver_burst words(unsigned node, uint64_t i)
{
    uint64_t mdh = i % 2 != 0 ? HERE : THERE;
    uint64_t two[2] = {(uint64_t)!node << 40, mdh | (uint64_t)HERE << 12 | (uint64_t)QUEUE << 30};
    struct driver_burst b = store_word(DESCRIPTOR, BASE, 0);

    memcpy(b.data, two, 16);
    b.strobes = 0xFFFF;
    return b;
}

static struct nic_bench *start(uint64_t seed, const struct rate *r)
{
    struct nic_bench *b = channel_bench_new(2, seed, NULL);

    channel_of(b)->knobs.delay = r->delay;
    for (unsigned node = 0; node < 2; node++) {
        struct gn_segment s = {.valid = true,
                               .read = true,
                               .write = true,
                               .base = SEGMENT,
                               .length = SEGMENT,
                               .ptag = DOMAIN,
                               .queue = QUEUE};

        host_set(b->node[node].host, &(struct host_knobs){.latency = r->latency});
        nic_bench_segment(b, node, THERE, &s);
        s.base = 4 * SEGMENT;
        nic_bench_segment(b, node, HERE, &s);
        nic_bench_descriptor(b, node, DESCRIPTOR, DOMAIN, 4);
        nic_bench_write(b, node, NR_ORB_EPOCH, 1 << 20);
        driver_burst(&b->node[node].driver, (struct driver_burst[]){words(node, 0)});
        driver_burst(&b->node[node].driver,
                     (struct driver_burst[]){store_word(DESCRIPTOR, OPEN, 0)});
    }
    nic_bench_settle_drivers(b);
    return b;
}

/* Clocks from the WARM-th answer of node 0 to the one COUNT later, by operation. */
static double measure(const struct rate *r, uint64_t seed)
{
    struct nic_bench *b = start(seed, r);
    uint64_t sent[2] = {0}, begin = 0, answers, clocks;
    bool answered;

    do {
        for (unsigned node = 0; node < (r->both ? 2 : 1); node++) {
            struct nic_driver *d = &b->node[node].driver;

            while (d->bursts_in - d->bursts_done < 60) {
                if (r->handles) {
                    driver_burst(d, (struct driver_burst[]){modes(sent[node])});
                }
                if (r->both_words) {
                    driver_burst(d, (struct driver_burst[]){words(node, sent[node])});
                }
                driver_burst(d, (struct driver_burst[]){r->store(sent[node]++)});
            }
        }
        nic_bench_clock(b);
        answers = channel_of(b)->node[0].answers;
        begin = answers <= WARM ? b->clock : begin;
    } while (answers < WARM + COUNT && b->clock < 1000000);
    answered =
        answers >= WARM + COUNT && b->node[0].driver.refused == 0 && b->node[1].driver.refused == 0;
    clocks = b->clock - begin;
    nic_bench_free(b);
    return answered ? (double)clocks / COUNT : 1e9;
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);
    cJSON *report = cJSON_CreateArray();

    for (unsigned i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        double clocks = measure(&rates[i], seed);
        cJSON *one = cJSON_CreateObject();

        tap_ok(clocks <= rates[i].wanted + 0.005, "%s: one per %.3f clocks, wanted %.1f",
               rates[i].name, clocks, rates[i].wanted);
        cJSON_AddStringToObject(one, "name", rates[i].name);
        cJSON_AddNumberToObject(one, "clocks_per_operation", clocks);
        cJSON_AddNumberToObject(one, "wanted", rates[i].wanted);
        cJSON_AddItemToArray(report, one);
    }
    tap_ok(report_write(NIC_TAG_LOG2 >= 10 ? "build/reports/nic-rate.json"
                                           : "build/reports/nic-rate-proto.json",
                        report),
           "build/reports/nic-rate.json");
    return tap_done();
}
