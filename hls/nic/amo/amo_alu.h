// SPDX-License-Identifier: Apache-2.0
/*
 * amo_alu.h - what an atomic operation makes of the word in memory, in one clock: all but FPADD, which is amo_fp.
 *
 * Two comparators, one for each half, serve signed numbers, floating point and equality. Numbers of equal signs stand in
 * the order of their bits, floating point below 0 in the reverse one; of unequal signs the negative one is the lesser, -0
 * too. The new value is the exclusive or of m, a, m & a, b and m + a, each of them or not.
 */
#ifndef AMO_ALU_H
#define AMO_ALU_H

#include "hls.h"

/* What an opcode does with m in memory and the operands a and b: its second-generation number, halved. */
enum amo_base {
    AMO_AND = 0,
    AMO_OR = 1,
    AMO_XOR = 2,
    AMO_SWAP = 3,
    AMO_AX = 4,    /* (m & a) ^ b */
    AMO_CSWAP = 5, /* m == a ? b : m */
    AMO_IMIN = 8,
    AMO_IMAX = 9,
    AMO_IADD = 10,
    AMO_FPMIN = 12,
    AMO_FPMAX = 13,
    AMO_FPADD = 14,
};

struct amo_code {
    u4 base;   /* an enum amo_base */
    u1 wide;   /* 64 bits, not 32 */
    u1 cached; /* the word stays in the unit */
};

/* A first-generation opcode is 08 + {ADD, AND, OR, XOR, AX, CSWAP}, + 10 cached, 64 bits. The opcode is known to exist. */
static inline struct amo_code amo_code_of(u7 opcode)
{
    u3 first = (u3)opcode;
    u4 base = first >= 4 ? (u4)first : first == 0 ? (u4)AMO_IADD : (u4)(first - 1);
    u1 second = (u1)(opcode >> 6);

    return (struct amo_code){
        .base = second ? (u4)(opcode >> 1) : base,
        .wide = (u1)(!second || (u1)opcode),
        .cached = second ? (u1)(opcode >> 5) : (u1)(opcode >> 4),
    };
}

static inline u1 amo_is_nan(u64 x, u1 wide)
{
    u1 low = (u23)x != 0;
    u1 narrow_nan = (u8)(x >> 23) == 0xFF && low;
    u1 wide_nan = (u11)(x >> 52) == 0x7FF && (low || (u29)(x >> 23) != 0);

    return wide ? wide_nan : narrow_nan;
}

/* How m and a compare: as signed numbers, or as floating point that is no NaN; of equal ones either may be `less`. */
struct amo_order {
    u1 equal;
    u1 less;
};

static inline struct amo_order amo_compare(u64 m, u64 a, u1 wide, u1 floating)
{
    u32 m_low = (u32)m, m_high = (u32)(m >> 32);
    u32 a_low = (u32)a, a_high = (u32)(a >> 32);
    u1 low_equal = m_low == a_low;
    u1 high_equal = (u1)(!wide || m_high == a_high);
    u1 high_less = (u1)(wide && m_high < a_high);
    u1 bits_less = (u1)(high_less || (high_equal && m_low < a_low));
    u1 m_minus = wide ? (u1)(m >> 63) : (u1)(m >> 31);
    u1 a_minus = wide ? (u1)(a >> 63) : (u1)(a >> 31);
    u1 reverse = (u1)(floating && m_minus);

    return (struct amo_order){
        .equal = (u1)(low_equal && high_equal),
        .less = m_minus != a_minus ? m_minus : (u1)(bits_less ^ reverse),
    };
}

/* What the new value is made of. */
struct amo_terms {
    u1 m, a, both, b, sum, nan;
};

static inline struct amo_terms amo_choose(struct amo_code code, u64 m, u64 a)
{
    u1 floating = (u1)(code.base >> 2);
    struct amo_order order = amo_compare(m, a, code.wide, floating);
    u1 m_nan = (u1)(floating && amo_is_nan(m, code.wide));
    u1 a_nan = (u1)(floating && amo_is_nan(a, code.wide));
    u1 m_wins = (u1)(a_nan || order.less != (u1)code.base);
    u4 base = code.base;
    u1 picks = (u1)(base >> 3 && (u2)base < 2); /* IMIN, IMAX, FPMIN, FPMAX */
    u1 swaps = (u1)(base == AMO_CSWAP && order.equal);
    u1 keeps = (u1)(base == AMO_CSWAP && !order.equal);
    u1 joins = (u1)(base == AMO_OR || base == AMO_XOR);

    return (struct amo_terms){
        .m = (u1)(joins || keeps || (picks && m_wins && !m_nan)),
        .a = (u1)(joins || base == AMO_SWAP || (picks && !(m_wins && !m_nan) && !a_nan)),
        .both = (u1)(base == AMO_AND || base == AMO_OR || base == AMO_AX),
        .b = (u1)(base == AMO_AX || swaps),
        .sum = (u1)(base == AMO_IADD),
        .nan = (u1)(picks && m_nan && a_nan),
    };
}

/*
 * The new value of m; a 32-bit operation has its operands in the low halves (the high halves of m, a and b may be
 * anything) and gives 0 above. Everything but FPADD, for which it gives anything.
 */
static inline u64 amo_alu(struct amo_code code, u64 m, u64 a, u64 b)
{
    struct amo_terms take = amo_choose(code, m, a);
    u64 nan = code.wide ? (u64)0x7FF8000000000000 : (u64)0x7FC00000;
    u64 from_m = take.m ? m : (u64)0;
    u64 from_a = take.a ? a : (u64)0;
    u64 from_both = take.both ? m & a : (u64)0;
    u64 from_b = take.b ? b : (u64)0;
    u64 from_sum = take.sum ? (u64)(m + a) : (u64)0;
    u64 from_nan = take.nan ? nan : (u64)0;
    u64 value = from_m ^ from_a ^ from_both ^ from_b ^ from_sum ^ from_nan;

    return code.wide ? value : (u64)(u32)value;
}

#endif
