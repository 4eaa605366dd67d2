// SPDX-License-Identifier: Apache-2.0
/*
 * util.c - memory by pieces, formatted strings, growing arrays, tables by name.
 *
 * There are two kinds of memory, and nobody owns a piece of either. What a later stage looks at comes
 * from arena() and lives until the tool ends. What is needed only while one module is built, goes
 * through one pass or is printed comes from scratch(), and scratch_end() frees all of it at once:
 * build(), narrow() and emit_all() call it where nothing of it is looked at any more.
 */
#include "base/util.h"
#include "base/budget.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BLOCK = 1 << 14, BLOCK = 1 << 20, ALIGN = 8 };

struct block {
    struct block *older;
    size_t size, used;
    _Alignas(ALIGN) unsigned char bytes[];
};

static struct block *newest, *newest_scratch;

static _Noreturn void out_of_memory(size_t bytes)
{
    fprintf(stderr, "rtlgen: error: out of memory (%zu bytes more)\n", bytes);
    exit(1);
}

/* Blocks double up to BLOCK; a larger piece gets one of its own. */
static struct block *new_block(struct block *older, size_t bytes)
{
    size_t size = older ? 2 * older->size : LEAST_BLOCK;
    size = size < BLOCK ? size : BLOCK;
    size = size > bytes ? size : bytes;
    budget_bytes(size, 0);
    struct block *b = malloc(sizeof *b + size);
    if (!b)
        out_of_memory(size);
    *b = (struct block){.older = older, .size = size};
    return b;
}

static void *piece(struct block **list, size_t bytes)
{
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (!*list || (*list)->size - (*list)->used < bytes)
        *list = new_block(*list, bytes);
    void *p = (*list)->bytes + (*list)->used;
    (*list)->used += bytes;
    return memset(p, 0, bytes);
}

void *arena(size_t bytes)
{
    return piece(&newest, bytes);
}

void *scratch(size_t bytes)
{
    return piece(&newest_scratch, bytes);
}

void scratch_end(void)
{
    while (newest_scratch) {
        struct block *b = newest_scratch;
        newest_scratch = b->older;
        budget_bytes(0, b->size);
        free(b);
    }
}

void *resized(void *old, size_t bytes)
{
    budget_bytes(bytes, malloc_usable_size(old));
    void *p = realloc(old, bytes);
    if (!p)
        out_of_memory(bytes);
    return p;
}

void *freed(void *old)
{
    budget_bytes(0, malloc_usable_size(old));
    free(old);
    return NULL;
}

char *format(const char *fmt, ...)
{
    char *text;
    va_list args;
    va_start(args, fmt);
    int length = vasprintf(&text, fmt, args);
    va_end(args);
    if (length < 0)
        out_of_memory(0);
    char *s = memcpy(arena((size_t)length + 1), text, (size_t)length + 1);
    free(text);
    return s;
}

/* Room for element n: the arrays hold a power of two (at least 4), so n tells when one is full. */
void *grow(void *(*from)(size_t), void *list, unsigned n, size_t element)
{
    if (n != 0 && (n < 4 || (n & (n - 1)) != 0))
        return list;
    void *bigger = from((n ? 2 * (size_t)n : 4) * element);
    if (n)
        memcpy(bigger, list, n * element);
    return bigger;
}

/* ---- tables by name -------------------------------------------------------------------------- */

struct name_entry {
    const char *name;
    void *value;
};

/* Where the name is or would be. */
static struct name_entry *entry_of(const struct names *t, const char *name)
{
    unsigned hash = 2166136261u; /* FNV-1a */
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    unsigned i = hash & (t->size - 1);
    while (t->entry[i].name && strcmp(t->entry[i].name, name) != 0)
        i = (i + 1) & (t->size - 1);
    return &t->entry[i];
}

void *names_find(const struct names *t, const char *name)
{
    return t->size ? entry_of(t, name)->value : NULL;
}

void names_set(struct names *t, const char *name, void *value)
{
    if (2 * (t->n + 1) > t->size) {
        struct names old = *t;
        t->size = old.size ? 4 * old.size : 64;
        t->entry = arena(t->size * sizeof *t->entry);
        for (unsigned i = 0; i < old.size; i++)
            if (old.entry[i].name)
                *entry_of(t, old.entry[i].name) = old.entry[i];
    }
    struct name_entry *e = entry_of(t, name);
    t->n += e->name == NULL;
    *e = (struct name_entry){name, value};
}
