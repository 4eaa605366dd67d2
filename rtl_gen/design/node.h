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

/* What kind of operation it is: how passes treat it, and what its widths are. */
enum op_kind {
    KIND_LEAF,   /* where values come from: no arguments */
    KIND_STORED, /* a read of a memory */
    KIND_CALLED, /* a function */
    KIND_BITWISE, /* bit i follows from bit i of the arguments; of a choice also from its condition */
    KIND_SUM,     /* bit i follows from bits 0 to i of the arguments */
    KIND_QUOTIENT, /* from all bits */
    KIND_SHIFT,    /* arguments: value, amount (any width) */
    KIND_TEST,     /* two arguments of one width; the result is one bit */
    KIND_WIRING,   /* no logic: bits of the arguments at other places */
    KIND_PICK,     /* an element of a vector, by its number (any width) */
};

enum op_leaf {
    LEAF_NONE,
    LEAF_IN,    /* index: of module->in */
    LEAF_SELF,  /* index: of module->self */
    LEAF_CHILD, /* index: instance; sub: of the child's self */
};

/*
 * One row per operation:
 *
 *   args    number of arguments, -1: any
 *   kind    as above
 *   leaf    whose port, register or memory `index` names (leaf_of)
 *   swaps   its arguments may change places
 *   rolls   alike ones side by side may become a loop
 *   names   which of the first two arguments Verilog wants a name for, bit k for args[k]; SEXT: if wider than 1
 *   sign    of Verilog, between two arguments of any width; or NULL
 *   word    in the name of a net, between the names of its arguments ("a_plus_b"), or NULL
 *   suffix  in the name of a net, behind the name of what it feeds; CALL: the function's name
 *
 * All values are unsigned bit vectors; arguments and result have the same width unless said. What the fields of
 * struct node are, and what is not plain:
 *
 *   CONST     bits[]
 *   INPUT     index: leaf of module->in; packed vector
 *   REG       index: leaf of module->self; value before the clock edge; packed vector
 *   INST      index: instance, sub: leaf of the child's self (an output port); the vectors of all
 *             elements of an instance array side by side, element 0 low
 *   MEMREAD   index: leaf (memory); args: address; width = one element
 *   CALL      keep: HLS_KEEP function; one argument per parameter
 *   UNDEF     uninitialised; an error if an output or register depends on it
 *   FWD       index, sub as INST: a child's output read after its call
 *   XOR       two arguments; with width 1 any number, sorted, no repeats
 *   UDIV      by zero: zero
 *   UREM      by zero: zero
 *   SHL       args: value, amount (any width); amount >= width: zero
 *   LSHR      as SHL
 *   ASHR      as SHL, the sign is shifted in (amount >= width: all sign)
 *   SLT       two's complement
 *   MUX       condition (width 1), value if 1, value if 0
 *   SLICE     index: lowest bit; width bits from there
 *   CONCAT    args[0] is the HIGH end
 *   SEXT      argument narrower than the result
 *   GET       vector, index (any width): element of `width` bits; out of range: zero; index: bits
 *             from element to element if that is not the width
 *   SET       vector, index, element: vector with it replaced; out of range: unchanged
 */
/* clang-format off */
#define OPS(X)                                                             \
    /* name   args kind      leaf  swaps rolls names sign word suffix */   \
    X(CONST,     0, LEAF,     NONE,  0, 0, 0, NULL,  NULL,    "table")     \
    X(INPUT,     0, LEAF,     IN,    0, 0, 0, NULL,  NULL,    "net")       \
    X(REG,       0, LEAF,     SELF,  0, 0, 0, NULL,  NULL,    "net")       \
    X(INST,      0, LEAF,     CHILD, 0, 0, 0, NULL,  NULL,    "net")       \
    X(MEMREAD,   1, STORED,   SELF,  0, 0, 0, NULL,  NULL,    "read")      \
    X(CALL,     -1, CALLED,   NONE,  0, 0, 0, NULL,  NULL,    NULL)        \
    X(UNDEF,     0, LEAF,     NONE,  0, 0, 0, NULL,  NULL,    "net")       \
    X(FWD,       0, LEAF,     CHILD, 0, 0, 0, NULL,  NULL,    "net")       \
    X(NOT,       1, BITWISE,  NONE,  0, 1, 0, NULL,  NULL,    "net")       \
    X(AND,       2, BITWISE,  NONE,  1, 1, 0, NULL,  "and",   "and")       \
    X(OR,        2, BITWISE,  NONE,  1, 1, 0, NULL,  "or",    "or")        \
    X(XOR,      -1, BITWISE,  NONE,  1, 1, 0, NULL,  "xor",   "xor")       \
    X(ADD,       2, SUM,      NONE,  1, 1, 0, "+",   "plus",  "sum")       \
    X(SUB,       2, SUM,      NONE,  0, 1, 0, "-",   "minus", "diff")      \
    X(MUL,       2, SUM,      NONE,  1, 1, 0, "*",   NULL,    "product")   \
    X(UDIV,      2, QUOTIENT, NONE,  0, 1, 2, "/",   NULL,    "quotient")  \
    X(UREM,      2, QUOTIENT, NONE,  0, 1, 2, "%",   NULL,    "rest")      \
    X(SHL,       2, SHIFT,    NONE,  0, 1, 0, "<<",  NULL,    "shifted")   \
    X(LSHR,      2, SHIFT,    NONE,  0, 1, 0, ">>",  NULL,    "shifted")   \
    X(ASHR,      2, SHIFT,    NONE,  0, 1, 1, ">>>", NULL,    "shifted")   \
    X(EQ,        2, TEST,     NONE,  1, 1, 0, NULL,  "is",    "test")      \
    X(ULT,       2, TEST,     NONE,  0, 1, 0, NULL,  "below", "test")      \
    X(SLT,       2, TEST,     NONE,  0, 1, 3, NULL,  NULL,    "test")      \
    X(MUX,       3, BITWISE,  NONE,  0, 1, 0, NULL,  NULL,    "sel")       \
    X(SLICE,     1, WIRING,   NONE,  0, 1, 1, NULL,  NULL,    "net")       \
    X(CONCAT,   -1, WIRING,   NONE,  0, 1, 0, NULL,  NULL,    "bits")      \
    X(SEXT,      1, WIRING,   NONE,  0, 1, 1, NULL,  NULL,    "net")       \
    X(GET,       2, PICK,     NONE,  0, 1, 2, NULL,  "at",    "at")        \
    X(SET,       3, PICK,     NONE,  0, 0, 2, NULL,  NULL,    "new")
/* clang-format on */

enum op {
#define X(name, ...) OP_##name,
    OPS(X)
#undef X
        N_OPS
};

struct op_info {
    const char *name;
    int n_args;
    enum op_kind kind;
    enum op_leaf leaf;
    bool swaps, rolls;
    unsigned names;
    const char *sign, *word, *suffix;
};

extern const struct op_info op_info[N_OPS]; /* graph.c */

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
    bool unset;           /* UNDEF is among what it is made of */
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
    unsigned uses; /* number of users that are live */
    bool live;
    void *mark; /* scratch of the running pass */
};

struct graph {
    struct node **node; /* all nodes by id */
    unsigned n;
    struct node **table;
    unsigned table_size;
    struct loc here; /* given to new nodes */
    unsigned depth;  /* constructors that look through an operation, within each other */
    bool closed;     /* what is printed now must not grow */
};

#endif
