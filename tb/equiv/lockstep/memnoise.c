// SPDX-License-Identifier: Apache-2.0
/* memnoise.c - see memnoise.h. Word k is some bits of (k + 1) times the golden ratio; that is the hash too. */
#include "tb/equiv/lockstep/memnoise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/info.h"
#include "tb/equiv/lockstep/memwatch.h"

enum {
    SHIFT = 40 /* of 128 bits */,
    WATCHED = 128, /* bits of a store that memwatch.h sees, at most */
    DIMS = 4
};

static const __uint128_t factor =
    (__uint128_t)UINT64_C(0x9e3779b97f4a7c15) << 64 | UINT64_C(0xf39cc0605cedc835);

static struct noisy {
    const struct cosim_memory *memory;
    unsigned width; /* bits */
    bool watched;   /* memwatch.h sees all stores to it */
    char *before;   /* its words a clock ago */
    unsigned n_dims, dim[DIMS], step[DIMS];
} *noisy;
static unsigned n_noisy;
static bool corrupts;

/* What memnoise_open() was given. */
struct request {
    const struct cosim_module *module;
    const char *names, *info;
    void *self;
};

/* Bytes of a word that take part: what lies above 128 bits is 0 to begin with and not hashed. */
static size_t bytes_of(unsigned width)
{
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : width <= 64 ? 8 : 16;
}

/* Of word k of the C in the RTL, where rows may stand further apart. */
static unsigned address_of(const struct noisy *n, unsigned k)
{
    unsigned address = n->n_dims ? 0 : k;
    for (unsigned d = n->n_dims; d-- > 0; k /= n->dim[d])
        address += k % n->dim[d] * n->step[d];
    return address;
}

static void fill(const struct noisy *n, void *self)
{
    const struct cosim_memory *m = n->memory;
    const __uint128_t mask = n->width < 128 ? ((__uint128_t)1 << n->width) - 1 : ~(__uint128_t)0;
    for (unsigned k = 0; k < m->count; k++) {
        __uint128_t word = (address_of(n, k) + (__uint128_t)1) * factor >> SHIFT & mask;
        memcpy((char *)self + m->offset + (size_t)k * m->stride, &word, bytes_of(n->width));
    }
}

/* One of 16 words gets a wrong bit, one of 64 another one, as word and address say. */
static void corrupt(unsigned char *place, long address, unsigned width)
{
    __uint128_t word = 0;
    memcpy(&word, place, bytes_of(width));
    const __uint128_t mixed = (__uint128_t)address << 64 ^ word;
    const uint64_t hash = (uint64_t)(mixed * factor >> 64);
    const unsigned first = (hash >> 32 & 0x3ffffff) % width, second = (hash & 0xffffffff) % width;
    if (hash >> 60 == 0)
        place[first / 8] ^= (unsigned char)(1U << first % 8);
    if (hash >> 58 == 0)
        place[second / 8] ^= (unsigned char)(1U << second % 8);
}

/* The word that differs from what it was, or -1. (One that is written as it was is left as it is, in RTL too.) */
static long changed(const struct cosim_memory *m, size_t bytes, const char *before, const char *now)
{
    for (unsigned k = 0; k < m->count; k++)
        if (memcmp(before + (size_t)k * m->stride, now + (size_t)k * m->stride, bytes) != 0)
            return k;
    return -1;
}

void memnoise_corrupt(void *self)
{
    for (unsigned i = 0; corrupts && i < n_noisy; i++) {
        const struct cosim_memory *m = noisy[i].memory;
        char *words = (char *)self + m->offset, *before = noisy[i].before;
        const size_t bytes = (noisy[i].width + 7) / 8;
        const long at = noisy[i].watched ? memwatch_written(m) : changed(m, bytes, before, words);
        const size_t place = at < 0 ? 0 : (size_t)at * m->stride;
        if (at < 0 || memcmp(before + place, words + place, bytes) == 0)
            continue;
        corrupt((unsigned char *)words + place, address_of(&noisy[i], (unsigned)at),
                noisy[i].width);
        memcpy(before + place, words + place, bytes);
    }
}

static void *checked(void *p)
{
    if (!p) {
        fprintf(stderr, "memnoise: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return p;
}

static char *copy_of(const struct cosim_memory *m, unsigned width, const char *self)
{
    const size_t bytes = (size_t)(m->count - 1) * m->stride + (width + 7) / 8;
    return memcpy(checked(malloc(bytes)), self + m->offset, bytes);
}

/* Wide words are stored in pieces; of a struct all fields may be stored at once. */
static bool is_watched(const struct cosim_memory *m, unsigned width)
{
    return width <= WATCHED && m->c[strlen(m->c) - 1] == ']';
}

/* A memory as the JSON of M has it, of an instance of M at a path from the module: "sub.buffer[3].", or "" for itself. */
static void open_memory(const struct request *q, const char *path, const char *m,
                        const cJSON *memory)
{
    char between[256], c[512];
    snprintf(between, sizeof between, " %s.%s ", m, info_text(memory, "name"));
    snprintf(c, sizeof c, "%s%s", path, info_text(memory, "c"));
    for (unsigned i = 0; strstr(q->names, between) && i < q->module->n_memories; i++) {
        if (strcmp(q->module->memories[i].c, c) != 0)
            continue;
        struct noisy *n = &noisy[n_noisy++];
        *n = (struct noisy){.memory = &q->module->memories[i],
                            .width = info_number(memory, "width")};
        const cJSON *dim, *steps = info_list(memory, "steps");
        cJSON_ArrayForEach(dim, info_list(memory, "dims"))
        {
            n->dim[n->n_dims] = (unsigned)dim->valueint;
            n->step[n->n_dims] = (unsigned)cJSON_GetArrayItem(steps, (int)n->n_dims)->valueint;
            n->n_dims++;
        }
        fill(n, q->self);
        n->watched = is_watched(n->memory, n->width);
        n->before = copy_of(n->memory, n->width, q->self);
    }
}

/* Its memories, then those of its instances, whose JSON stands in the same folder. */
static void open_module(const struct request *q, const char *path, const char *info)
{
    const char *slash = strrchr(info, '/');
    const int folder = slash ? (int)(slash + 1 - info) : 0;
    cJSON *json = info_read(info);
    const cJSON *item;
    if (!json) {
        fprintf(stderr, "memnoise: %s is not the JSON of a module\n", info);
        exit(EXIT_FAILURE);
    }
    cJSON_ArrayForEach(item, info_list(json, "memories"))
        open_memory(q, path, info_text(json, "module"), item);
    cJSON_ArrayForEach(item, info_list(json, "instances"))
    {
        const unsigned count = info_number(item, "count");
        char file[512], inside[512];
        snprintf(file, sizeof file, "%.*s%s.json", folder, info, info_text(item, "module"));
        for (unsigned k = 0; k < count; k++) {
            snprintf(inside, sizeof inside, count > 1 ? "%s%s[%u]." : "%s%s.", path,
                     info_text(item, "name"), k);
            open_module(q, inside, file);
        }
    }
    cJSON_Delete(json);
}

void memnoise_open(const struct cosim_module *module, const char *names, const char *info,
                   bool in_writes, void *self)
{
    corrupts = in_writes;
    noisy = checked(calloc(module->n_memories + 1, sizeof *noisy));
    open_module(&(struct request){module, names, info, self}, "", info);
}
