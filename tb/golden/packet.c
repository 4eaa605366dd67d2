// SPDX-License-Identifier: Apache-2.0
/*
 * packet.c - the machines and their head flits, written down a second time.
 */
#include "tb/golden/packet.h"

/* 48-bit flits: aries, p16 and proto */
#define HEAD_48                                                                                    \
    {                                                                                              \
        [PACKET_VC] = {45, 3},    [PACKET_LENGTH] = {41, 4}, [PACKET_MODE] = {38, 3},              \
        [PACKET_PHASE] = {36, 2}, [PACKET_GLOBAL] = {28, 8}, [PACKET_LOCAL] = {20, 8},             \
        [PACKET_SUB] = {18, 2},   [PACKET_HASH] = {10, 8},   [PACKET_PLACE] = {18, 18},            \
        [PACKET_OWN] = {0, 10},                                                                    \
    }
#define HEAD_GEMINI                                                                                \
    {                                                                                              \
        [PACKET_VC] = {21, 3},    [PACKET_LENGTH] = {17, 4}, [PACKET_MODE] = {14, 3},              \
        [PACKET_GLOBAL] = {6, 8}, [PACKET_LOCAL] = {1, 5},   [PACKET_SUB] = {0, 1},                \
        [PACKET_PLACE] = {0, 14},                                                                  \
    }
#define HEAD_YARC                                                                                  \
    {                                                                                              \
        [PACKET_VC] = {23, 1},    [PACKET_LENGTH] = {19, 4}, [PACKET_MODE] = {16, 3},              \
        [PACKET_PHASE] = {15, 1}, [PACKET_GLOBAL] = {7, 8},  [PACKET_LOCAL] = {1, 6},              \
        [PACKET_SUB] = {0, 1},    [PACKET_PLACE] = {0, 15},                                        \
    }

/* name, rows, cols, vcs, flit_bits, longest */
const struct golden_machine golden_machines[GOLDEN_MACHINES] = {
    [GOLDEN_ARIES] = {"aries", 6, 8, 8, 48, 14, HEAD_48},
    [GOLDEN_GEMINI] = {"gemini", 8, 6, 6, 24, 14, HEAD_GEMINI},
    [GOLDEN_YARC] = {"yarc", 8, 8, 2, 24, 14, HEAD_YARC},
    [GOLDEN_P16] = {"p16", 4, 4, 4, 48, 14, HEAD_48},
    [GOLDEN_PROTO] = {"proto", 2, 2, 2, 48, 14, HEAD_48},
};

static uint64_t field_mask(const struct golden_machine *m, enum packet_field field)
{
    return ((UINT64_C(1) << m->field[field].width) - 1) << m->field[field].lsb;
}

uint64_t packet_get(const struct golden_machine *m, uint64_t head, enum packet_field field)
{
    return (head & field_mask(m, field)) >> m->field[field].lsb;
}

uint64_t packet_set(const struct golden_machine *m, uint64_t head, enum packet_field field,
                    uint64_t value)
{
    const uint64_t mask = field_mask(m, field);
    return (head & ~mask) | (value << m->field[field].lsb & mask);
}

unsigned packet_length(const struct golden_machine *m, uint64_t head)
{
    const unsigned length = (unsigned)packet_get(m, head, PACKET_LENGTH);
    return length ? length : PACKET_LONGEST;
}
