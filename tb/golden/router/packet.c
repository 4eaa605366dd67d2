// SPDX-License-Identifier: Apache-2.0
/*
 * packet.c - the machines and their head flits, written down a second time.
 */
#include "tb/golden/router/packet.h"

/* 48-bit flits: aries, p16, a16 and proto */
#define HEAD_48                                                                                    \
    {                                                                                              \
        [PACKET_VC] = {45, 3},    [PACKET_LENGTH] = {41, 4}, [PACKET_MODE] = {38, 3},              \
        [PACKET_PHASE] = {36, 2}, [PACKET_GLOBAL] = {28, 8}, [PACKET_LOCAL] = {20, 8},             \
        [PACKET_SUB] = {18, 2},   [PACKET_HASH] = {10, 8},   [PACKET_PLACE] = {18, 18},            \
        [PACKET_LIST] = {18, 18}, [PACKET_ONES] = {38, 3},   [PACKET_OWN] = {0, 10},               \
    }
#define HEAD_GEMINI                                                                                \
    {                                                                                              \
        [PACKET_VC] = {21, 3},     [PACKET_LENGTH] = {17, 4}, [PACKET_MODE] = {16, 1},             \
        [PACKET_GLOBAL] = {6, 10}, [PACKET_FAR] = {11, 5},    [PACKET_NEAR] = {6, 5},              \
        [PACKET_LOCAL] = {1, 5},   [PACKET_SUB] = {0, 1},     [PACKET_PLACE] = {0, 16},            \
        [PACKET_LIST] = {0, 12},   [PACKET_ONES] = {12, 5},                                        \
    }
#define HEAD_YARC                                                                                  \
    {                                                                                              \
        [PACKET_VC] = {23, 1},     [PACKET_LENGTH] = {19, 4}, [PACKET_MODE] = {18, 1},             \
        [PACKET_GLOBAL] = {6, 12}, [PACKET_FAR] = {11, 7},    [PACKET_NEAR] = {6, 5},              \
        [PACKET_LOCAL] = {1, 5},   [PACKET_SUB] = {0, 1},     [PACKET_PLACE] = {0, 18},            \
        [PACKET_LIST] = {0, 14},   [PACKET_ONES] = {14, 5},                                        \
    }

enum {
    ALL_MODES = (1 << PACKET_MODES) - 1,
    ONE_BIT = 1 << PACKET_ADAPTIVE0 | 1 << PACKET_IN_ORDER | 1 << PACKET_SOURCE,
};

/* name, rows, cols, vcs, flit_bits, longest, modes */
const struct golden_machine golden_machines[GOLDEN_MACHINES] = {
    [GOLDEN_ARIES] = {"aries", 6, 8, 8, 48, 14, ALL_MODES, HEAD_48},
    [GOLDEN_GEMINI] = {"gemini", 8, 6, 4, 24, 14, ONE_BIT, HEAD_GEMINI},
    [GOLDEN_YARC] = {"yarc", 8, 8, 2, 24, 14, ONE_BIT, HEAD_YARC},
    [GOLDEN_P16] = {"p16", 4, 4, 4, 48, 14, ALL_MODES, HEAD_48},
    [GOLDEN_A16] = {"a16", 4, 4, 8, 48, 14, ALL_MODES, HEAD_48},
    [GOLDEN_PROTO] = {"proto", 2, 2, 2, 48, 14, ALL_MODES, HEAD_48},
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

enum packet_mode packet_mode(const struct golden_machine *m, uint64_t head)
{
    const uint64_t said = packet_get(m, head, PACKET_MODE), ones = field_mask(m, PACKET_ONES);
    if ((head & ones) == ones)
        return PACKET_SOURCE;
    if (m->field[PACKET_MODE].width > 1)
        return (enum packet_mode)said;
    return said ? PACKET_IN_ORDER : PACKET_ADAPTIVE0;
}

uint64_t packet_set_mode(const struct golden_machine *m, uint64_t head, enum packet_mode mode)
{
    if (mode == PACKET_SOURCE)
        return head | field_mask(m, PACKET_ONES);
    return packet_set(m, head, PACKET_MODE,
                      m->field[PACKET_MODE].width > 1 ? mode : mode == PACKET_IN_ORDER);
}

unsigned packet_length(const struct golden_machine *m, uint64_t head)
{
    const unsigned length = (unsigned)packet_get(m, head, PACKET_LENGTH);
    return length ? length : PACKET_LONGEST;
}
