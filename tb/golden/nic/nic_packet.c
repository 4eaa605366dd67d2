// SPDX-License-Identifier: Apache-2.0
/*
 * nic_packet.c - fields of the NIC's packets as a table, lengths by counting, codes by long division.
 */
#include "tb/golden/nic/nic_packet.h"

#include <string.h>

enum { FLIT_BITS = 48, PER_FLIT = 6 /* bytes */ };

#define ONE(f, l, w)                                                                               \
    1,                                                                                             \
    {                                                                                              \
        {                                                                                          \
            f, l, w                                                                                \
        }                                                                                          \
    }

const struct nic_place nic_places[NIC_FIELDS] = {
    [NIC_VC] = {"vc", ONE(0, 45, 3)},
    [NIC_LENGTH] = {"length", ONE(0, 41, 4)},
    [NIC_MODE] = {"mode", ONE(0, 38, 3)},
    [NIC_PHASE] = {"phase", ONE(0, 36, 2)},
    [NIC_NODE] = {"node", ONE(0, 18, 18)},
    [NIC_CMD] = {"cmd", ONE(0, 0, 4)},
    [NIC_OFFSET] = {"offset", 3, {{0, 4, 14}, {1, 4, 6}, {2, 0, 20}}},
    [NIC_X] = {"x", ONE(1, 0, 4)},
    [NIC_PTAG] = {"ptag", ONE(1, 10, 8)},
    [NIC_SRC] = {"src", ONE(1, 18, 18)},
    [NIC_GEN] = {"gen", ONE(1, 36, 2)},
    [NIC_TAG] = {"tag", ONE(1, 38, 10)},
    [NIC_MDH] = {"mdh", ONE(2, 20, 12)},
    [NIC_Z] = {"z", ONE(2, 32, 6)},
    [NIC_RMT] = {"rmt", ONE(2, 38, 1)},
    [NIC_SSID] = {"ssid", ONE(2, 39, 9)},
    [NIC_CHK] = {"chk", ONE(0, 0, 4)},
    [NIC_NOTE] = {"note", ONE(0, 4, 1)},
    [NIC_ERR] = {"err", ONE(0, 5, 1)},
    [NIC_RSP_GEN] = {"gen of a response", ONE(0, 6, 2)},
    [NIC_RSP_TAG] = {"tag of a response", ONE(0, 8, 10)},
    [NIC_STATUS] = {"status", ONE(1, 10, 4)},
    [NIC_WHO] = {"who", ONE(1, 14, 18)},
};

uint64_t nic_get(const uint64_t *flit, enum nic_field field)
{
    const struct nic_place *place = &nic_places[field];
    uint64_t value = 0;

    for (unsigned i = place->pieces; i-- > 0;) {
        const unsigned width = place->piece[i].width;

        value = value << width |
                (flit[place->piece[i].flit] >> place->piece[i].lsb & ((UINT64_C(1) << width) - 1));
    }
    return value;
}

void nic_set(uint64_t *flit, enum nic_field field, uint64_t value)
{
    const struct nic_place *place = &nic_places[field];

    for (unsigned i = 0; i < place->pieces; i++) {
        const uint64_t ones = (UINT64_C(1) << place->piece[i].width) - 1;
        uint64_t *where = &flit[place->piece[i].flit];

        *where &= ~(ones << place->piece[i].lsb);
        *where |= (value & ones) << place->piece[i].lsb;
        value >>= place->piece[i].width;
    }
}

/* ---- codes --------------------------------------------------------------------------------------- */

/* Remainder of `bits` bits, the first ones turned over as a register of ones in front turns them. */
static unsigned divide(const uint8_t *bit, unsigned bits, unsigned poly, unsigned width)
{
    unsigned rest = 0;

    for (unsigned i = 0; i < bits; i++) {
        rest = rest << 1 | (bit[i] ^ (i < width));
        if (rest >> width & 1) {
            rest ^= 1u << width | poly;
        }
    }
    return rest;
}

/* Bit 47 first; vc and phase as zeros. */
static unsigned bits_of(const uint64_t *flit, unsigned flits, uint8_t *bit)
{
    for (unsigned f = 0; f < flits; f++) {
        for (unsigned i = 0; i < FLIT_BITS; i++) {
            const unsigned place = FLIT_BITS - 1 - i;
            const bool blank = f == 0 && (place >= 45 || place == 36 || place == 37);

            bit[FLIT_BITS * f + i] = blank ? 0 : flit[f] >> place & 1;
        }
    }
    return FLIT_BITS * flits;
}

