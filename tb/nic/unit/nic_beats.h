// SPDX-License-Identifier: Apache-2.0
/*
 * nic_beats.h - packets at random, and what they are as beats: for the tests of pack, unpack and netlink.
 */
#ifndef NIC_BEATS_H
#define NIC_BEATS_H

#include "nic/beat.h"
#include "tb/base/harness.h"
#include "tb/golden/nic_packet.h"

/* A packet that a NIC may send, VC and phase as it sends them; node, mode, tag and the rest at random. */
struct nic_packet nic_random(struct rng *rng, bool response);

/* Its beats inside the NIC: a request without length, VC and CRC, a response without VC, chk and CRC. Returns how many. */
unsigned nic_beats(const struct nic_packet *p, struct beat beat[BEATS]);

/*
 * The beats that a receiver sees of these flits, which mean p: all of them but the CRC, as far as p's payload reaches, in
 * beats. Returns how many.
 */
unsigned nic_beats_of_flits(const uint64_t *flit, const struct nic_packet *p,
                            struct beat beat[BEATS]);

/* All but valid. */
bool nic_same_beat(const struct beat *a, const struct beat *b);

#endif
