// SPDX-License-Identifier: Apache-2.0
/*
 * ring.h - three chips and a rogue in a ring of cables.
 *
 *     chip 0 ═══ chip 1
 *       ║          ║
 *     rogue ═══ chip 2
 *
 * The rogue is a device whose processor ports a peer of any kind drives (rogue.h). Chips 0 and 2 reach each other through
 * it, the rogue reaches chip 1 through chip 0, so no circle of channels exists and each pair has one way.
 *
 * After the links are up the state is kept, and ring_restore() begins again from there.
 */
#ifndef ABUSE_RING_H
#define ABUSE_RING_H

#include "hls/chip/chip.h"
#include "tb/models/channel.h"

enum {
    RING_CHIPS = 3,
    RING_PARTS = RING_CHIPS + 1,
    RING_ROGUE = RING_CHIPS,
    RING_NODES = RING_CHIPS * CHIP_NICS,
    RING_GROUP = 3
};

/* A write on the configuration bus of a router. */
struct ring_write {
    uint16_t address;
    uint64_t data;
};

/* Cable i joins link 0 of part i and link 1 of part i + 1; way 0 is from i. */
struct ring_cable {
    struct channel way[2];
    bool out;
};

/* Of a part: its writes of tables, one after the other. */
struct ring_tables {
    struct ring_write *write;
    unsigned count, at;
};

struct ring {
    struct chip chip[RING_CHIPS];
    struct chip_in in[RING_CHIPS];
    struct device rogue;
    struct device_in rogue_in;
    struct ring_cable cable[RING_PARTS];
    struct ring_tables tables[RING_PARTS];
    uint64_t clock;
};

/* The node of a NIC, and of a `sub` of the rogue. */
uint32_t ring_address(unsigned node);
uint32_t ring_rogue(unsigned sub);
const struct nic *ring_nic(const struct ring *r, unsigned node);

/* Links up and tables written; exits with one line if they do not come up. Free by ring_free. */
struct ring *ring_new(uint64_t seed);
void ring_free(struct ring *r);
/* Everything as it was after ring_new, r and kept being of it. */
void ring_restore(struct ring *r, const struct ring *kept);

void ring_clock(struct ring *r);
/* All links run, all tables are written. */
bool ring_up(const struct ring *r);
void ring_pull(struct ring *r, unsigned cable, bool out);
/* A chip is reset in the middle of all that it does; its tables are written again. */
void ring_reset_chip(struct ring *r, unsigned chip);
/* A NIC alone is in reset, from the next clock on, or no longer. */
void ring_hold_nic(struct ring *r, unsigned node, bool hold);
/* Whether what one part sends another passes a cable, or a part. */
bool ring_passes(unsigned from, unsigned to, unsigned cable);

#endif
