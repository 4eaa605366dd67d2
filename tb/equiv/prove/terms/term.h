// SPDX-License-Identifier: Apache-2.0
/*
 * term.h - words of bits as a hash-consed graph: what both sides of a proof are written in.
 *
 * A term has a width in bits and is never changed; terms that are written alike are the same number. Truth values
 * are terms of width 1. The constructors simplify a little: constants, slices of slices, zeros at the
 * high end. All memory lives until the program ends.
 */
#ifndef PROVE_TERM_H
#define PROVE_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef uint32_t term;

enum { NO_TERM = 0 };

/* How an operation is evaluated, written and taken apart into bits. */
enum op_kind {
    KIND_CONST,
    KIND_SYMBOL,  /* a value of its own */
    KIND_BITWISE, /* bit i follows from bit i of the operands; of a choice also from its condition */
    KIND_SUM,     /* bit i follows from bits 0 to i of the operands */
    KIND_QUOTIENT, /* from all bits */
    KIND_SHIFT,    /* the amount b may have another width; it is unsigned */
    KIND_TEST,     /* width 1 */
    KIND_WIRING,   /* bits of the operands at other places */
};

/*
 * The operations as in SMT-LIB's theory of bit vectors, with their names there; NULL: written in another form. All
 * operands are of one width but for shifts, wiring, and
 *
 *   VAR       a free symbol: an input, a register, an output of an instance
 *   SELECT    memory `aux` before the clock at address a
 *   ITE       a of width 1 ? b : c
 *   CONCAT    a above b
 *   EXTRACT   bits aux .. aux + width - 1 of a
 */
/* clang-format off */
#define OPS(X)                     \
    X(NONE,    SYMBOL,   NULL)     \
    X(CONST,   CONST,    NULL)     \
    X(VAR,     SYMBOL,   NULL)     \
    X(SELECT,  SYMBOL,   NULL)     \
    X(NOT,     BITWISE,  "bvnot")  \
    X(AND,     BITWISE,  "bvand")  \
    X(XOR,     BITWISE,  "bvxor")  \
    X(ADD,     SUM,      "bvadd")  \
    X(SUB,     SUM,      "bvsub")  \
    X(MUL,     SUM,      "bvmul")  \
    X(UDIV,    QUOTIENT, "bvudiv") \
    X(UREM,    QUOTIENT, "bvurem") \
    X(SDIV,    QUOTIENT, "bvsdiv") \
    X(SREM,    QUOTIENT, "bvsrem") \
    X(SHL,     SHIFT,    "bvshl")  \
    X(LSHR,    SHIFT,    "bvlshr") \
    X(ASHR,    SHIFT,    "bvashr") \
    X(EQ,      TEST,     "=")      \
    X(ULT,     TEST,     "bvult")  \
    X(SLT,     TEST,     "bvslt")  \
    X(ITE,     BITWISE,  NULL)     \
    X(CONCAT,  WIRING,   "concat") \
    X(EXTRACT, WIRING,   NULL)     \
    X(SEXT,    WIRING,   NULL)
/* clang-format on */

enum op {
#define X(name, kind, smt) OP_##name,
    OPS(X)
#undef X
};

struct op_info {
    enum op_kind kind;
    const char *smt;
};

extern const struct op_info op_info[]; /* term.c */

struct node {
    enum op op;
    uint32_t width;
    term a, b, c;
    uint32_t aux;
    const uint64_t *bits; /* of a constant, low word first, no bit above width */
    const char *name;     /* of a variable */
};

const struct node *node_of(term t);
uint32_t width_of(term t);
uint32_t term_count(void);
/* Elements for a table by term: `enough`, or more when there are more terms. */
uint32_t term_room(uint32_t enough);

term term_const(uint32_t width, uint64_t value);
term term_bits(uint32_t width, const uint64_t *bits);
term term_ones(uint32_t width);
term term_true(void);
term term_false(void);
/* A fresh symbol, also when one of that name exists. */
term term_var(const char *name, uint32_t width);

bool is_const(term t);
bool is_zero(term t);
bool is_ones(term t);
/* The value of a constant; false when t is none or does not fit into 64 bits. */
bool const_value(term t, uint64_t *value);

term term_not(term a);
term term_and(term a, term b);
term term_or(term a, term b);
term term_xor(term a, term b);
term term_add(term a, term b);
term term_sub(term a, term b);
term term_mul(term a, term b);
/* Division as SMT-LIB has it; by zero all ones, the remainder a. */
term term_divide(enum op op, term a, term b);
term term_shift(enum op op, term a, term amount);
term term_eq(term a, term b);
term term_ult(term a, term b);
term term_slt(term a, term b);
term term_ite(term cond, term yes, term no);
term term_concat(term high, term low);
term term_extract(term a, uint32_t low, uint32_t width);
term term_zext(term a, uint32_t width);
term term_sext(term a, uint32_t width);
/* Zero extended or cut. */
term term_resize(term a, uint32_t width);
term term_select(uint32_t memory, term address, uint32_t width);
term term_is_nonzero(term a);
/* value[index]; any of them when the index is n or more. */
term term_mux(const term *value, uint32_t n, term index);

/* The node as it stands, only shared: for rebuilding a term with other operands. */
term term_raw(const struct node *n);
/* The same through the constructors. */
term term_rebuild(const struct node *n, term a, term b, term c);

#endif
