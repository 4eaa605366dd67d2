// SPDX-License-Identifier: Apache-2.0
/*
 * byte_model.c - packets of bytes as flits and as beats.
 */
#include "tb/blocks/axi/byte_model.h"

struct byte_packet byte_packet_random(struct rng *r, unsigned most)
{
    struct byte_packet p = {
        .bytes = rng_below(r, most + 1), .vc = rng_below(r, 8), .user = rng_next(r) >> 30};
    for (unsigned i = 0; i < p.bytes; i++)
        p.data[i] = (uint8_t)rng_next(r);
    return p;
}

unsigned byte_packet_flits(const struct byte_packet *p, uint64_t flit[BYTE_MODEL_FLITS])
{
    const unsigned flits = 1 + (p->bytes + 5) / 6;
    flit[0] = (uint64_t)p->vc << 45 | (uint64_t)(flits % 16) << 41 | p->user << 7 | p->bytes;
    for (unsigned i = 1; i < flits; i++)
        flit[i] = 0;
    for (unsigned i = 0; i < p->bytes; i++)
        flit[1 + i / 6] |= (uint64_t)p->data[i] << 8 * (i % 6);
    return flits;
}

unsigned byte_packet_beats(const struct byte_packet *p)
{
    return p->bytes ? (p->bytes + 7) / 8 : 1;
}

uint64_t byte_packet_beat(const struct byte_packet *p, unsigned i, unsigned *bytes)
{
    uint64_t data = 0;
    *bytes = p->bytes - 8 * i < 8 ? p->bytes - 8 * i : 8;
    for (unsigned k = 0; k < *bytes; k++)
        data |= (uint64_t)p->data[8 * i + k] << 8 * k;
    return data;
}
