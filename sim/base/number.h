// SPDX-License-Identifier: Apache-2.0
/*
 * number.h - numbers that a user wrote.
 */
#ifndef SIM_NUMBER_H
#define SIM_NUMBER_H

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * The number that a text is, from its first to its last character: digits (200), digits and a power of ten (1e5), or hexadecimal
 * ones (0x1f). False if it is none, or has more than 64 bits.
 */
static inline bool number_read(const char *text, uint64_t *number)
{
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, &end, hexadecimal ? 16 : 10);
    if (*end == 'e' && isdigit((unsigned char)end[1])) {
        unsigned long tens = strtoul(end + 1, &end, 10);
        if (errno == 0 && value > 0 && tens > 19)
            return false;
        for (; value > 0 && tens > 0; tens--)
            if (__builtin_mul_overflow(value, 10ull, &value))
                return false;
    }
    *number = value;
    return errno == 0 && *end == '\0';
}

#endif
