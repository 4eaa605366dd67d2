// SPDX-License-Identifier: Apache-2.0
/*
 * nic_packet24.c - fields of a packet as a table of places in its phits; the core CRC by long division of a string of bits.
 */
#include "tb/golden/nic/nic_packet24.h"

#include <string.h>

enum {
    HEAD_PHITS = 7, /* of a request */
    GROUP = 8,      /* bytes in three phits */
    POLY = 0xA2EB,
    VC_AT = 21,
};

enum field {
    F_VC,
    F_RAH,
    F_NODE,
    F_CMD,
    F_TAG,
    F_PTAG,
    F_SRC,
    F_X,
    F_GEN,
    F_MDH,
    F_OFFSET,
    F_Z,
    F_RMT,
    F_SSID,
    F_ZERO,
    R_TAG,
    R_GEN,
    R_ERR,
    R_NOTE,
    R_WHAT,
    R_DATA,
    R_MORE,
    R_ZERO,
    FIELDS
};

/* The lowest bits of a value first; those of a response's word at phit 1, the place of the first. */
static const struct nic24_place places[FIELDS][3] = {
    [F_VC] = {{0, 21, 1}},
    [F_RAH] = {{0, 18, 3}},
    [F_NODE] = {{0, 0, 18}},
    [F_CMD] = {{1, 18, 4}},
    [F_TAG] = {{1, 8, 10}},
    [F_PTAG] = {{1, 0, 8}},
    [F_SRC] = {{2, 4, 18}},
    [F_X] = {{2, 0, 4}},
    [F_GEN] = {{3, 20, 2}},
    [F_MDH] = {{3, 8, 12}},
    [F_OFFSET] = {{5, 12, 10}, {4, 0, 22}, {3, 0, 8}},
    /* y = {ssid 9, rmt 1, z 6}: its lowest 4 bits end phit 6's top, the others phit 5 */
    [F_Z] = {{6, 18, 4}, {5, 0, 2}},
    [F_RMT] = {{5, 2, 1}},
    [F_SSID] = {{5, 3, 9}},
    [F_ZERO] = {{6, 0, 18}},
    [R_TAG] = {{1, 12, 10}},
    [R_GEN] = {{1, 10, 2}},
    [R_ERR] = {{1, 9, 1}},
    [R_NOTE] = {{1, 8, 1}},
    [R_WHAT] = {{1, 4, 4}},
    [R_DATA] = {{1, 3, 1}},
    [R_MORE] = {{1, 2, 1}},
    [R_ZERO] = {{1, 0, 2}},
};

static uint64_t get(const uint32_t *phit, enum field field)
{
    uint64_t value = 0;
    unsigned at = 0;

    for (unsigned i = 0; i < 3; i++) {
        const struct nic24_place *p = &places[field][i];

        value |= (uint64_t)(phit[p->phit] >> p->lsb & ((1u << p->width) - 1)) << at;
        at += p->width;
    }
    return value;
}

static void set(uint32_t *phit, enum field field, uint64_t value)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct nic24_place *p = &places[field][i];
        const uint32_t ones = (1u << p->width) - 1;

        phit[p->phit] = (phit[p->phit] & ~(ones << p->lsb)) | (uint32_t)(value & ones) << p->lsb;
        value >>= p->width;
    }
}

/* ---- the core CRC -------------------------------------------------------------------------------- */

unsigned nic24_core(const uint32_t *phit, unsigned phits)
{
    static uint8_t bit[64 * 24 + 16];
    unsigned bits = 0, rest = 0;

    /* Two bits of kind as zeros, 22 of content; of the end the upper 8 as zeros, then the place of the CRC. */
    for (unsigned i = 0; i + 1 < phits; i++) {
        for (unsigned k = 24; k-- > 0;) {
            const bool blank = k >= NIC24_BITS || (i == 0 && k >= VC_AT);

            bit[bits++] = blank ? 0 : phit[i] >> k & 1;
        }
    }
    memset(bit + bits, 0, 8 + 16);
    bits += 8 + 16;
    for (unsigned i = 0; i < bits; i++) {
        rest = rest << 1 | bit[i];
        rest = rest >> 16 & 1 ? rest ^ (1u << 16 | POLY) : rest;
    }
    return rest;
}

void nic24_seal(uint32_t *phit, unsigned phits)
{
    phit[phits - 1] = (phit[phits - 1] & ~0xFFFFu) | nic24_core(phit, phits);
}

/* ---- encoder ------------------------------------------------------------------------------------- */

static unsigned rah_of(unsigned mode)
{
    static const unsigned rah[8] = {2, 2, 2, 2, 1, 1, 0, 7};

    return rah[mode];
}

static unsigned groups_of(unsigned bytes)
{
    unsigned groups = 0;

    while (GROUP * groups < bytes) {
        groups++;
    }
    return groups;
}

unsigned nic24_phits(const struct nic_packet *p, unsigned count)
{
    return (p->response ? 1 + count : HEAD_PHITS) + 3 * groups_of(p->bytes) + 1;
}

static void put_request(const struct nic_packet *p, uint32_t *phit)
{
    set(phit, F_CMD, p->cmd);
    set(phit, F_TAG, p->tag);
    set(phit, F_PTAG, p->ptag);
    set(phit, F_SRC, p->src);
    set(phit, F_X, p->x);
    set(phit, F_GEN, p->gen);
    set(phit, F_MDH, p->mdh);
    set(phit, F_OFFSET, p->offset);
    set(phit, F_Z, p->z);
    set(phit, F_RMT, p->rmt);
    set(phit, F_SSID, p->ssid);
}

