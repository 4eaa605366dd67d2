// SPDX-License-Identifier: Apache-2.0
/*
 * trans_bits.h - fields of beats as the tests of ssid, orb and cq place them: flit and bit, written down from the packets'
 * description and not from hls/nic/packet/nic_packet.h.
 */
#ifndef TB_NIC_TRANS_BITS_H
#define TB_NIC_TRANS_BITS_H

#include "common/beat/beat.h"
#include "tb/base/harness.h"

#include <stdint.h>

#define FLIT(number, bit) ((number) * 48 + (bit))

enum {
    AT_CMD = FLIT(0, 0),
    AT_NODE = FLIT(0, 18),
    AT_LENGTH = FLIT(0, 41),
    AT_X = FLIT(1, 0),
    AT_PTAG = FLIT(1, 10),
    AT_SRC = FLIT(1, 18),
    AT_REFUSED = FLIT(1, 18 + 16), /* inside of src, up to ssid */
    AT_FATAL = FLIT(1, 18 + 17),   /* besides: the NTT's entry has a double-bit error */
    AT_GEN = FLIT(1, 36),
    AT_TAG = FLIT(1, 38),
    AT_MDH = FLIT(2, 20),
    AT_Z = FLIT(2, 32),
    AT_RMT = FLIT(2, 38),
    AT_SSID = FLIT(2, 39),
    /* responses */
    AT_RSP_ERR = FLIT(0, 5),
    AT_RSP_GEN = FLIT(0, 6),
    AT_RSP_TAG = FLIT(0, 8),
    AT_RSP_STATUS = FLIT(1, 10),
    /* last beat of CLOSE: bytes 32 to 47 behind its head */
    AT_WANTS = 32,
    AT_QUEUE = 36,
    AT_ABORTED = 46,
    AT_CLOSE_STATUS = 47,
    AT_EVENT = 64,
    /* local beat */
    AT_TO_OFFSET = 0,
    AT_TO_MDH = 40,
    AT_TO_PTAG = 52,
    AT_TO_BYTES = 60,
    AT_TO_FLAGGED = 66,
};

enum { GET = 0, PUT = 1, AMO = 2, FAMO = 3, OPEN = 14, CLOSE = 15 };

enum {
    OK = 0,
    UNCORRECTABLE = 1,
    TRANSLATION = 3,
    SEQUENCE = 8,
    TIMEOUT = 9,
    DATA = 10,
    UNREACHABLE = 11,
    OVERFLOW = 15,
    BUS = 13
};

static inline uint64_t bits(beat_word word, unsigned at, unsigned width)
{
    return (uint64_t)(word >> at) & (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
}

static inline beat_word with(beat_word word, unsigned at, unsigned width, uint64_t value)
{
    const beat_word mask = (((beat_word)1 << width) - 1) << at;

    return (word & ~mask) | (((beat_word)value << at) & mask);
}

static inline beat_word any_word(struct rng *r)
{
    beat_word w = 0;

    for (unsigned i = 0; i < 3; i++)
        w = (w << 48) | (beat_word)(rng_next(r) >> 16);
    return w;
}

#endif
