// SPDX-License-Identifier: Apache-2.0
/*
 * chip_traffic.h - looks on at what NICs and routers of two chips pass to each other: packets and flits by kind, bytes,
 * and the clocks from a request's head flit to the tail flit of its answer, both at the router's ports.
 *
 * Packets are read by golden/nic_packet.h, or nic_packet24.h where their end frames. Acks that share a packet are one there.
 */
#ifndef CHIP_TRAFFIC_H
#define CHIP_TRAFFIC_H

#include "hls/chip/chip.h"
#if RTR_LENGTH_BITS == 0
#include "tb/golden/nic/nic_packet24.h"
#else
#include "tb/golden/nic/nic_packet.h"
#endif

enum traffic_kind {
    TRAFFIC_GET,
    TRAFFIC_PUT,
    TRAFFIC_MESSAGE,
    TRAFFIC_CQWRITE,
    TRAFFIC_OTHER, /* requests */
    TRAFFIC_ACK,
    TRAFFIC_DATA,
    TRAFFIC_ERROR,
    TRAFFIC_KINDS,
};
extern const char *const traffic_names[TRAFFIC_KINDS];

enum {
    TRAFFIC_CHIPS = 2,
    TRAFFIC_TAGS = 1024, /* that a packet can name */
    TRAFFIC_BINS = 12,
    TRAFFIC_SHARED = 8, /* acks of a packet, at most */
    TRAFFIC_STEP = 50,  /* clocks of a bin; the last one has all others */
};

/* Flits of a packet that has begun at a port. */
struct traffic_packet {
#if RTR_LENGTH_BITS == 0
    uint32_t flit[NIC24_PHITS];
#else
    uint64_t flit[NIC_FLITS];
#endif
    unsigned count;
    uint64_t clock; /* of its head */
};

struct chip_traffic {
    struct traffic_packet to_router[TRAFFIC_CHIPS][DEV_PROCESSORS];
    struct traffic_packet from_router[TRAFFIC_CHIPS][DEV_PROCESSORS];
    uint64_t began[TRAFFIC_CHIPS][TRAFFIC_TAGS]; /* when the head of a request was sent */

    uint64_t packets[TRAFFIC_KINDS], flits[TRAFFIC_KINDS]; /* that NICs have sent */
    uint64_t put_bytes, get_bytes; /* that they asked for; puts with messages */
    uint64_t latency[TRAFFIC_BINS], answers, sum, most;
    uint64_t wrong; /* packets that a NIC should not have sent */
};

/* Each clock, of every chip: its registers. */
void chip_traffic_look(struct chip_traffic *t, unsigned number, const struct chip *c,
                       uint64_t clock);

#endif
