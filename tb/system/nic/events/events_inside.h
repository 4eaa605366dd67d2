// SPDX-License-Identifier: Apache-2.0
/*
 * events_inside.h - what the halves of events_world.h share.
 */
#ifndef TB_NIC_EVENTS_INSIDE_H
#define TB_NIC_EVENTS_INSIDE_H

#include "tb/system/nic/events/events_world.h"

enum {
    ID = 1, /* of the transactions */
    NODE = 5,
    SOURCE = 9,
    NOBODY = 0x3FFFF,
    CHANNEL = 0,
    NOTE_WHOM = 4, /* of a NOTE more than of its transaction's END */
    SETTLE = 8,    /* clocks until ssid waits */
    CLOCKS_MET = 5,
    SCRUB = 4 * RMT_SETS + 16, /* clocks in which rmt sees each of its places */
};

/* The entry of a use of the id, or NULL; *end is what its END left. */
const struct rmt_entry *world_entry(const struct rmt *r, unsigned use, const struct rmt_end **end);

#endif
