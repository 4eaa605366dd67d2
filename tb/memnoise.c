// SPDX-License-Identifier: Apache-2.0
/* memnoise.c - see memnoise.h. Word k is some bits of (k + 1) times the golden ratio. */
#include "memnoise.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHIFT = 40 }; /* of 128 bits */

static const __uint128_t factor =
    (__uint128_t)UINT64_C(0x9e3779b97f4a7c15) << 64 | UINT64_C(0xf39cc0605cedc835);

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

static void fill(const struct cosim_memory *m, unsigned width, void *self)
{
    const size_t bytes = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : width <= 64 ? 8 : 16;
    for (unsigned k = 0; k < m->count; k++) {
        __uint128_t word = (k + 1) * factor >> SHIFT & (((__uint128_t)1 << width) - 1);
        memcpy((char *)self + m->offset + (size_t)k * m->stride, &word, bytes);
    }
}

void memnoise_fill(const struct cosim_module *module, const char *info, void *self)
{
    cJSON *json = read_info(info);
    const cJSON *own;
    cJSON_ArrayForEach(own, cJSON_GetObjectItemCaseSensitive(json, "memories"))
    {
        const char *c = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(own, "c"));
        const cJSON *width = cJSON_GetObjectItemCaseSensitive(own, "width");
        for (unsigned i = 0; c && i < module->n_memories; i++) {
            if (strcmp(module->memories[i].c, c) == 0)
                fill(&module->memories[i], (unsigned)cJSON_GetNumberValue(width), self);
        }
    }
    cJSON_Delete(json);
}
