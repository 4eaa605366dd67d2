// SPDX-License-Identifier: Apache-2.0
/*
 * ssid_inside.h - what the two halves of ssid's bench have in common.
 */
#ifndef TB_NIC_SSID_INSIDE_H
#define TB_NIC_SSID_INSIDE_H

#include "tb/blocks/nic/initiator/ssid_bench.h"

/* The packet of the stream that is being sent. */
extern struct packet packet;

/* Of 16 draws so many. */
bool often(unsigned rate);

/* Of 256 draws so many. */
bool seldom(unsigned rate);

/* Whether a packet begins now; room of orb and limits of fma are kept to, that of ids not always. */
bool ssid_begin_packet(void);

#endif
