// SPDX-License-Identifier: Apache-2.0
/*
 * bench_host.c - stores, loads and registers of a bench's node.
 */
#include "tb/system/nic/bench_host.h"

#include <string.h>

static void post(struct bench_node *n, const struct driver_burst *burst)
{
    while (!driver_room(&n->driver)) {
        nic_bench_clock(n->bench);
    }
    driver_burst(&n->driver, burst);
}

static void store(void *context, uint64_t address, const void *bytes, unsigned count)
{
    unsigned first = (unsigned)(address & 15);
    struct driver_burst burst = {.address = address - first, .beats = (first + count + 15) / 16};

    memcpy(burst.data + first, bytes, count);
    burst.strobes = (count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1) << first;
    post(context, &burst);
}

static uint64_t load(void *context, uint64_t address)
{
    struct bench_node *n = context;

    post(n, &(struct driver_burst){.read = true, .address = address, .beats = 1});
    nic_bench_settle_driver(n->bench, n->number);
    return n->driver.answer;
}

static bool reg_write(void *context, uint16_t address, uint64_t value)
{
    struct bench_node *n = context;
    uint64_t refused = n->driver.lite_refused;

    nic_bench_write(n->bench, n->number, address, value);
    return n->driver.lite_refused == refused;
}

static uint64_t reg_read(void *context, uint16_t address)
{
    struct bench_node *n = context;

    return nic_bench_read(n->bench, n->number, address);
}

static void advance(void *context, unsigned clocks)
{
    struct bench_node *n = context;

    while (clocks-- > 0) {
        nic_bench_clock(n->bench);
    }
}

static uint64_t clocks(void *context)
{
    struct bench_node *n = context;

    return n->bench->clock;
}

struct nic_host bench_host(struct bench_node *node)
{
    return (struct nic_host){.context = node,
                             .store = store,
                             .load = load,
                             .reg_write = reg_write,
                             .reg_read = reg_read,
                             .advance = advance,
                             .clocks = clocks};
}
