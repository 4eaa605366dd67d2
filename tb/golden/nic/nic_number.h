// SPDX-License-Identifier: Apache-2.0
/*
 * nic_number.h - the host's numbers of binary32 and binary64, and their bits in a word; of binary32 in its low half.
 */
#ifndef GOLDEN_NIC_NUMBER_H
#define GOLDEN_NIC_NUMBER_H

#include <float.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "a sum of floats is rounded once, to a float");
_Static_assert(FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "binary32 and binary64");

static inline float float_of(uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float x;

    memcpy(&x, &low, sizeof x);
    return x;
}

static inline double double_of(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bits_of_float(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline uint64_t bits_of_double(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

#endif
