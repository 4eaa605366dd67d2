// SPDX-License-Identifier: Apache-2.0
/*
 * number.h - numbers that a user wrote.
 */
#ifndef SIM_NUMBER_H
#define SIM_NUMBER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * The number that a text is: digits from its first to its last character, of base 10, or, base 0, as C writes them (0x1f). False if
 * it is none, or has more than 64 bits.
 */
static inline bool number_read(const char *text, int base, uint64_t *number)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, base);
    *number = value;
    return errno == 0 && *text >= '0' && *text <= '9' && *end == '\0';
}

#endif
