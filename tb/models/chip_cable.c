// SPDX-License-Identifier: Apache-2.0
/*
 * chip_cable.c - the channel of the machine's framing between cable_out and cable_in.
 */
#include "tb/models/chip_cable.h"

void chip_cable_start(struct chip_cable *c, const struct channel_config *config,
                      const struct chip_cable *reverse, uint64_t seed)
{
#if LCB_PACKET
    struct pkt_channel_config packets = {.ber = config->ber,
                                         .burst_rate = config->burst_rate,
                                         .burst_min = config->burst_min,
                                         .burst_max = config->burst_max,
                                         .delay = config->delay};

    (void)reverse;
    for (unsigned k = 0; k < CHANNEL_LANES; k++) {
        packets.skew[k] = config->skew[k];
    }
    pkt_channel_start(&c->way, &packets, seed);
#else
    channel_start(&c->way, config, &reverse->way, seed);
#endif
}

void chip_cable_lane(struct chip_cable *c, unsigned lane, enum lane_state state)
{
#if LCB_PACKET
    c->way.lane[lane] = state;
#else
    channel_lane(&c->way, lane, state);
#endif
}

void chip_cable_step(struct chip_cable *c, const struct cable_out *out, struct cable_in *in)
{
    const uint16_t lane[CHANNEL_LANES] = {out->lane[0], out->lane[1], out->lane[2]};
    struct channel_symbol symbol[CHANNEL_LANES];

#if LCB_PACKET
    pkt_channel_step(&c->way, out->lane_valid, lane, symbol);
#else
    channel_step(&c->way, lane, symbol);
#endif
    *in = (struct cable_in){0};
    for (unsigned k = 0; k < CHANNEL_LANES; k++) {
        in->lane_valid |= (u3)((u3)symbol[k].valid << k);
        in->lane_up |= (u3)((u3)symbol[k].up << k);
        in->lane[k] = symbol[k].data;
    }
}
