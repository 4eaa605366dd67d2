// SPDX-License-Identifier: Apache-2.0
/*
 * info.h - what rtlgen says about a module in M.json: names, places and lines of its ports and registers.
 */
#ifndef TB_INFO_H
#define TB_INFO_H

#include <stdint.h>

#include <cjson/cJSON.h>

/* NULL if there is none: errno says why the file could not be read, 0 that it is not JSON. The caller deletes it. */
cJSON *info_read(const char *path);

/* "inputs", "outputs", "state" or another list of a module; NULL, which has no elements, if there is none. */
const cJSON *info_list(const cJSON *info, const char *list);

unsigned info_number(const cJSON *object, const char *key);  /* 0 if there is none */
const char *info_text(const cJSON *object, const char *key); /* "?" if there is none */

/* A port or register as one of these lists has it: `count` elements of `width` bits, packed from bit `lsb` on. */
struct info_field {
    const cJSON *json;
    unsigned lsb, width, count;
};

struct info_field info_field(const cJSON *json);

/* Bits of all fields of a list. */
unsigned info_bits(const cJSON *fields);

/* The C path of an element, on standard output: "e[].tag" and element 2 are "e[2].tag". */
void info_print_path(const struct info_field *field, unsigned element);

/* An element of a field that differs; it is packed from bit `lsb` on. */
struct difference {
    struct info_field field;
    unsigned element, lsb;
};

/* How many elements of all registers have other values in `a` than in `b`, both packed; the first of them. */
unsigned info_differences(const cJSON *info, const uint32_t *a, const uint32_t *b,
                          struct difference *first);

#endif
