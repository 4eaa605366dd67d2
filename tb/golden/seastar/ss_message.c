// SPDX-License-Identifier: Apache-2.0
/* ss_message.c - messages of SeaStar as packets. */
#include "tb/golden/seastar/ss_message.h"

#include <string.h>

#include "tb/golden/seastar/ss_head.h"

/* ---- CRCs ------------------------------------------------------------------------------------ */

/* One bit more of a long division. */
static uint32_t divide(uint32_t rest, bool bit, unsigned degree, uint32_t terms)
{
    const bool out = (rest >> (degree - 1) & 1) != bit;
    const uint32_t mask = degree == 32 ? UINT32_MAX : (UINT32_C(1) << degree) - 1;

    return (rest << 1 ^ (out ? terms : 0)) & mask;
}

/* The lowest bits of a word, the highest of them first. */
static uint32_t divide_word(uint32_t rest, uint64_t word, unsigned bits, unsigned degree,
                            uint32_t terms)
{
    while (bits-- > 0)
        rest = divide(rest, word >> bits & 1, degree, terms);
    return rest;
}

static uint32_t crc32c(uint32_t rest, uint64_t word, unsigned bits)
{
    return divide_word(rest, word, bits, 32, 0x1EDC6F41);
}

static uint32_t crc8(uint32_t rest, unsigned value, unsigned bits)
{
    return divide_word(rest, value, bits, 8, 0x2F);
}

unsigned golden_ss_check(uint64_t head)
{
    const struct golden_ss_head h = golden_ss_parse(head);
    uint32_t rest = 0;

    rest = crc8(rest, h.dst, 15);
    rest = crc8(rest, h.length, 4);
    rest = crc8(rest, h.src, 15);
    rest = crc8(rest, h.own >> 8 >> 3, 2); /* stream */
    rest = crc8(rest, h.own >> 8 >> 1 & 3, 2);
    return crc8(rest, 0, 4);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Bytes of the data from `at` on, at most `most`, the first the lowest. */
static uint64_t bytes_at(const struct golden_ss_message *m, size_t at, size_t most)
{
    uint64_t word = 0;

    for (size_t i = 0; i < most && at + i < m->bytes; i++)
        word |= (uint64_t)m->data[at + i] << 8 * i;
    return word;
}

static uint64_t head_of(const struct golden_ss_message *m, unsigned length, bool first, bool last)
{
    struct golden_ss_head h = {
        .vc = 2 * m->class,
        .length = length,
        .dst = m->dst,
        .src = m->src,
        .own = (m->stream << 3 | (first ? 4U : 0) | (last ? 2U : 0)) << 8,
    };

    h.own |= golden_ss_check(golden_ss_flit(&h));
    return golden_ss_flit(&h);
}

static uint32_t header_packet(const struct golden_ss_message *m, uint64_t flit[GOLDEN_SS_FLITS])
{
    const bool all = m->bytes <= GOLDEN_SS_IN_HEADER;
    struct golden_ss_head bare;
    uint32_t crc = UINT32_MAX;

    flit[0] = head_of(m, GOLDEN_SS_FLITS, true, all);
    memcpy(flit + 1, m->header, sizeof m->header);
    flit[7] = all ? bytes_at(m, 0, 8) : 0;
    flit[8] = all ? bytes_at(m, 8, 4) : 0;
    bare = golden_ss_parse(flit[0]);
    bare.vc = bare.age = 0;
    bare.own -= bare.own % 256; /* no check */
    crc = crc32c(crc, golden_ss_flit(&bare), 64);
    for (unsigned i = 1; i < 8; i++)
        crc = crc32c(crc, flit[i], 64);
    crc = crc32c(crc, flit[8], 32);
    flit[8] |= (uint64_t)crc << 32;
    return crc;
}

/* Whether a packet with this many bytes of data left is the last one: its CRC fits behind them. */
static bool is_last(size_t left)
{
    return left + 4 <= GOLDEN_SS_PACKET_BYTES;
}

size_t golden_ss_packets(const struct golden_ss_message *m)
{
    size_t packets = 1, left = m->bytes;

    if (m->bytes <= GOLDEN_SS_IN_HEADER)
        return 1;
    for (; !is_last(left); packets++)
        left -= left < GOLDEN_SS_PACKET_BYTES ? left : GOLDEN_SS_PACKET_BYTES;
    return packets + 1;
}

unsigned golden_ss_packet(const struct golden_ss_message *m, size_t n,
                          uint64_t flit[GOLDEN_SS_FLITS])
{
    uint32_t crc = header_packet(m, flit);
    unsigned flits = GOLDEN_SS_FLITS;

    for (size_t k = 1, at = 0; k <= n; k++, at += GOLDEN_SS_PACKET_BYTES) {
        const size_t left = at < m->bytes ? m->bytes - at : 0;
        const bool last = is_last(left);
        const unsigned carried = last ? (unsigned)(left + 4 + 7) / 8 : 8;

        flits = 1 + carried;
        flit[0] = head_of(m, flits, false, last);
        for (unsigned i = 0; i < carried; i++) {
            flit[1 + i] = bytes_at(m, at + 8 * (size_t)i, 8);
            crc = crc32c(crc, flit[1 + i], last && i == carried - 1 ? 32 : 64);
        }
        if (last)
            flit[carried] |= (uint64_t)crc << 32;
    }
    return flits;
}
