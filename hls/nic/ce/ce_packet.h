// SPDX-License-Identifier: Apache-2.0
/*
 * ce_packet.h - ports and registers of what collective engines put into the stream of requests.
 */
#ifndef CE_PACKET_H
#define CE_PACKET_H

#include "common/beat/beat.h"
#include "nic/ce/ce_fold.h"

/* What an engine says: to its parent, its children, endpoints. */
struct ce_saying {
    ce_engine engine;
    nic_ptag ptag;
    u3 mode;
    ce_id id;
    u6 operation;
    struct ce_folded result;
};

/* An order for a packet, until it is taken. */
struct ce_order {
    u1 valid;
    u4 cmd;  /* CMD_OPEN, CMD_CLOSE, CMD_CE_UP or CMD_CE_DOWN */
    u1 down; /* in the transaction of what goes down */
    nic_node node;
    ce_engine to; /* engine of that node */
    ce_child child;
};

struct ce_packet_in {
    struct ce_order order;
    struct ce_saying saying;
    u1 room; /* of tarb: a packet may begin */
    u1 tags; /* a few more requests may go out */
};

struct ce_packet_out {
    struct beat beat; /* to tarb */
    u1 taken;         /* for one clock: the last beat of in.order goes out in it, or has gone */
};

struct ce_packet {
    struct ce_packet_out out;
    u2 beat; /* of the packet */
};

HLS_RESET void ce_packet_reset(struct ce_packet *self);
HLS_MODULE void ce_packet(struct ce_packet *self, const struct ce_packet_in *in);

#endif
