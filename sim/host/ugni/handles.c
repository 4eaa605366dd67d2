// SPDX-License-Identifier: Apache-2.0
/*
 * handles.c - objects by their handles, and the lock.
 */
#include "sim/host/ugni/inside.h"

#include <pthread.h>
#include <stdlib.h>

enum { FIRST = 2, INDEX_BITS = 24 };

static struct slot {
    enum kind kind; /* KIND_NONE: free */
    uint32_t generation;
    void *object;
} *slots;
static uint32_t count = FIRST, room, next_free = FIRST;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void ugni_lock(sigset_t *signals)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, signals);
    pthread_mutex_lock(&mutex);
}

void ugni_unlock(const sigset_t *signals)
{
    pthread_mutex_unlock(&mutex);
    pthread_sigmask(SIG_SETMASK, signals, NULL);
}

static bool grow(void)
{
    const uint32_t more = room == 0 ? 256 : 2 * room;
    struct slot *larger = more >= 1u << INDEX_BITS ? NULL : realloc(slots, more * sizeof *slots);
    if (larger == NULL)
        return false;
    for (uint32_t i = room; i < more; i++)
        larger[i] = (struct slot){0};
    slots = larger;
    room = more;
    return true;
}

/* Free ones are used in turn, so that a stale handle stays one for long. */
static uint32_t find_free(void)
{
    for (uint32_t n = FIRST; n < count; n++) {
        next_free = next_free + 1 < count ? next_free + 1 : FIRST;
        if (slots[next_free].kind == KIND_NONE)
            return next_free;
    }
    return 0;
}

uint64_t handle_new(enum kind kind, void *object)
{
    static uint32_t used;
    uint32_t at = used * 2 < count ? find_free() : 0;
    if (at == 0) {
        if (count >= room && !grow())
            return 0;
        at = count++;
    }
    used += at + 1 == count;
    slots[at].kind = kind;
    slots[at].object = object;
    slots[at].generation++;
    return (uint64_t)slots[at].generation << INDEX_BITS | at;
}

void *handle_get(enum kind kind, const void *handle)
{
    const uint64_t value = (uintptr_t)handle;
    const uint32_t at = value & ((1u << INDEX_BITS) - 1);
    const bool good = at >= FIRST && at < count && slots[at].kind == kind &&
                      slots[at].generation == value >> INDEX_BITS;
    return good ? slots[at].object : NULL;
}

void handle_drop(const void *handle)
{
    const uint32_t at = (uintptr_t)handle & ((1u << INDEX_BITS) - 1);
    slots[at].kind = KIND_NONE;
    slots[at].object = NULL;
}

void *handle_each(enum kind kind, uint32_t *at)
{
    while (*at < count) {
        const struct slot *s = slots == NULL ? NULL : &slots[(*at)++];
        if (s == NULL)
            return NULL;
        if (s->kind == kind)
            return s->object;
    }
    return NULL;
}
