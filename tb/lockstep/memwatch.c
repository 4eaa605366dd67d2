// SPDX-License-Identifier: Apache-2.0
/*
 * memwatch.c - notes the loads and stores that clang's coverage instrumentation announces.
 *
 * Each memory has one read and one write a clock, so the last of each is all there is to keep; a
 * field of a struct word counts as the field it is, since each is a memory of its own in hardware.
 */
#include "tb/lockstep/memwatch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NONE = -1 };

static const struct cosim_memory *memories;
static unsigned n_memories;

/* Of each memory, the word that was read or written. */
static struct {
    long read, written;
} *words;

/* Of each byte of the registers, the memory in which a word begins there. */
static int32_t *owner;
static const char *registers;
static size_t n_bytes;

static void *checked(void *p)
{
    if (!p) {
        fprintf(stderr, "memwatch: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return p;
}

void memwatch_open(const struct cosim_module *module, const void *self)
{
    memories = module->memories;
    n_memories = module->n_memories;
    registers = self;
    n_bytes = module->self_size;
    free(words);
    words = checked(calloc(n_memories + 1, sizeof *words));
    free(owner);
    owner = checked(malloc(n_bytes * sizeof *owner));
    for (size_t i = 0; i < n_bytes; i++)
        owner[i] = NONE;
    for (unsigned i = 0; i < n_memories; i++)
        for (unsigned k = 0; k < memories[i].count; k++)
            owner[memories[i].offset + (size_t)k * memories[i].stride] = (int32_t)i;
    memwatch_clock();
}

void memwatch_clock(void)
{
    for (unsigned i = 0; i < n_memories; i++)
        words[i].read = words[i].written = NONE;
}

long memwatch_written(const struct cosim_memory *memory)
{
    return words[memory - memories].written;
}

const struct cosim_memory *memwatch_collision(void)
{
    for (unsigned i = 0; i < n_memories; i++)
        if (memories[i].block && words[i].read != NONE && words[i].read == words[i].written)
            return &memories[i];
    return NULL;
}

/* The memory a word of which begins at a byte, or NONE; and which word that is. */
static int32_t memory_at(size_t at, long *word)
{
    const int32_t i = at < n_bytes ? owner[at] : NONE;
    if (i != NONE)
        *word = (long)((at - memories[i].offset) / memories[i].stride);
    return i;
}

static size_t place_of(const void *address)
{
    return (size_t)((uintptr_t)address - (uintptr_t)registers);
}

static void note_load(const void *address)
{
    long word;
    const int32_t i = memory_at(place_of(address), &word);
    if (i != NONE)
        words[i].read = word;
}

/* One store may be of several fields. */
static void note_store(const void *address, size_t size)
{
    const size_t at = place_of(address);
    for (size_t k = 0; k < size && at < n_bytes; k++) {
        long word;
        const int32_t i = memory_at(at + k, &word);
        if (i != NONE)
            words[i].written = word;
    }
}

/* ---- what the instrumentation calls, one function per size ------------------------------------- */

#define ANNOUNCED(size)                                                                            \
    void __sanitizer_cov_load##size(const void *address);                                          \
    void __sanitizer_cov_load##size(const void *address)                                           \
    {                                                                                              \
        note_load(address);                                                                        \
    }                                                                                              \
    void __sanitizer_cov_store##size(const void *address);                                         \
    void __sanitizer_cov_store##size(const void *address)                                          \
    {                                                                                              \
        note_store(address, size);                                                                 \
    }

ANNOUNCED(1)
ANNOUNCED(2)
ANNOUNCED(4)
ANNOUNCED(8)
ANNOUNCED(16)
