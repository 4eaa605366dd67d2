// SPDX-License-Identifier: Apache-2.0
/*
 * store.h - what C's objects hold while a function is followed: cells of bytes with a term each.
 *
 * A cell is as large as what was stored there last; a load of another size cuts and joins. Memories
 * of the hardware (arrays that are memories in the Verilog) are kept apart, as chains of writes.
 */
#ifndef PROVE_STORE_H
#define PROVE_STORE_H

#include "read/layout.h"
#include "terms/term.h"

enum { MAX_INDEX = 6 };

/* Element t of `count`, `stride` bytes each: t has 64 bits and is less than count. */
struct index {
    term t;
    int64_t stride, count;
};

/* Object, constant offset in bytes, and what is added at run time. */
struct pointer {
    uint32_t object;
    int64_t offset;
    struct index index[MAX_INDEX];
    unsigned n;
    int64_t low, high; /* the array that it points into, as offsets before the indices */
};

enum value_kind { VALUE_NONE, VALUE_WORD, VALUE_POINTER, VALUE_GROUP };

struct value {
    enum value_kind kind;
    term t;                   /* a word */
    const struct pointer *p;  /* a pointer */
    const struct value *item; /* a group: the members of an LLVM struct */
    unsigned n;
};

struct cell {
    int64_t offset, size; /* bytes */
    struct value value;   /* a word of 8 * size bits, or a pointer */
};

/* Sorted, without overlaps; gaps are undefined. Changed in place only while one state has it. */
struct content {
    struct cell *cell;
    unsigned n;
    bool shared;
};

/* What was written into a memory of the hardware; NULL: nothing yet. */
struct written {
    term cond; /* NO_TERM: data at address; else a choice between yes and no */
    term address, data;
    const struct written *yes, *no; /* a write: no is what was before */
};

struct value word_value(term t);
struct value pointer_value(struct pointer p);
bool same_value(struct value a, struct value b);
struct value choose(term cond, struct value yes, struct value no);

/* The cells of a range, offsets from its start, cut at its ends, gaps left out. */
struct content content_read(const struct content *c, int64_t offset, int64_t size);
/* With the range replaced; what `cells` leaves out there is undefined then. */
struct content *content_write(struct content *c, int64_t offset, int64_t size,
                              const struct content *cells);
/* Neither of the two is of use after this. */
struct content *content_choose(term cond, struct content *yes, struct content *no);
/* One value out of cells, size bytes; gaps are fresh symbols. */
struct value content_value(const struct content *c, int64_t size);

term written_read(const struct written *w, uint32_t memory, term address, uint32_t width);

#endif
