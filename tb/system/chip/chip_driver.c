// SPDX-License-Identifier: Apache-2.0
/* chip_driver.c - the driver on a chip of the bench. */
#include "tb/system/chip/chip_driver.h"

#include <stdio.h>
#include <stdlib.h>

#include "tb/system/nic/bench_host.h"

void given(enum drv_result result)
{
    if (result != DRV_OK) {
        fprintf(stderr, "a test does not begin: %s\n", drv_says(result));
        exit(1);
    }
}

struct drv *chip_driver(struct nic_bench *b, unsigned chip, struct ptags *ptags)
{
    struct bench_node *node = &b->node[chip * CHIP_NICS];
    const struct nic_host host = bench_host(node);
    const struct drv_config config = {.node = node->address,
                                      .epoch = DRIVER_EPOCH,
                                      .memory_bytes = BENCH_MEMORY,
                                      .window_log2 = NIC_WINDOW_LOG2,
                                      .ptags = ptags};
    struct drv *driver;

    given(drv_start(&driver, &host, &config));
    return driver;
}

uint8_t *chip_memory(const struct nic_bench *b, unsigned chip, uint64_t place)
{
    return host_memory(b->node[chip * CHIP_NICS].host) + place;
}
