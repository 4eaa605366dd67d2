// SPDX-License-Identifier: Apache-2.0
/*
 * amo_model.c - atomic operations by a table of their names.
 *
 * Floating point as IEEE 754-2019 has it: minimumNumber and maximumNumber, and additions rounded to the nearest even; a NaN that comes
 * out is quiet. Subnormal numbers are numbers.
 */
#include "sim/host/test/amo_model.h"

#include <math.h>
#include <string.h>

#include "sim/host/ugni/gni_pub.h"

enum operation { AND, OR, XOR, AX, SWAP, CSWAP, ADD, MIN, MAX, FMIN, FMAX, FADD, NONE };

static enum operation operation_of(unsigned command)
{
    static const enum operation first[8] = {ADD, AND, OR, XOR, AX, CSWAP, NONE, NONE};
    static const enum operation second[16] = {AND, OR,  XOR, SWAP, AX,   CSWAP, NONE, NONE,
                                              MIN, MAX, ADD, NONE, FMIN, FMAX,  FADD, NONE};
    const unsigned code = command & 0x7F;
    return code & 0x40 ? second[code >> 1 & 15] : first[code & 7];
}

bool amo_is_command(unsigned command)
{
    const unsigned code = command & 0x7F;
    const bool fetches = !(command & 0x100), is_short = (command & 0x200) != 0;
    if (command & ~0x37Fu || operation_of(command) == NONE)
        return false;
    if (code & 0x40)
        return is_short == !(code & 1);
    return !is_short && (code & 0x28) == 8 && (fetches || (code & 7) != 5);
}

bool amo_is_swap(unsigned command)
{
    return operation_of(command) == CSWAP;
}

static uint64_t integer(enum operation o, uint64_t w, uint64_t a, uint64_t b, bool is_short)
{
    const int64_t x = is_short ? (int64_t)(int32_t)w : (int64_t)w,
                  y = is_short ? (int64_t)(int32_t)a : (int64_t)a;
    switch (o) {
    case AND:
        return w & a;
    case OR:
        return w | a;
    case XOR:
        return w ^ a;
    case AX:
        return (w & a) ^ b;
    case SWAP:
        return a;
    case CSWAP:
        return w == a ? b : w;
    case MIN:
        return x < y ? w : a;
    case MAX:
        return x > y ? w : a;
    default:
        return w + a;
    }
}

/* The lesser or larger of two numbers; -0 is less than +0. */
static bool takes_first(enum operation o, double x, double y)
{
    const bool less = x < y || (x == y && signbit(x));
    return o == FMIN ? less : !less || (x == y && !signbit(x));
}

static uint64_t real64(enum operation o, uint64_t w, uint64_t a)
{
    double x, y, z;
    uint64_t r;
    memcpy(&x, &w, 8);
    memcpy(&y, &a, 8);
    if (o == FADD) {
        z = x + y;
        memcpy(&r, &z, 8);
        return isnan(z) ? UINT64_C(0x7FF8000000000000) : r;
    }
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) ? UINT64_C(0x7FF8000000000000) : isnan(x) ? a : w;
    return takes_first(o, x, y) ? w : a;
}

static uint64_t real32(enum operation o, uint32_t w, uint32_t a)
{
    float x, y, z;
    uint32_t r;
    memcpy(&x, &w, 4);
    memcpy(&y, &a, 4);
    if (o == FADD) {
        z = x + y;
        memcpy(&r, &z, 4);
        return isnan(z) ? 0x7FC00000 : r;
    }
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) ? 0x7FC00000 : isnan(x) ? a : w;
    return takes_first(o, x, y) ? w : a;
}

uint64_t amo_model(unsigned command, uint64_t word, uint64_t first, uint64_t second)
{
    const enum operation o = operation_of(command);
    const bool is_short = (command & 0x200) != 0;
    const uint64_t r = o < FMIN   ? integer(o, word, first, second, is_short)
                       : is_short ? real32(o, (uint32_t)word, (uint32_t)first)
                                  : real64(o, word, first);
    return is_short ? (uint32_t)r : r;
}
