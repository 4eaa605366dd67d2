// SPDX-License-Identifier: Apache-2.0
/*
 * chip_cable.h - one direction of a cable between two devices: tb/models/channel.h, or pkt_channel.h where links frame in packets.
 */
#ifndef CHIP_CABLE_H
#define CHIP_CABLE_H

#include "hls/chip/link_port.h"
#if LCB_PACKET
#include "tb/models/pkt_channel.h"
#else
#include "tb/models/channel.h"
#endif

struct chip_cable {
#if LCB_PACKET
    struct pkt_channel way;
#else
    struct channel way;
#endif
};

/* Of a config: delay, skew, ber and bursts; the others are micropackets' alone. reverse: the other direction. */
void chip_cable_start(struct chip_cable *c, const struct channel_config *config,
                      const struct chip_cable *reverse, uint64_t seed);
void chip_cable_lane(struct chip_cable *c, unsigned lane, enum lane_state state);

/* One clock: from a device's registers to the other's inputs. */
void chip_cable_step(struct chip_cable *c, const struct cable_out *out, struct cable_in *in);

#endif
