// SPDX-License-Identifier: Apache-2.0
/*
 * graph.h - making nodes. Every constructor simplifies and shares: asking twice for the same
 * operation gives the same node, and constants fold at once. Widths are checked by assert.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "design/module.h"

/*
 * Constructors look through what they are given, a slice of a XOR being the XOR of slices. What lies deeper in a
 * chain of such operations than this stays as it is.
 */
#define DEEPEST_LOOK 200

/* graph.c */
void graph_init(struct graph *g);
struct node *node_intern(struct graph *g, struct node key); /* shares; fills zeros and signs */
struct node *mk_const(struct graph *g, unsigned width, uint64_t value);
struct node *mk_const_bits(struct graph *g, unsigned width, const uint64_t *bit_words);
struct node *mk_input(struct graph *g, unsigned leaf, unsigned width);
struct node *mk_reg(struct graph *g, unsigned leaf, unsigned width);
struct node *mk_inst(struct graph *g, enum op op, unsigned inst, unsigned leaf, unsigned width);
struct node *mk_undef(struct graph *g, unsigned width);
/* the operation as it is, not simplified */
struct node *mk_binary(struct graph *g, enum op op, unsigned width, struct node *a, struct node *b);

/* The arguments of an operation that commutes: if only one of them is a constant, it comes second. */
void constant_last(struct node **a, struct node **b);

/* In the order in which they were made. */
void sort_nodes(struct node **list, unsigned n);

/* n is called as `like` is, if it has no name of its own. */
void take_name(struct node *n, const struct node *like);

/* The port, register or memory that n reads; of a child its output; NULL: none. */
const struct leaf *leaf_of(const struct module *m, const struct node *n);

bool is_const(const struct node *n);
bool is_zero(const struct node *n);
bool is_ones(const struct node *n);
bool is_value(const struct node *n, uint64_t value);
bool const_bit(const struct node *n, unsigned bit);
uint64_t const_value(const struct node *n); /* low 64 bits */
unsigned significant(const struct node *n); /* width - zeros, at least 1 */

typedef struct node *(*binary_fn)(struct graph *g, struct node *a, struct node *b);

/* simplify.c: bitwise and mk_mux; arith.c: sums, products, comparisons */
struct node *mk_not(struct graph *g, struct node *a);
struct node *mk_and(struct graph *g, struct node *a, struct node *b);
struct node *mk_or(struct graph *g, struct node *a, struct node *b);
struct node *mk_xor(struct graph *g, struct node *a, struct node *b);
struct node *mk_add(struct graph *g, struct node *a, struct node *b);
struct node *mk_sub(struct graph *g, struct node *a, struct node *b);
struct node *mk_mul(struct graph *g, struct node *a, struct node *b);
struct node *mk_udiv(struct graph *g, struct node *a, struct node *b);
struct node *mk_urem(struct graph *g, struct node *a, struct node *b);
struct node *mk_sdiv(struct graph *g, struct node *a, struct node *b);
struct node *mk_srem(struct graph *g, struct node *a, struct node *b);
struct node *mk_shl(struct graph *g, struct node *a, struct node *amount);
struct node *mk_lshr(struct graph *g, struct node *a, struct node *amount);
struct node *mk_ashr(struct graph *g, struct node *a, struct node *amount);
struct node *mk_eq(struct graph *g, struct node *a, struct node *b);
struct node *mk_ult(struct graph *g, struct node *a, struct node *b);
struct node *mk_slt(struct graph *g, struct node *a, struct node *b);
struct node *mk_mux(struct graph *g, struct node *c, struct node *a, struct node *b);

/* reciprocal.c: by a constant that is no power of two and, for a quotient, not above a, where divides_by_product */
bool divides_by_product(const struct node *a, const struct node *b);
struct node *quotient_by_const(struct graph *g, struct node *a, struct node *b);
struct node *remainder_by_const(struct graph *g, struct node *a, struct node *b);

/* rearrange.c */
struct node *mk_slice(struct graph *g, struct node *a, unsigned low, unsigned width);
struct node *mk_concat(struct graph *g, unsigned n, struct node **args); /* args[0] high */
struct node *mk_concat_up(struct graph *g, unsigned n,
                          struct node **args); /* args[0] low; turns args round */
struct node *mk_msb(struct graph *g, struct node *a);
struct node *mk_concat2(struct graph *g, struct node *high, struct node *low);
struct node *mk_zext(struct graph *g, struct node *a, unsigned width);
struct node *mk_sext(struct graph *g, struct node *a, unsigned width);
struct node *mk_resize(struct graph *g, struct node *a, unsigned width); /* cut or zero-extend */

/* select.c */
struct node *mk_get(struct graph *g, struct node *vec, struct node *index, unsigned width);
unsigned get_stride(const struct node *get); /* bits from element to element: pad.c spreads some */
struct node *mk_set(struct graph *g, struct node *vec, struct node *index, struct node *value);
struct node *mk_memread(struct graph *g, unsigned leaf, struct node *addr, unsigned width);
struct node *mk_call(struct graph *g, struct module *keep, struct node **args);
/* The same operation as `old` on other arguments, simplified again. */
struct node *mk_like(struct graph *g, const struct node *old, struct node **args);

#endif
