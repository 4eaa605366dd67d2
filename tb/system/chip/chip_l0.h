// SPDX-License-Identifier: Apache-2.0
/*
 * chip_l0.h - the controller beside a chip with DEV_MAINT: an AXI4-Lite manager with one access at a time.
 */
#ifndef CHIP_L0_H
#define CHIP_L0_H

#include <stdint.h>

#include "hls/chip/chip.h"

struct chip_l0 {
    bool busy; /* an access is under way */
    bool write;
    bool aw, w, ar;         /* channels that still offer theirs */
    unsigned unit, address; /* of a register */
    unsigned byte;          /* added to its address: 0, or a wrong one */
    uint64_t data;
    bool error; /* of the last one; with a read its data */
};

#if DEV_MAINT
void chip_l0_ask(struct chip_l0 *l, bool write, unsigned unit, unsigned address, uint64_t data);

/* In front of a clock: the wires, from what the chip's registers say. */
void chip_l0_drive(struct chip_l0 *l, struct chip_in *in, const struct chip_out *out);
#endif

#endif
