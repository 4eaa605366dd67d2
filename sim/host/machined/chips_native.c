// SPDX-License-Identifier: Apache-2.0
/*
 * chips_native.c - a chip as the C of hls/ compiled: machine protoxc.
 */
#include "sim/host/machined/chips_inside.h"

const struct chips_sizes chips_sizes = {
    .window_log2 = NIC_WINDOW_LOG2, .transactions = 48, .requests = 120, .ring_transactions = 8};

bool chips_power_up(struct chips_end *e)
{
    chip_reset(&e->chip);
    return true;
}

void chips_power_down(struct chips_end *e)
{
    (void)e;
}

void chips_step(struct chips_end *e)
{
    chip(&e->chip, &e->in);
}
