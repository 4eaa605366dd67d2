// SPDX-License-Identifier: Apache-2.0
/*
 * make.h - what the constructors of terms (make.c, make_choose.c, make_divide.c, make_slice.c) have in common.
 */
#ifndef PROVE_MAKE_H
#define PROVE_MAKE_H

#include "terms/term.h"

/* A node of two operands as it stands. */
term make_binary(enum op op, uint32_t width, term a, term b);
/* Stops when the two have different widths. */
void make_check(const char *what, term a, term b);
/* Constants second, else the older first. */
void make_order(term *a, term *b);
/* How many bits at the high end are surely zero. */
uint32_t make_leading_zeros(term t);
/* One is `not` of the other. */
bool make_opposite(term a, term b);
/* make_divide.c: UDIV or UREM by a constant of two or more, where that is not the form it has. */
bool make_divide_const(enum op op, term a, term b, term *result);
/* Whether `width` bits from `low` on of a product by a constant are those of a quotient by one. */
bool make_is_quotient(term product, uint32_t low, uint32_t width, term *result);

#endif
