// SPDX-License-Identifier: Apache-2.0
/*
 * arena.c - memory by the megabyte, messages.
 */
#include "terms/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *arena(size_t size)
{
    static char *block;
    static size_t room;
    size = (size + 15) & ~(size_t)15;
    if (size > room) {
        room = size > (1 << 20) ? size : 1 << 20;
        block = calloc(1, room);
        if (!block)
            unsupported("out of memory");
    }
    void *result = block;
    block += size;
    room -= size;
    return result;
}

char *arena_printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = arena((size_t)n + 1);
    va_start(list, format);
    vsnprintf(text, (size_t)n + 1, format, list);
    va_end(list);
    return text;
}

void unsupported(const char *format, ...)
{
    va_list list;
    fflush(stdout);
    fputs("prove: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(2);
}

void *resized(void *block, size_t size)
{
    void *bigger = realloc(block, size);
    if (!bigger)
        unsupported("out of memory");
    return bigger;
}

void *widened(void *array, size_t from, size_t to, size_t size)
{
    char *wider = resized(array, to * size);
    memset(wider + from * size, 0, (to - from) * size);
    return wider;
}

void *grown(void *array, unsigned n, size_t size)
{
    if (n & (n - 1) || n == 1)
        return array;
    void *bigger = arena((n ? 2 * (size_t)n : 2) * size);
    if (n)
        memcpy(bigger, array, n * size);
    return bigger;
}
