// SPDX-License-Identifier: Apache-2.0
/*
 * chip_driver.h - a chip's first NIC under the driver (sim/host), for tests of what the driver does.
 */
#ifndef CHIP_DRIVER_H
#define CHIP_DRIVER_H

#include "sim/host/driver.h"
#include "tb/system/chip/chip_bench.h"

enum { DRIVER_EPOCH = 1 << 12 };

/* What a test begins with: ends the program if that is not to be had. */
void given(enum drv_result result);

/* Its driver, started. */
struct drv *chip_driver(struct nic_bench *b, unsigned chip, struct ptags *ptags);

/* Byte `place` of its host's memory. */
uint8_t *chip_memory(const struct nic_bench *b, unsigned chip, uint64_t place);

#endif
