// SPDX-License-Identifier: Apache-2.0
/*
 * bits.h - arithmetic on constants of any width: words of 64 bits, low word first, no bit set above
 * the width.
 */
#ifndef PROVE_BITS_H
#define PROVE_BITS_H

#include "terms/term.h"

static inline uint32_t words(uint32_t width)
{
    return (width + 63) / 64;
}

bool bit_of(const uint64_t *a, uint32_t i);
/* r = a op b; r has room for words(width). Shifts take the amount as bits of width_b. */
void bits_apply(enum op op, uint32_t width, uint64_t *r, const uint64_t *a, const uint64_t *b,
                uint32_t width_b);
/* r = bits low .. low + width - 1 of a, zeros beyond width_a */
void bits_slice(uint32_t width, uint64_t *r, const uint64_t *a, uint32_t width_a, uint32_t low);
/* r[low ..] |= a */
void bits_insert(uint64_t *r, uint32_t low, const uint64_t *a, uint32_t width_a);
/* EQ, ULT or SLT */
bool bits_compare(enum op op, uint32_t width, const uint64_t *a, const uint64_t *b);

#endif