/* `at`: the phit in front of the word. */
static void put_word(const struct nic_packet *p, uint32_t *at, bool more)
{
    set(at, R_TAG, p->tag);
    set(at, R_GEN, p->gen);
    set(at, R_ERR, p->err);
    set(at, R_NOTE, p->note);
    set(at, R_WHAT, p->err ? p->status : p->bytes == 0 ? 0 : (p->bytes + 3) / 4 - 1);
    set(at, R_DATA, !p->err && p->bytes != 0);
    set(at, R_MORE, more);
}

unsigned nic24_encode(const struct nic_packet *p, unsigned count, uint32_t phit[NIC24_PHITS])
{
    const unsigned phits = nic24_phits(p, count), data = p->response ? 1 + count : HEAD_PHITS;

    memset(phit, 0, NIC24_PHITS * sizeof *phit);
    set(phit, F_VC, p->response);
    set(phit, F_RAH, rah_of(p->mode));
    set(phit, F_NODE, p->node);
    if (!p->response) {
        put_request(p, phit);
    }
    for (unsigned i = 0; p->response && i < count; i++) {
        put_word(&p[i], phit + i, i + 1 < count);
    }
    for (unsigned i = 0; i < 8 * p->bytes; i++) {
        const unsigned in_group = i % 64, at = data + 3 * (i / 64) + in_group / NIC24_BITS;

        phit[at] |= (uint32_t)(p->data[i / 8] >> i % 8 & 1) << in_group % NIC24_BITS;
    }
    nic24_seal(phit, phits);
    return phits;
}

/* ---- decoder ------------------------------------------------------------------------------------- */

static void take_data(const uint32_t *phit, unsigned at, struct nic_packet *p)
{
    for (unsigned i = 0; i < 8 * p->bytes; i++) {
        const unsigned in_group = i % 64;
        const uint32_t from = phit[at + 3 * (i / 64) + in_group / NIC24_BITS];

        p->data[i / 8] |= (uint8_t)((from >> in_group % NIC24_BITS & 1) << i % 8);
    }
}

static enum nic_fault decode_request(const uint32_t *phit, unsigned phits, struct nic_packet *p)
{
    if (phits < HEAD_PHITS + 1 || get(phit, F_ZERO) != 0) {
        return NIC_MISSHAPED;
    }
    p->cmd = (unsigned)get(phit, F_CMD);
    p->tag = (unsigned)get(phit, F_TAG);
    p->ptag = (unsigned)get(phit, F_PTAG);
    p->src = (uint32_t)get(phit, F_SRC);
    p->x = (unsigned)get(phit, F_X);
    p->gen = (unsigned)get(phit, F_GEN);
    p->mdh = (unsigned)get(phit, F_MDH);
    p->offset = get(phit, F_OFFSET);
    p->z = (unsigned)get(phit, F_Z);
    p->rmt = get(phit, F_RMT) != 0;
    p->ssid = (unsigned)get(phit, F_SSID);
    p->bytes = nic_payload(p);
    if (p->bytes > NIC_PAYLOAD || phits != nic24_phits(p, 1) || !nic_unused_are_zero(p)) {
        return NIC_MISSHAPED;
    }
    take_data(phit, HEAD_PHITS, p);
    return NIC_RIGHT;
}

static enum nic_fault decode_response(const uint32_t *phit, unsigned phits,
                                      struct nic_packet p[NIC24_ACKS], unsigned *count)
{
    const struct nic_packet head = *p;
    bool more = true;

    for (*count = 0; more; ++*count) {
        const uint32_t *at = phit + *count;
        struct nic_packet *a = &p[*count];

        if (*count == NIC24_ACKS || *count + 2 >= phits || get(at, R_ZERO) != 0) {
            return NIC_MISSHAPED;
        }
        *a = head;
        a->tag = (unsigned)get(at, R_TAG);
        a->gen = (unsigned)get(at, R_GEN);
        a->err = get(at, R_ERR);
        a->note = get(at, R_NOTE);
        const bool data = get(at, R_DATA);
        const unsigned what = (unsigned)get(at, R_WHAT);

        more = get(at, R_MORE);
        a->status = a->err ? what : 0;
        a->bytes = data ? 4 * (what + 1) : 0;
        if ((a->err && data) || (!a->err && !data && what != 0) ||
            ((a->err || data) && (more || *count != 0))) {
            return NIC_MISSHAPED;
        }
    }
    if (phits != nic24_phits(p, *count)) {
        return NIC_MISSHAPED;
    }
    take_data(phit, 1 + *count, p);
    return NIC_RIGHT;
}

enum nic_fault nic24_decode(const uint32_t *phit, unsigned phits, struct nic_packet p[NIC24_ACKS],
                            unsigned *count)
{
    static const unsigned modes[3] = {6, 5, 0};
    const unsigned rah = (unsigned)get(phit, F_RAH);

    *count = 1;
    if (phits < 2 || (phit[phits - 1] & 0xFFFF) != nic24_core(phit, phits)) {
        return NIC_WRONG_CODE;
    }
    if (rah > 2) {
        return NIC_MISSHAPED;
    }
    *p = (struct nic_packet){
        .response = get(phit, F_VC), .mode = modes[rah], .node = (uint32_t)get(phit, F_NODE)};
    return p->response ? decode_response(phit, phits, p, count) : decode_request(phit, phits, p);
}
