// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_rate.c - how often two chips put and get 64 bytes, through netlinks, routers and two links: of proto, which carry
 * 0.9 flits a clock each, and of proto24 in packet mode, where a put has 32 phits, its ack 2 or 3, a get 8 and its data 27.
 *
 * gemini has four links between two chips of two NICs, of which one of each is busy.
 *
 * Built for proto, proto24, gemini: fast.
 */
#include "tb/system/chip/chip_pair.h"

enum { WARM = 1000, COUNT = 5000, LIMIT = 300000 };

static const struct {
    const char *name;
    bool get, both;
    double wanted; /* clocks per operation of a node, at most */
} rates[] = {
#if RTR_LINKS > 2 && LCB_PACKET
    {"put of 64 bytes, one way", false, false,
     9.98}, /* 0.534 of the bits of four links are payload */
};
#define REPORT "build/reports/chip-rate-gemini.json"
#elif LCB_PACKET
    {"put of 64 bytes, one way", false, false, 17},
    {"put of 64 bytes, both ways", false, true,
     18.2}, /* 0.585 of the bits of both links are payload */
    {"get of 64 bytes, one way", true, false, 17},
    {"get of 64 bytes, both ways", true, true, 20},
};
#define REPORT "build/reports/chip-rate-proto24.json"
#else
    {"put of 64 bytes, one way", false, false, 11},
    {"put of 64 bytes, both ways", false, true, 11},
    {"get of 64 bytes, one way", true, false, 11},
    {"get of 64 bytes, both ways", true, true, 11},
};
#define REPORT "build/reports/chip-rate.json"
#endif

static double measure(uint64_t seed, bool get, bool both)
{
    const struct channel_config cable = {.delay = 12};
    struct nic_bench *b = chip_pair_new(seed, &cable, true);
    uint64_t answers[CHIPS] = {0}, begin = b->clock, first = b->clock;
    double clocks;

    for (unsigned node = 0; node < CHIPS; node++) {
        host_set(b->node[PAIR_NODE(node)].host, &(struct host_knobs){.latency = 200});
    }
    while (answers[0] < WARM + COUNT && b->clock - first < LIMIT) {
        for (unsigned node = 0; node < (both ? CHIPS : 1); node++) {
            while (b->node[PAIR_NODE(node)].driver.bursts_in -
                       b->node[PAIR_NODE(node)].driver.bursts_done <
                   60) {
                chip_pair_post(b, node, chip_pair_line(b, get));
            }
        }
        chip_pair_clock(b, answers);
        begin = answers[0] <= WARM ? b->clock : begin;
    }
    clocks = answers[0] >= WARM + COUNT ? (double)(b->clock - begin) / COUNT : 1e9;
    chip_pair_free(b);
    return clocks;
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);
    cJSON *report = cJSON_CreateArray();

    for (unsigned i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        double clocks = measure(seed, rates[i].get, rates[i].both);
        cJSON *one = cJSON_CreateObject();

        tap_why("%.2f clocks per operation, expected %.1f at most", clocks, rates[i].wanted);
        tap_ok(clocks <= rates[i].wanted, "%s: one per %.2f clocks, wanted %.1f", rates[i].name,
               clocks, rates[i].wanted);
        cJSON_AddStringToObject(one, "name", rates[i].name);
        cJSON_AddNumberToObject(one, "clocks_per_operation", clocks);
        cJSON_AddNumberToObject(one, "wanted", rates[i].wanted);
        cJSON_AddItemToArray(report, one);
    }
    tap_ok(report_write(REPORT, report), REPORT);
    return tap_done();
}
