// SPDX-License-Identifier: Apache-2.0
/*
 * memwatch.c - notes the loads and stores that clang's coverage instrumentation announces.
 *
 * Each memory has one read and one write a clock, so the last of each is all there is to keep; a
 * field of a struct word counts as the field it is, since each is a memory of its own in hardware.
 */
#include "memwatch.h"

enum { MOST = 64, NONE = -1 };

static struct {
    const struct cosim_memory *memory;
    const char *begin, *end;
    long read, written;
} watched[MOST];

static unsigned n_watched;

void memwatch_open(const struct cosim_module *module, const void *self)
{
    n_watched = module->n_memories < MOST ? module->n_memories : MOST;
    for (unsigned i = 0; i < n_watched; i++) {
        const struct cosim_memory *m = &module->memories[i];
        watched[i].memory = m;
        watched[i].begin = (const char *)self + m->offset;
        watched[i].end = watched[i].begin + (size_t)m->count * m->stride;
    }
    memwatch_clock();
}

void memwatch_clock(void)
{
    for (unsigned i = 0; i < n_watched; i++)
        watched[i].read = watched[i].written = NONE;
}

long memwatch_written(const struct cosim_memory *memory)
{
    for (unsigned i = 0; i < n_watched; i++)
        if (watched[i].memory == memory)
            return watched[i].written;
    return NONE;
}

const struct cosim_memory *memwatch_collision(void)
{
    for (unsigned i = 0; i < n_watched; i++)
        if (watched[i].memory->block && watched[i].read != NONE &&
            watched[i].read == watched[i].written)
            return watched[i].memory;
    return NULL;
}

static void note(const void *address, bool write)
{
    const char *at = address;
    for (unsigned i = 0; i < n_watched; i++) {
        if (at < watched[i].begin || at >= watched[i].end ||
            (at - watched[i].begin) % watched[i].memory->stride != 0)
            continue;
        long word = (at - watched[i].begin) / watched[i].memory->stride;
        if (write)
            watched[i].written = word;
        else
            watched[i].read = word;
    }
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
