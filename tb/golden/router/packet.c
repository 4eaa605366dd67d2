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
/* 22-bit flits: the end frames */
#define HEAD_GEMINI                                                                                \
    {                                                                                              \
        [PACKET_VC] = {20, 2},   [PACKET_MODE] = {17, 3},  [PACKET_GLOBAL] = {6, 11},              \
        [PACKET_FAR] = {11, 6},  [PACKET_NEAR] = {6, 5},   [PACKET_LOCAL] = {1, 5},                \
        [PACKET_SUB] = {0, 1},   [PACKET_PLACE] = {0, 17}, [PACKET_LIST] = {0, 15},                \
        [PACKET_HOPS] = {15, 2}, [PACKET_ONES] = {17, 3},                                          \
    }
#define HEAD_YARC                                                                                  \
    {                                                                                              \
        [PACKET_VC] = {21, 1},     [PACKET_MODE] = {18, 3},  [PACKET_HASH] = {15, 3},              \
        [PACKET_GLOBAL] = {5, 10}, [PACKET_FAR] = {9, 6},    [PACKET_NEAR] = {5, 4},               \
        [PACKET_LOCAL] = {0, 5},   [PACKET_PLACE] = {0, 15}, [PACKET_LIST] = {0, 16},              \
        [PACKET_HOPS] = {16, 2},   [PACKET_ONES] = {18, 3},                                        \
    }
#define HEAD_PROTO24                                                                               \
    {                                                                                              \
        [PACKET_VC] = {21, 1},   [PACKET_MODE] = {18, 3}, [PACKET_GLOBAL] = {10, 8},               \
        [PACKET_LOCAL] = {2, 8}, [PACKET_SUB] = {0, 2},   [PACKET_PLACE] = {0, 18},                \
        [PACKET_LIST] = {0, 16}, [PACKET_HOPS] = {16, 2}, [PACKET_ONES] = {18, 3},                 \
    }

enum {
    ALL_MODES = (1 << PACKET_MODES) - 1,
    BY_END =
        1 << PACKET_ADAPTIVE0 | 1 << PACKET_MIN_HASH | 1 << PACKET_IN_ORDER | 1 << PACKET_SOURCE,
};

/* name, rows, cols, vcs, flit_bits, longest, modes */
const struct golden_machine golden_machines[GOLDEN_MACHINES] = {
    [GOLDEN_ARIES] = {"aries", 6, 8, 8, 48, 14, ALL_MODES, HEAD_48},
    [GOLDEN_GEMINI] = {"gemini", 8, 6, 4, 22, 32, BY_END, HEAD_GEMINI},
    [GOLDEN_YARC] = {"yarc", 8, 8, 2, 22, 19, BY_END, HEAD_YARC},
    [GOLDEN_P16] = {"p16", 4, 4, 4, 48, 14, ALL_MODES, HEAD_48},
    [GOLDEN_A16] = {"a16", 4, 4, 8, 48, 14, ALL_MODES, HEAD_48},
    [GOLDEN_PROTO] = {"proto", 2, 2, 2, 48, 14, ALL_MODES, HEAD_48},
    [GOLDEN_PROTO24] = {"proto24", 2, 2, 2, 22, 32, BY_END, HEAD_PROTO24},
};

/* What the field says for each mode where the end frames: {r, a, h}. */
enum { SAYS_IN_ORDER = 0, SAYS_HASH = 1, SAYS_ADAPTIVE = 2, SAYS_SOURCE = 7, LENGTH_CODES = 16 };

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

bool packet_by_end(const struct golden_machine *m)
{
    return m->field[PACKET_LENGTH].width == 0;
}

enum packet_mode packet_mode(const struct golden_machine *m, uint64_t head)
{
    const uint64_t said = packet_get(m, head, PACKET_MODE);
    if (!packet_by_end(m))
        return (enum packet_mode)said;
    switch (said) {
    case SAYS_IN_ORDER:
        return PACKET_IN_ORDER;
    case SAYS_HASH:
        return PACKET_MIN_HASH;
    case SAYS_ADAPTIVE:
        return PACKET_ADAPTIVE0;
    case SAYS_SOURCE:
        return PACKET_SOURCE;
    default:
        return PACKET_MODES;
    }
}

uint64_t packet_set_mode(const struct golden_machine *m, uint64_t head, enum packet_mode mode)
{
    static const unsigned says[PACKET_MODES] = {[PACKET_ADAPTIVE0] = SAYS_ADAPTIVE,
                                                [PACKET_MIN_HASH] = SAYS_HASH,
                                                [PACKET_IN_ORDER] = SAYS_IN_ORDER,
                                                [PACKET_SOURCE] = SAYS_SOURCE};
    return packet_set(m, head, PACKET_MODE, packet_by_end(m) ? says[mode] : (unsigned)mode);
}

unsigned packet_most(const struct golden_machine *m)
{
    return packet_by_end(m) ? PACKET_LONGEST : LENGTH_CODES;
}

unsigned packet_length(const struct golden_machine *m, uint64_t head)
{
    const unsigned length = (unsigned)packet_get(m, head, PACKET_LENGTH);
    return length ? length : LENGTH_CODES;
}
