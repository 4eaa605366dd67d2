// SPDX-License-Identifier: Apache-2.0
/*
 * memwatch.c - notes the loads and stores that clang's coverage instrumentation announces.
 *
 * Each memory has one read and one write a clock, so the last of each is all there is to keep; a
 * field of a struct word counts as the field it is, since each is a memory of its own in hardware.
 */
#include "tb/equiv/lockstep/memwatch.h"

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

static void note(const void *address, bool write)
{
    const size_t at = (size_t)((uintptr_t)address - (uintptr_t)registers);
    if (at >= n_bytes || owner[at] == NONE)
        return;
    const int32_t i = owner[at];
    const long word = (long)((at - memories[i].offset) / memories[i].stride);
    if (write)
        words[i].written = word;
    else
        words[i].read = word;
}

/* ---- what the instrumentation calls, one function per size ------------------------------------- */

#define ANNOUNCED(size)                                                                            \
    void __sanitizer_cov_load##size(const void *address);                                          \
    void __sanitizer_cov_load##size(const void *address)                                           \
    {                                                                                              \
        note(address, false);                                                                      \
    }                                                                                              \
    void __sanitizer_cov_store##size(const void *address);                                         \
    void __sanitizer_cov_store##size(const void *address)                                          \
    {                                                                                              \
        note(address, true);                                                                       \
    }

ANNOUNCED(1)
ANNOUNCED(2)
ANNOUNCED(4)
ANNOUNCED(8)
ANNOUNCED(16)
