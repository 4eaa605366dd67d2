// SPDX-License-Identifier: Apache-2.0
/*
 * layout.h - where the members of a struct stand in memory and how many bits each declares.
 *
 * Asked of libclang anew, not taken from what rtlgen wrote: the declared width of a port is part of
 * what is to be proved.
 */
#ifndef PROVE_LAYOUT_H
#define PROVE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_DIMS = 8 };

struct dim {
    uint32_t count;
    uint32_t stride; /* bytes */
};

/* A scalar member or an instance, or an array of them: all arrays around it in one list. */
struct leaf {
    const char *path; /* "out.tx.last", without indices */
    uint32_t offset;  /* bytes from the start of the outermost struct, element 0 */
    uint32_t array;   /* bytes to where the outermost array around it begins; offset without one */
    struct dim dim[MAX_DIMS];
    unsigned n_dims;
    uint32_t count; /* product of the dims */
    uint32_t size;  /* bytes */
    uint32_t bits;  /* declared; of an enum what its largest enumerator needs */
    bool is_signed;
    const char *module; /* of an instance its type, else NULL */
};

struct layout {
    struct leaf *leaf;
    unsigned n;
    uint32_t size; /* bytes of the whole */
};

/* flags end with NULL. A member of a type in modules (which ends with NULL) is an instance. */
struct layout layout_of(const char *file, const char *const *flags, const char *name,
                        const char *const *modules);

/* Bytes from the start of the outermost struct to an element, counted row by row. */
uint32_t leaf_offset(const struct leaf *leaf, uint32_t element);

#endif