unsigned nic_remainder(const uint64_t *flit, unsigned flits)
{
    uint8_t bit[FLIT_BITS * (NIC_FLITS + 16)]; /* also of what is too long */

    return divide(bit, bits_of(flit, flits, bit), 0xA2EB, NIC_CRC_BITS);
}

unsigned nic_check(uint64_t flit)
{
    uint8_t bit[FLIT_BITS];

    flit &= ~UINT64_C(0xF);
    return divide(bit, bits_of(&flit, 1, bit), 0x3, 4);
}

void nic_seal(uint64_t *flit, unsigned flits)
{
    uint64_t *last = &flit[flits - 1];

    *last &= ~(UINT64_C(0xFFFF) << NIC_CRC_LSB);
    unsigned crc = nic_remainder(flit, flits);
    for (unsigned i = 0; i < NIC_CRC_LSB; i++) {
        crc = (crc & 1 ? crc ^ (1u << NIC_CRC_BITS | 0xA2EB) : crc) >> 1; /* by x */
    }
    *last |= (uint64_t)crc << NIC_CRC_LSB;
}

/* ---- lengths ------------------------------------------------------------------------------------- */

/* Flits of that many bytes and two of CRC. */
static unsigned flits_for(unsigned bytes)
{
    unsigned flits = 0;

    for (unsigned room = 0; room < bytes + 2; room += PER_FLIT) {
        flits++;
    }
    return flits;
}

/* AX and CSWAP, 32 or 64 bits, plain or cached, of both generations of the field's opcodes. */
static bool two_operands(unsigned opcode)
{
    static const unsigned char list[] = {0x0C, 0x0D, 0x1C, 0x1D, 0x48, 0x49,
                                         0x4A, 0x4B, 0x68, 0x69, 0x6A, 0x6B};

    return memchr(list, (int)opcode, sizeof list) != NULL;
}

unsigned nic_payload(const struct nic_packet *p)
{
    switch (p->cmd) {
    case NIC_GET:
        return 0;
    case NIC_AMO:
    case NIC_FAMO:
        return two_operands((p->x & 1) << 6 | p->z) ? 16 : 8;
    case NIC_PUT_MSG:
        return p->z + 1 + 8;
    default:
        return p->z + 1;
    }
}

unsigned nic_flits(const struct nic_packet *p)
{
    if (p->response) {
        return p->err ? 2 : p->bytes == 0 ? 1 : 1 + flits_for(p->bytes);
    }
    return p->cmd == NIC_GET ? 3 : 3 + flits_for(nic_payload(p));
}

/* ---- encoder and decoder ------------------------------------------------------------------------- */

static void put_bytes(uint64_t *flit, const uint8_t *data, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        flit[i / PER_FLIT] |= (uint64_t)data[i] << (8 * (i % PER_FLIT));
    }
}

static void request_fields(const struct nic_packet *p, uint64_t *flit)
{
    nic_set(flit, NIC_CMD, p->cmd);
    nic_set(flit, NIC_OFFSET, p->offset);
    nic_set(flit, NIC_X, p->x);
    nic_set(flit, NIC_PTAG, p->ptag);
    nic_set(flit, NIC_SRC, p->src);
    nic_set(flit, NIC_GEN, p->gen);
    nic_set(flit, NIC_TAG, p->tag);
    nic_set(flit, NIC_MDH, p->mdh);
    if (p->cmd != NIC_GET) { /* its CRC stands there */
        nic_set(flit, NIC_Z, p->z);
        nic_set(flit, NIC_RMT, p->rmt);
        nic_set(flit, NIC_SSID, p->ssid);
    }
}

static void response_fields(const struct nic_packet *p, uint64_t *flit)
{
    nic_set(flit, NIC_NOTE, p->note);
    nic_set(flit, NIC_ERR, p->err);
    nic_set(flit, NIC_RSP_GEN, p->gen);
    nic_set(flit, NIC_RSP_TAG, p->tag);
    if (p->err) {
        nic_set(flit, NIC_STATUS, p->status);
        nic_set(flit, NIC_WHO, p->who);
    }
    nic_set(flit, NIC_CHK, nic_check(flit[0]));
}

unsigned nic_encode(const struct nic_packet *p, uint64_t flit[NIC_FLITS])
{
    const unsigned flits = nic_flits(p);

    memset(flit, 0, NIC_FLITS * sizeof *flit);
    nic_set(flit, NIC_VC, p->vc);
    nic_set(flit, NIC_LENGTH, flits);
    nic_set(flit, NIC_MODE, p->mode);
    nic_set(flit, NIC_PHASE, p->phase);
    nic_set(flit, NIC_NODE, p->node);
    if (p->response) {
        response_fields(p, flit);
    } else {
        request_fields(p, flit);
    }
    put_bytes(flit + (p->response ? 1 : 3), p->data, p->bytes);
    if (flits > 1) {
        nic_seal(flit, flits);
    }
    return flits;
}

