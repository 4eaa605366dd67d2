// SPDX-License-Identifier: Apache-2.0
/*
 * bits.c - arithmetic on constants of any width.
 */
#include "terms/bits.h"

#include "terms/arena.h"

#include <string.h>

bool bit_of(const uint64_t *a, uint32_t i)
{
    return a[i / 64] >> (i % 64) & 1;
}

static void trim(uint64_t *r, uint32_t width)
{
    if (width % 64)
        r[words(width) - 1] &= (UINT64_C(1) << (width % 64)) - 1;
}

void bits_insert(uint64_t *r, uint32_t low, const uint64_t *a, uint32_t width_a)
{
    for (uint32_t i = 0; i < words(width_a); i++) {
        uint32_t at = low / 64 + i;
        r[at] |= a[i] << (low % 64);
        if (low % 64 && a[i] >> (64 - low % 64))
            r[at + 1] |= a[i] >> (64 - low % 64);
    }
}

void bits_slice(uint32_t width, uint64_t *r, const uint64_t *a, uint32_t width_a, uint32_t low)
{
    uint32_t n = words(width_a);
    for (uint32_t i = 0; i < words(width); i++) {
        uint32_t at = low / 64 + i;
        r[i] = at < n ? a[at] >> (low % 64) : 0;
        if (low % 64 && at + 1 < n)
            r[i] |= a[at + 1] << (64 - low % 64);
    }
    trim(r, width);
}

static void add(uint32_t n, uint64_t *r, const uint64_t *a, const uint64_t *b, bool subtract)
{
    unsigned __int128 carry = subtract;
    for (uint32_t i = 0; i < n; i++) {
        carry += (unsigned __int128)a[i] + (subtract ? ~b[i] : b[i]);
        r[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void multiply(uint32_t n, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    memset(r, 0, n * sizeof *r);
    for (uint32_t i = 0; i < n; i++) {
        unsigned __int128 carry = 0;
        for (uint32_t k = 0; i + k < n; k++) {
            carry += (unsigned __int128)a[i] * b[k] + r[i + k];
            r[i + k] = (uint64_t)carry;
            carry >>= 64;
        }
    }
}

/* Quotient and remainder of unsigned numbers, bit by bit; by zero as in SMT-LIB. */
static void divide(uint32_t width, uint64_t *q, uint64_t *rest, const uint64_t *a,
                   const uint64_t *b)
{
    uint32_t n = words(width);
    uint64_t *wide_b = arena((n + 1) * sizeof *wide_b);
    uint64_t *r = arena((n + 1) * sizeof *r);
    memcpy(wide_b, b, n * sizeof *b);
    memset(q, 0, n * sizeof *q);
    for (uint32_t i = width; i-- > 0;) {
        for (uint32_t k = n + 1; k-- > 0;)
            r[k] = r[k] << 1 | (k ? r[k - 1] >> 63 : bit_of(a, i));
        if (!bits_compare(OP_ULT, 64 * (n + 1), r, wide_b)) {
            add(n + 1, r, r, wide_b, true);
            q[i / 64] |= UINT64_C(1) << (i % 64);
        }
    }
    memcpy(rest, r, n * sizeof *r);
}

static void negate(uint32_t width, uint64_t *r, const uint64_t *a)
{
    uint64_t *zero = arena(words(width) * sizeof *zero);
    add(words(width), r, zero, a, true);
    trim(r, width);
}

static void divide_signed(enum op op, uint32_t width, uint64_t *r, const uint64_t *a,
                          const uint64_t *b)
{
    uint64_t *side[4];
    for (int i = 0; i < 4; i++)
        side[i] = arena(words(width) * sizeof(uint64_t));
    bool minus_a = bit_of(a, width - 1), minus_b = bit_of(b, width - 1);
    bits_slice(width, side[0], a, width, 0);
    bits_slice(width, side[1], b, width, 0);
    if (minus_a)
        negate(width, side[0], a);
    if (minus_b)
        negate(width, side[1], b);
    divide(width, side[2], side[3], side[0], side[1]);
    const uint64_t *result = op == OP_SDIV ? side[2] : side[3];
    bits_slice(width, r, result, width, 0);
    if (op == OP_SDIV ? minus_a != minus_b : minus_a)
        negate(width, r, result);
}

static void shift(enum op op, uint32_t width, uint64_t *r, const uint64_t *a, const uint64_t *b,
                  uint32_t width_b)
{
    uint64_t amount = b[0];
    for (uint32_t i = 1; i < words(width_b); i++)
        amount = b[i] ? UINT64_MAX : amount;
    uint32_t by = amount < width ? (uint32_t)amount : width;
    bool sign = op == OP_ASHR && bit_of(a, width - 1);
    memset(r, 0, words(width) * sizeof *r);
    for (uint32_t i = 0; i < width; i++) {
        bool bit = op == OP_SHL ? i >= by && bit_of(a, i - by)
                                : (i + by < width ? bit_of(a, i + by) : sign);
        r[i / 64] |= (uint64_t)bit << (i % 64);
    }
}

void bits_apply(enum op op, uint32_t width, uint64_t *r, const uint64_t *a, const uint64_t *b,
                uint32_t width_b)
{
    uint32_t n = words(width);
    uint64_t *other = op == OP_UDIV || op == OP_UREM ? arena(n * sizeof *other) : NULL;
    switch (op) {
    case OP_NOT:
        for (uint32_t i = 0; i < n; i++)
            r[i] = ~a[i];
        break;
    case OP_AND:
        for (uint32_t i = 0; i < n; i++)
            r[i] = a[i] & b[i];
        break;
    case OP_XOR:
        for (uint32_t i = 0; i < n; i++)
            r[i] = a[i] ^ b[i];
        break;
    case OP_ADD:
    case OP_SUB:
        add(n, r, a, b, op == OP_SUB);
        break;
    case OP_MUL:
        multiply(n, r, a, b);
        break;
    case OP_UDIV:
        divide(width, r, other, a, b);
        break;
    case OP_UREM:
        divide(width, other, r, a, b);
        break;
    case OP_SDIV:
    case OP_SREM:
        divide_signed(op, width, r, a, b);
        break;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        shift(op, width, r, a, b, width_b);
        break;
    default:
        unsupported("bits_apply: operation %d", op);
    }
    trim(r, width);
}

bool bits_compare(enum op op, uint32_t width, const uint64_t *a, const uint64_t *b)
{
    uint32_t n = words(width);
    if (op == OP_EQ)
        return memcmp(a, b, n * sizeof *a) == 0;
    bool minus_a = bit_of(a, width - 1), minus_b = bit_of(b, width - 1);
    if (op == OP_SLT && minus_a != minus_b)
        return minus_a;
    while (n-- > 0)
        if (a[n] != b[n])
            return a[n] < b[n];
    return false;
}
