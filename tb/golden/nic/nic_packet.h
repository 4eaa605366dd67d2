// SPDX-License-Identifier: Apache-2.0
/*
 * nic_packet.h - packets of the NIC, written down a second time: fields, lengths, codes; encoder and decoder.
 *
 * Plain C11, shares nothing with hls/. A packet on the wire is an array of flits of 48 bits; a packet that somebody means
 * is a struct nic_packet. Figures are those of aries and proto, whose heads are the same.
 */
#ifndef GOLDEN_NIC_PACKET_H
#define GOLDEN_NIC_PACKET_H

#include <stdbool.h>
#include <stdint.h>

enum {
    NIC_FLITS = 14,   /* of the longest packet */
    NIC_PAYLOAD = 64, /* bytes, at most */
    NIC_CRC_BITS = 16,
    NIC_CRC_LSB = 32, /* in the last flit */
};

enum nic_field {
    /* of both */
    NIC_VC,
    NIC_LENGTH,
    NIC_MODE,
    NIC_PHASE,
    NIC_NODE,
    /* of a request */
    NIC_CMD,
    NIC_OFFSET,
    NIC_X,
    NIC_PTAG,
    NIC_SRC,
    NIC_GEN,
    NIC_TAG,
    NIC_MDH,
    NIC_Z,
    NIC_RMT,
    NIC_SSID,
    /* of a response */
    NIC_CHK,
    NIC_NOTE,
    NIC_ERR,
    NIC_RSP_GEN,
    NIC_RSP_TAG,
    NIC_STATUS,
    NIC_WHO,
    NIC_FIELDS,
};

/* Where a field stands: up to three pieces, the lowest bits first. */
struct nic_place {
    const char *name;
    unsigned pieces;
    struct {
        unsigned flit, lsb, width;
    } piece[3];
};
extern const struct nic_place nic_places[NIC_FIELDS];

uint64_t nic_get(const uint64_t *flit, enum nic_field field);
void nic_set(uint64_t *flit, enum nic_field field, uint64_t value);

struct nic_packet {
    bool response;
    unsigned vc, mode, phase;
    uint32_t node; /* where to */
    /* request */
    unsigned cmd, x, ptag, gen, tag, mdh, z, rmt, ssid;
    uint32_t src;
    uint64_t offset;
    /* response; gen and tag too */
    bool err, note;
    unsigned status; /* of an error */
    uint32_t who;
    /* payload */
    unsigned bytes;
    uint8_t data[NIC_PAYLOAD];
};

/* Commands, as far as lengths differ by them. */
enum { NIC_GET = 0, NIC_PUT = 1, NIC_AMO = 2, NIC_FAMO = 3, NIC_PUT_MSG = 4, NIC_CQWRITE = 5 };

/* Bytes of payload that the fields of a request announce. */
unsigned nic_payload(const struct nic_packet *p);

/* What the command of a request does not use is 0, and its count what it must be. */
bool nic_unused_are_zero(const struct nic_packet *p);

/* Flits of the packet with its head. */
unsigned nic_flits(const struct nic_packet *p);

/* The packet as flits; returns how many. p->bytes is that of nic_payload for a request. */
unsigned nic_encode(const struct nic_packet *p, uint64_t flit[NIC_FLITS]);

/* A list of hops in the place of the node, which no NIC sends or takes. */
enum { NIC_SOURCE_MODE = 7 };

enum nic_fault { NIC_RIGHT, NIC_WRONG_CODE, NIC_MISSHAPED };

/*
 * The flits of a packet of that class as what they mean. bytes of a data response are as many as its flits can carry, a
 * multiple of 4 and at most 64: its requester knows.
 */
enum nic_fault nic_decode(const uint64_t *flit, unsigned flits, bool response,
                          struct nic_packet *p);

/* Remainder of the packet's division by the polynomial, 0 if its CRC is right. */
unsigned nic_remainder(const uint64_t *flit, unsigned flits);

/* Puts the CRC in its place. */
void nic_seal(uint64_t *flit, unsigned flits);

/* chk of a response's flit 0, whatever stands in its place. */
unsigned nic_check(uint64_t flit);

#endif