bool nic_unused_are_zero(const struct nic_packet *p)
{
    const unsigned low = p->x & 3;

    if (p->cmd == NIC_GET) {
        return true;
    }
    if (!p->rmt && p->x >> 2 != 0) {
        return false;
    }
    switch (p->cmd) {
    case NIC_PUT:
    case NIC_PUT_MSG:
    case 8: /* SEND */
        return low == 0;
    case NIC_CQWRITE:
        return low == 0 && p->z == 7;
    case NIC_AMO:
    case NIC_FAMO:
        return (low & 2) == 0;
    case 6: /* END, NOTE */
    case 7:
        return p->z == 19;
    default:
        return true;
    }
}

static enum nic_fault decode_request(const uint64_t *flit, unsigned flits, struct nic_packet *p)
{
    if (flits < 2 || nic_remainder(flit, flits) != 0) {
        return NIC_WRONG_CODE;
    }
    if (flits < 3) {
        return NIC_MISSHAPED;
    }
    p->cmd = (unsigned)nic_get(flit, NIC_CMD);
    p->offset = nic_get(flit, NIC_OFFSET);
    p->x = (unsigned)nic_get(flit, NIC_X);
    p->ptag = (unsigned)nic_get(flit, NIC_PTAG);
    p->src = (uint32_t)nic_get(flit, NIC_SRC);
    p->gen = (unsigned)nic_get(flit, NIC_GEN);
    p->tag = (unsigned)nic_get(flit, NIC_TAG);
    p->mdh = (unsigned)nic_get(flit, NIC_MDH);
    if (p->cmd != NIC_GET) {
        p->z = (unsigned)nic_get(flit, NIC_Z);
        p->rmt = (unsigned)nic_get(flit, NIC_RMT);
        p->ssid = (unsigned)nic_get(flit, NIC_SSID);
    }
    p->bytes = nic_payload(p);
    return nic_get(flit, NIC_LENGTH) == flits && flits == nic_flits(p) && nic_unused_are_zero(p)
               ? NIC_RIGHT
               : NIC_MISSHAPED;
}

static enum nic_fault decode_response(const uint64_t *flit, unsigned flits, struct nic_packet *p)
{
    if (nic_check(flit[0]) != nic_get(flit, NIC_CHK) ||
        (flits > 1 && nic_remainder(flit, flits) != 0)) {
        return NIC_WRONG_CODE;
    }
    p->note = nic_get(flit, NIC_NOTE);
    p->err = nic_get(flit, NIC_ERR);
    p->gen = (unsigned)nic_get(flit, NIC_RSP_GEN);
    p->tag = (unsigned)nic_get(flit, NIC_RSP_TAG);
    if (nic_get(flit, NIC_LENGTH) != flits || (p->err && flits != 2)) {
        return NIC_MISSHAPED;
    }
    if (p->err) {
        p->status = (unsigned)nic_get(flit, NIC_STATUS);
        p->who = (uint32_t)nic_get(flit, NIC_WHO);
        return (flit[1] & 0x3FF) == 0 ? NIC_RIGHT : NIC_MISSHAPED;
    }
    if (flits > 1) {
        p->bytes = (PER_FLIT * (flits - 1) - 2) / 4 * 4;
        p->bytes = p->bytes > NIC_PAYLOAD ? NIC_PAYLOAD : p->bytes;
    }
    return NIC_RIGHT;
}

enum nic_fault nic_decode(const uint64_t *flit, unsigned flits, bool response, struct nic_packet *p)
{
    *p = (struct nic_packet){
        .response = response,
        .vc = (unsigned)nic_get(flit, NIC_VC),
        .mode = (unsigned)nic_get(flit, NIC_MODE),
        .phase = (unsigned)nic_get(flit, NIC_PHASE),
        .node = (uint32_t)nic_get(flit, NIC_NODE),
    };
    const enum nic_fault fault =
        response ? decode_response(flit, flits, p) : decode_request(flit, flits, p);
    const unsigned head = response ? 1 : 3;

    if (fault != NIC_RIGHT) {
        return fault;
    }
    if (p->mode == NIC_SOURCE_MODE) {
        return NIC_MISSHAPED;
    }
    for (unsigned i = 0; i < p->bytes; i++) {
        p->data[i] = (uint8_t)(flit[head + i / PER_FLIT] >> (8 * (i % PER_FLIT)));
    }
    return NIC_RIGHT;
}
