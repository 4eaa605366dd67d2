// SPDX-License-Identifier: Apache-2.0
/*
 * util.c - memory that lives until the tool ends, formatted strings, growing arrays.
 *
 * The arena hands out pieces of large zeroed blocks; nothing is ever given back, so pointers into
 * it stay good and no stage has to say who owns what.
 */
#include "rtlgen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20, ALIGN = 16 };

struct block {
    struct block *older;
    size_t size, used;
    _Alignas(ALIGN) unsigned char bytes[];
};

static struct block *newest;

static void new_block(size_t bytes)
{
    size_t size = bytes > BLOCK ? bytes : BLOCK;
    struct block *b = calloc(1, sizeof *b + size);
    if (!b) {
        fprintf(stderr, "rtlgen: error: out of memory (%zu bytes more)\n", size);
        exit(1);
    }
    b->older = newest;
    b->size = size;
    newest = b;
}

void *arena(size_t bytes)
{
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (!newest || newest->size - newest->used < bytes)
        new_block(bytes);
    void *p = newest->bytes + newest->used;
    newest->used += bytes;
    return p;
}

char *format(const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    size_t size = (size_t)vsnprintf(NULL, 0, fmt, args) + 1;
    va_end(args);
    char *s = arena(size);
    vsnprintf(s, size, fmt, again);
    va_end(again);
    return s;
}

/* Room for element n: the arrays hold a power of two (at least 4), so n tells when one is full. */
void *grow(void *list, unsigned n, size_t element)
{
    if (n != 0 && (n < 4 || (n & (n - 1)) != 0))
        return list;
    void *bigger = arena((n ? 2 * (size_t)n : 4) * element);
    if (n)
        memcpy(bigger, list, n * element);
    return bigger;
}
