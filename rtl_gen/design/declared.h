// SPDX-License-Identifier: Apache-2.0
/*
 * declared.h - what the C says about its data: filled by declare.c, changed by nobody.
 */
#ifndef DECLARED_H
#define DECLARED_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

enum storage { STORE_REG, STORE_LUTRAM, STORE_BRAM, STORE_BRAM_READ_FIRST, STORE_ROM };

struct node;

#define MAX_DIMS   4
#define MOST_STATE (1u << 26) /* bits of registers in a module: all of them are listed */
#define MAX_VECTOR 65536      /* bits: Verilog (IEEE 1364) lets a tool limit a vector to them */

/* One array dimension around a scalar, outermost first. */
struct dim {
    unsigned count;
    unsigned stride; /* bytes */
};

/* Bytes from element 0 to another one; the innermost dimension counts fastest. */
static inline int64_t element_offset(const struct dim *dims, unsigned n_dims, unsigned element)
{
    int64_t offset = 0;
    for (unsigned d = n_dims; d-- > 0; element /= dims[d].count)
        offset += (int64_t)(element % dims[d].count) * dims[d].stride;
    return offset;
}

struct enumeration {
    const char *name; /* NULL without a tag */
    struct loc loc;
    unsigned width;
    unsigned n;
    uint64_t *value;
    const char **label;
};

/* A number that a line of the C compares, computes with, or gives, by its name; NULL: by several names or none. */
struct constant {
    uint64_t value;
    const char *name;
    struct constant *next; /* of the same line */
};

/* Those of all lines: the first one by place() of the line. */
struct constants {
    struct names compared;
    struct names computed; /* operands of + - * / % & | ^ << >> */
    struct names
        given; /* as the value of a choice, or assigned there or under an if that the line decides; and by function and member */
};

/*
 * A leaf is one scalar field of a struct, or the same scalar field of all elements of the arrays
 * around it: `struct { u1 valid; u8 tag; } e[4]` has the leaves e_valid (4 x 1) and e_tag (4 x 8).
 * In Verilog it is one vector of count * width bits, element 0 at the low end.
 */
struct leaf {
    const char *name;  /* flattened with _, without the leading "out_" of output ports */
    const char *c;     /* C path: "out.s_axis.tready", "e[].tag" */
    const char *doc;   /* comment beside the declaration, one line, or NULL */
    const char *group; /* of a nested one: comment of the port or register around it, or NULL */
    struct loc loc;
    struct loc member; /* of the port or register around it: as loc, unless nested in a struct */
    unsigned offset;   /* of element 0, bytes */
    unsigned bytes;    /* of one element in memory */
    unsigned width;    /* declared bits of one element */
    unsigned count;    /* product of the dimensions, 1 for a plain field */
    unsigned n_dims;
    struct dim dims[MAX_DIMS];
    bool out;    /* lies under `out`: an output port */
    bool unread; /* a field of an input that its module does not read: no port (unread.c) */
    bool is_signed;
    bool constant; /* const in C, or within what is: a bench that fills the struct has to cast */
    const struct enumeration *enumeration; /* or NULL */
    enum storage storage;
    unsigned reads;          /* LUTRAM: declared read ports */
    struct node **content;   /* ROM: its elements */
    unsigned words;          /* as a memory: elements and what fills them up to a power of two */
    unsigned step[MAX_DIMS]; /* as a memory, by dimension: addresses from an element to the next */
};

struct record;

/* A member of a struct among the ports, or of a nameless one in it. */
struct member {
    const char *name;
    const char *doc; /* as of a leaf */
    struct loc loc;
    unsigned n_dims;
    unsigned count[MAX_DIMS];              /* by dimension, outermost first */
    const struct record *record;           /* its type, or NULL: a scalar */
    const struct enumeration *enumeration; /* of a scalar, or NULL */
    const char *type;                      /* of a record or an enum: the name of its type */
    unsigned width;                        /* of a scalar */
    bool is_signed;
};

/* A struct among the ports as the C nests it: its scalars in this order are the leaves of a layout. */
struct record {
    const char *type; /* the name of its type in SystemVerilog */
    struct loc loc;
    unsigned n;
    struct member *member;
};

/* Types that a package declares, each behind those that it is made of; one of both is NULL. */
struct port_type {
    const char *name;
    const struct record *record;
    const struct enumeration *enumeration;
};

struct layout {
    const char *tag; /* struct tag */
    unsigned bytes, align;
    unsigned n;
    struct leaf *leaf;           /* in declaration order */
    const struct record *record; /* with --sv, of in and of self's out: NULL if it is empty */
};

struct module;

/* A member of a module's struct whose type is another module's struct. */
struct instance {
    const char *name; /* flattened */
    const char *c;    /* C path */
    struct loc loc;
    const char *module_name;
    struct module *module; /* resolved after all files are read */
    unsigned offset;       /* of element 0 */
    unsigned count, n_dims;
    struct dim dims[MAX_DIMS];
    struct loc call; /* exec: where the (last) element's clock is */
};

#endif
