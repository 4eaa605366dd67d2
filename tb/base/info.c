// SPDX-License-Identifier: Apache-2.0
/* info.c - see info.h. */
#include "tb/base/info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/base/packed.h"

/* The whole file with a 0 behind it, or NULL and errno. */
static char *read_text(FILE *f)
{
    const long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    char *text = size >= 0 && fseek(f, 0, SEEK_SET) == 0 ? calloc((size_t)size + 1, 1) : NULL;
    if (text && fread(text, 1, (size_t)size, f) == (size_t)size)
        return text;
    const int why = errno ? errno : EIO;
    free(text);
    errno = why;
    return NULL;
}

cJSON *info_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    errno = 0;
    char *text = read_text(f);
    const int why = errno;
    cJSON *info = text ? cJSON_Parse(text) : NULL;
    free(text);
    fclose(f);
    errno = text ? 0 : why;
    return info;
}

const cJSON *info_list(const cJSON *info, const char *list)
{
    return cJSON_GetObjectItemCaseSensitive(info, list);
}

unsigned info_number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? (unsigned)item->valuedouble : 0;
}

const char *info_text(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "?";
}

struct info_field info_field(const cJSON *json)
{
    return (struct info_field){json, info_number(json, "lsb"), info_number(json, "width"),
                               info_number(json, "count")};
}

unsigned info_bits(const cJSON *fields)
{
    unsigned bits = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, fields)
    {
        const struct info_field field = info_field(item);
        bits += field.width * field.count;
    }
    return bits;
}

/* More than one pair of brackets by "dims", outermost first. */
void info_print_path(const struct info_field *field, unsigned element)
{
    const cJSON *dims = info_list(field->json, "dims");
    unsigned inner = field->count, dim = 0;
    for (const char *c = info_text(field->json, "c"); *c != 0; c++) {
        putchar(*c);
        if (c[0] == '[' && c[1] == ']') {
            const cJSON *size = cJSON_GetArrayItem(dims, (int)dim++);
            const unsigned n = cJSON_IsNumber(size) ? (unsigned)size->valueint : inner;
            inner = n > 0 && n < inner ? inner / n : 1;
            printf("%u", element / inner);
            element %= inner;
        }
    }
}

unsigned info_differences(const cJSON *info, const uint32_t *a, const uint32_t *b,
                          struct difference *first)
{
    unsigned found = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, info_list(info, "state"))
    {
        const struct info_field field = info_field(item);
        for (unsigned i = 0; i < field.count; i++) {
            const unsigned lsb = field.lsb + i * field.width;
            if (!bits_same(a, b, lsb, field.width) && found++ == 0)
                *first = (struct difference){field, i, lsb};
        }
    }
    return found;
}
