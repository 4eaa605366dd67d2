// SPDX-License-Identifier: Apache-2.0
/*
 * packed.h - packed words, as inputs and registers cross between C and RTL: bit i is word i / 32, bit i % 32.
 */
#ifndef TB_PACKED_H
#define TB_PACKED_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Words of so many bits, at least one. */
static inline unsigned packed_words(unsigned bits)
{
    return bits ? (bits + 31) / 32 : 1;
}

static inline uint64_t bits_mask(unsigned width)
{
    return width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);
}

/* Width is 1 to 64. */
static inline uint64_t bits_get(const uint32_t *words, unsigned lsb, unsigned width)
{
    uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
        unsigned shift = (lsb + done) % 32;
        unsigned n = width - done < 32 - shift ? width - done : 32 - shift;
        value |= ((uint64_t)(words[(lsb + done) / 32] >> shift) & bits_mask(n)) << done;
        done += n;
    }
    return value;
}

/* Width is 1 to 64. */
static inline void bits_put(uint32_t *words, unsigned lsb, unsigned width, uint64_t value)
{
    for (unsigned done = 0; done < width;) {
        unsigned shift = (lsb + done) % 32;
        unsigned n = width - done < 32 - shift ? width - done : 32 - shift;
        uint32_t mask = (uint32_t)(bits_mask(n) << shift);
        uint32_t *word = &words[(lsb + done) / 32];
        *word = (*word & ~mask) | ((uint32_t)((value >> done) << shift) & mask);
        done += n;
    }
}

/* Any width. */
static inline void bits_copy(uint32_t *to, const uint32_t *from, unsigned lsb, unsigned width)
{
    for (unsigned at = 0; at < width; at += 64) {
        unsigned n = width - at < 64 ? width - at : 64;
        bits_put(to, lsb + at, n, bits_get(from, lsb + at, n));
    }
}

/* Any width. */
static inline bool bits_same(const uint32_t *a, const uint32_t *b, unsigned lsb, unsigned width)
{
    for (unsigned at = 0; at < width; at += 64) {
        unsigned n = width - at < 64 ? width - at : 64;
        if (bits_get(a, lsb + at, n) != bits_get(b, lsb + at, n))
            return false;
    }
    return true;
}

/* As hexadecimal digits, all of them; any width. */
static inline void bits_print(FILE *f, const uint32_t *words, unsigned lsb, unsigned width)
{
    for (unsigned digit = (width + 3) / 4; digit-- > 0;) {
        unsigned n = width - digit * 4 < 4 ? width - digit * 4 : 4;
        fprintf(f, "%" PRIx64, bits_get(words, lsb + digit * 4, n));
    }
}

#endif
