// SPDX-License-Identifier: Apache-2.0
/* memnoise.c - see memnoise.h. Word k is some bits of (k + 1) times the golden ratio; that is the hash too. */
#include "memnoise.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memwatch.h"

enum { SHIFT = 40, /* of 128 bits */ MOST = 16 };

static const __uint128_t factor =
    (__uint128_t)UINT64_C(0x9e3779b97f4a7c15) << 64 | UINT64_C(0xf39cc0605cedc835);

static struct {
    const struct cosim_memory *memory;
    unsigned width; /* bits */
} noisy[MOST];
static unsigned n_noisy;

static cJSON *read_info(const char *name)
{
    enum { MOST = 1 << 20 };
    FILE *f = fopen(name, "rb");
    char *text = calloc(1, MOST);
    cJSON *info = f && text && fread(text, 1, MOST - 1, f) > 0 ? cJSON_Parse(text) : NULL;
    if (!info) {
        fprintf(stderr, "memnoise: %s is not the JSON of a module\n", name);
        exit(EXIT_FAILURE);
    }
    fclose(f);
    free(text);
    return info;
}

static size_t bytes_of(unsigned width)
{
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : width <= 64 ? 8 : 16;
}

static void fill(const struct cosim_memory *m, unsigned width, void *self)
{
    for (unsigned k = 0; k < m->count; k++) {
        __uint128_t word = (k + 1) * factor >> SHIFT & (((__uint128_t)1 << width) - 1);
        memcpy((char *)self + m->offset + (size_t)k * m->stride, &word, bytes_of(width));
    }
}

/* One of 16 words gets a wrong bit, one of 64 another one, as word and address say. */
static __uint128_t spoilt(__uint128_t word, long address, unsigned width)
{
    const __uint128_t mixed = (__uint128_t)address << 64 ^ word;
    const uint64_t hash = (uint64_t)(mixed * factor >> 64);
    const unsigned first = (hash >> 32 & 0x3ffffff) % width, second = (hash & 0xffffffff) % width;
    word ^= hash >> 60 == 0 ? (__uint128_t)1 << first : 0;
    word ^= hash >> 58 == 0 ? (__uint128_t)1 << second : 0;
    return word;
}

void memnoise_spoil(void *self)
{
    for (unsigned i = 0; i < n_noisy; i++) {
        const struct cosim_memory *m = noisy[i].memory;
        const long at = memwatch_written(m);
        if (at < 0)
            continue;
        char *place = (char *)self + m->offset + (size_t)at * m->stride;
        __uint128_t word = 0;
        memcpy(&word, place, bytes_of(noisy[i].width));
        word = spoilt(word, at, noisy[i].width);
        memcpy(place, &word, bytes_of(noisy[i].width));
    }
}

/* A memory as the JSON has it. */
static void open_one(const struct cosim_module *module, const char *names, const cJSON *memory,
                     void *self)
{
    char between[256] = {0};
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(memory, "name"));
    const char *c = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(memory, "c"));
    const cJSON *width = cJSON_GetObjectItemCaseSensitive(memory, "width");
    snprintf(between, sizeof between, " %s ", name ? name : "");
    for (unsigned i = 0; c && strstr(names, between) && i < module->n_memories; i++) {
        if (strcmp(module->memories[i].c, c) != 0 || n_noisy == MOST)
            continue;
        noisy[n_noisy].memory = &module->memories[i];
        noisy[n_noisy].width = (unsigned)cJSON_GetNumberValue(width);
        fill(noisy[n_noisy].memory, noisy[n_noisy].width, self);
        n_noisy++;
    }
}

void memnoise_fill(const struct cosim_module *module, const char *names, const char *info,
                   void *self)
{
    cJSON *json = read_info(info);
    const cJSON *memory;
    cJSON_ArrayForEach(memory, cJSON_GetObjectItemCaseSensitive(json, "memories"))
        open_one(module, names, memory, self);
    cJSON_Delete(json);
}
