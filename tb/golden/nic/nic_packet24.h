// SPDX-License-Identifier: Apache-2.0
/*
 * nic_packet24.h - packets of the NIC in phits of 22 bits, written down a second time: fields, lengths, the core CRC; encoder and decoder.
 *
 * Plain C11, shares nothing with hls/. Heads are those of proto24: vc 1, {r, a, h} 3, node 18.
 */
#ifndef GOLDEN_NIC_PACKET24_H
#define GOLDEN_NIC_PACKET24_H

#include "tb/golden/nic/nic_packet.h"

enum {
    NIC24_BITS = 22,  /* of a phit those that are the packet's */
    NIC24_PHITS = 32, /* of the longest packet */
    NIC24_ACKS = 8,   /* that share one, at most */
    NIC24_SOURCE = 7, /* r, a and h: a list of hops */
};

/* A place of bits: phit, lowest bit, width; those above it in the value are in the next one. */
struct nic24_place {
    unsigned phit, lsb, width;
};

/* A packet as phits with its end, whose upper 6 bits are 0; of `count` acks with one node and mode as one packet. Returns how many phits. */
unsigned nic24_encode(const struct nic_packet *p, unsigned count, uint32_t phit[NIC24_PHITS]);

/* Phits of a packet, and of one of `count` acks. */
unsigned nic24_phits(const struct nic_packet *p, unsigned count);

/* What the phits mean: *count packets, of which several are acks. Modes are as far apart as the wire has them: 0, 5 and 6. */
enum nic_fault nic24_decode(const uint32_t *phit, unsigned phits, struct nic_packet p[NIC24_ACKS],
                            unsigned *count);

/* The core CRC of phits with their end, and that put there. */
unsigned nic24_core(const uint32_t *phit, unsigned phits);
void nic24_seal(uint32_t *phit, unsigned phits);

#endif
