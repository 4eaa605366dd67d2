// SPDX-License-Identifier: Apache-2.0
/*
 * arena.h - memory that lives until the program ends, growing arrays, and the one way to give up.
 */
#ifndef PROVE_ARENA_H
#define PROVE_ARENA_H

#include <stddef.h>

/* Zeroed; never fails. */
void *arena(size_t size);
char *arena_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "prove: <message>" on standard error, exit status 2: the module is not proved. */
_Noreturn void unsupported(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* realloc that does not fail. */
void *resized(void *block, size_t size);
/* An array of `from` elements with `to`; the new ones are zero. */
void *widened(void *array, size_t from, size_t to, size_t size);

void *grown(void *array, unsigned n, size_t size);

/* Appends; the room doubles at powers of two. */
#define PUSH(array, n, item)                                                                       \
    do {                                                                                           \
        (array) = grown((array), (n), sizeof *(array));                                            \
        (array)[(n)++] = (item);                                                                   \
    } while (0)

#endif
