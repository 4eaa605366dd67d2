// SPDX-License-Identifier: Apache-2.0
/*
 * ss_message.h - messages of SeaStar as packets: written from the layouts, with CRCs by long division, bit by bit.
 *
 * A message is a header packet of nine flits and, beyond 12 bytes of data, packets of up to 64 bytes. Its data are bytes; nothing
 * here knows of clocks, memories or streams of other messages.
 */
#ifndef GOLDEN_SS_MESSAGE_H
#define GOLDEN_SS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GOLDEN_SS_PUT = 1,
    GOLDEN_SS_GET = 2,
    GOLDEN_SS_ACK = 3,
    GOLDEN_SS_REPLY = 4,
    GOLDEN_SS_RAW = 5,
    GOLDEN_SS_IN_HEADER = 12, /* bytes of data that a header packet has */
    GOLDEN_SS_PACKET_BYTES = 64,
    GOLDEN_SS_FLITS = 9,
};

struct golden_ss_message {
    unsigned dst, src, stream, class;
    uint64_t header[6]; /* flits 1 to 6 of the header packet */
    const uint8_t *data;
    size_t bytes;
};

/* How many packets the message has. */
size_t golden_ss_packets(const struct golden_ss_message *m);

/* Flits of packet n, whose number is returned. VC bit 0 and age are 0. */
unsigned golden_ss_packet(const struct golden_ss_message *m, size_t n,
                          uint64_t flit[GOLDEN_SS_FLITS]);

/* The check of a head: CRC-8 over what routers leave alone. */
unsigned golden_ss_check(uint64_t head);

#endif
