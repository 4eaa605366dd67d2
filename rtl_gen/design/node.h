// SPDX-License-Identifier: Apache-2.0
/*
 * node.h - the word-level dataflow graph: operations and their nodes.
 */
#ifndef NODE_H
#define NODE_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct module;

/*
 * One row per operation: name, number of arguments (-1 any).
 * All values are unsigned bit vectors; arguments and result have the same width unless said.
 */
#define OPS(X)                                                                                     \
    X(CONST, 0) /* bits[] */                                                                       \
    X(INPUT, 0) /* index: leaf of module->in; packed vector */                                     \
    X(REG, 0)   /* index: leaf of module->self; value before the clock edge; packed vector */      \
    X(INST, 0) /* index: instance, sub: leaf of the child's self (an output port); the vectors   \
                    of all elements of an instance array side by side, element 0 low */ \
    X(MEMREAD, 1) /* index: leaf (memory); args: address; width = one element */                   \
    X(CALL, -1)   /* keep: HLS_KEEP function; one argument per parameter */                        \
    X(UNDEF, 0)   /* uninitialised; an error if an output or register depends on it */             \
    X(FWD, 0)     /* index, sub as INST: a child's output read after its call */                   \
    X(NOT, 1)                                                                                      \
    X(AND, 2)                                                                                      \
    X(OR, 2)                                                                                       \
    X(XOR, -1) /* two arguments; with width 1 any number, sorted, no repeats */                    \
    X(ADD, 2)                                                                                      \
    X(SUB, 2)                                                                                      \
    X(MUL, 2)                                                                                      \
    X(UDIV, 2)    /* by zero: zero */                                                              \
    X(UREM, 2)    /* by zero: zero */                                                              \
    X(SHL, 2)     /* args: value, amount (any width); amount >= width: zero */                     \
    X(LSHR, 2)    /* as SHL */                                                                     \
    X(ASHR, 2)    /* as SHL, the sign is shifted in (amount >= width: all sign) */                 \
    X(EQ, 2)      /* width 1 */                                                                    \
    X(ULT, 2)     /* width 1 */                                                                    \
    X(SLT, 2)     /* width 1, two's complement */                                                  \
    X(MUX, 3)     /* condition (width 1), value if 1, value if 0 */                                \
    X(SLICE, 1)   /* index: lowest bit; width bits from there */                                   \
    X(CONCAT, -1) /* args[0] is the HIGH end */                                                    \
    X(SEXT, 1)    /* argument narrower than the result */                                          \
    X(GET, 2) /* vector, index (any width): element of `width` bits; out of range: zero;         \
                     index: bits from element to element if that is not the width */ \
    X(SET, 3) /* vector, index, element: vector with it replaced; out of range: unchanged */

enum op {
#define X(name, n) OP_##name,
    OPS(X)
#undef X
        N_OPS
};

struct node {
    enum op op;
    unsigned id; /* creation order: arguments have smaller ids than their users */
    unsigned width;
    unsigned n_args;
    struct node **args;
    unsigned index, sub; /* see OPS */
    union {
        struct module *keep; /* CALL: whose `keep` is set */
        uint64_t *bits;      /* CONST: (width + 63) / 64 words, unused top bits zero */
    };
    unsigned zeros;       /* that many top bits are known to be zero */
    unsigned signs;       /* that many top bits are known to be equal (>= 1) */
    struct loc loc;       /* where the C computes it */
    const char *name;     /* C variable it was stored to first, or NULL */
    const char *hint;     /* as name, but from inside a loop or a parameter: for nets that are
                             needed anyway, no reason to make one */
    const char *scope;    /* of name or hint: the variable of a helper's result, or the helper */
    struct node *chain;   /* hash table */
    struct node *inverse; /* mk_not of it, once somebody asked */
    /* for passes: */
    unsigned uses; /* name.c: number of users that are live */
    bool live;
    const char *net; /* name.c: Verilog net, or NULL when written inside its user */
    void *mark;      /* scratch of the running pass */
};

struct graph {
    struct node **node; /* all nodes by id */
    unsigned n;
    struct node **table;
    unsigned table_size;
    struct loc here; /* given to new nodes */
    unsigned depth;  /* constructors that look through an operation, within each other */
};

#endif
