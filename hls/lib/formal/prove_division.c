// SPDX-License-Identifier: Apache-2.0
/*
 * prove_division.c - a division by div.inc, step by step: what was taken of the dividend is quotient * divisor + remainder.
 *
 * `product` stands for the quotient so far times the divisor. It follows the quotient: twice as much, and the divisor once more when
 * the quotient's new bit is 1. So all that a step says is linear, and its induction is short at any width; that product is
 * quotient * divisor then follows for integers of any size, as does that such a quotient is the only one (division.smt2).
 */
#include "common/prove.h"

#define DIV   prove_div
#define DIV_N 32
#define LIB_BODY
#include "lib/div.inc"

enum { BITS = 32 };

struct prove_division_out {
    u64 product; /* of the quotient's known bits and d */
    u32 taken;   /* of n, from the high end */
};

struct prove_division {
    struct prove_division_out out;
    u32 n, d; /* as they were asked */
    u1 asked;
    struct prove_div dut;
};

PROVE_RESET void prove_division_reset(struct prove_division *self)
{
    self->out = (struct prove_division_out){};
    self->n = self->d = 0;
    self->asked = 0;
    prove_div_reset(&self->dut);
}

/* What holds in each clock. */
static inline void invariants(const struct prove_division *self)
{
    const struct prove_div *dut = &self->dut;
    u6 left =
        dut->out.busy ? (u6)dut->left + 1 : (u6)0;    /* bits of the quotient that are not known */
    u33 waits = (u33)((u33)self->n << (BITS - left)); /* of n, as it stands above the quotient */
    u33 known = (u33)((u33)dut->out.quotient & (((u33)1 << (BITS - left)) - 1));

    prove_assert(!dut->out.busy || self->asked);
    if (self->asked && self->d != 0) {
        prove_assert(dut->d == self->d);
        prove_assert(self->out.taken == (u32)((u64)self->n >> left));
        prove_assert(self->out.taken == self->out.product + dut->out.remainder);
        prove_assert(self->out.product <= self->out.taken); /* so the sum is one of integers */
        prove_assert(dut->out.remainder < self->d);
        prove_assert(left != BITS || dut->out.remainder == 0);
        prove_assert((u32)(dut->out.quotient ^ known) == (u32)waits || !dut->out.busy);
        prove_assert(left == BITS || dut->by_zero == 0 || !dut->out.busy);
    }
}

PROVE_MODULE void prove_division(struct prove_division *self, const struct prove_div_in *in)
{
    u32 before = self->dut.out.quotient;
    u1 steps = self->dut.out.busy && !in->go;

    invariants(self);
    prove_div(&self->dut, in);
    if (in->go) {
        self->n = in->n;
        self->d = in->d;
        self->asked = 1;
        self->out = (struct prove_division_out){};
    } else if (steps) {
        u1 bit = (u1)self->dut.out.quotient;
        prove_assert(self->d == 0 || self->dut.out.quotient == (u32)(before << 1 | bit));
        self->out.product = (u64)(self->out.product << 1) + (bit ? self->d : 0);
        self->out.taken = (u32)(self->out.taken << 1 | before >> (BITS - 1));
    }
    prove_cover(self->out.product != 0 && self->dut.out.remainder != 0);
}
