// SPDX-License-Identifier: Apache-2.0
/*
 * ce_fold.h - ports and registers of the fold of the collective engines: operands of the children in their order become one.
 */
#ifndef CE_FOLD_H
#define CE_FOLD_H

#include "nic/amo/amo_fp.h"
#include "nic/ce/ce_types.h"

/* Clocks from the last child's choice until its result stands, less two. */
#define FOLD_REST_ADD 6
#define FOLD_REST     1

/* Clocks from one sum into amo_fp until the next one that needs it may be chosen, less one. */
#define FOLD_NEXT_ADD 5

/* Clocks of a sum: amo_fp's four and the one in which it is given. */
#define FOLD_SUM_CLOCKS 4

/* Bits of out.count. */
enum ce_fold_count {
    FOLD_CORRECTED, /* a single-bit error in operands: CORRECTABLE_MEMORY */
    FOLD_FATAL,     /* two: the reduction ends UNCORRECTABLE: TRANSIENT */
    FOLD_COUNTS
};

struct ce_fold_in {
    struct ce_part part;
    ce_count children[CE_ENGINES];
    u6 operation[CE_ENGINES];
    u2 rounding[CE_ENGINES];
    ce_engines clear; /* bit e: all of engine e is forgotten */
};

struct ce_folded {
    u64 first, second;
    u4 exceptions;
    nic_status_field status;
};

struct ce_fold_out {
    ce_engines whole; /* bit e: folded[e] is of all children */
    struct ce_folded folded[CE_ENGINES];
    uint(FOLD_COUNTS) count;
};

/* Two words of 64 bits, each with a code. */
#define ECC      operand_ecc
#define ECC_DATA 64
#define ECC_BITS 8
#include "common/ecc.inc"

#define CE_OPERAND_BITS 72
typedef uint(2 * CE_OPERAND_BITS) ce_operands;

/* Two words, and the exceptions of making them. */
struct ce_pair {
    u64 first, second;
    u4 exceptions;
};

/* A child that is being folded. */
struct ce_turn {
    u1 valid;
    ce_engine engine;
    u1 alone; /* child 0: nothing to fold it with */
    u6 operation;
};

struct ce_fold {
    struct ce_fold_out out;
    struct amo_fp adder;

    ce_children came[CE_ENGINES];
    ce_count next[CE_ENGINES]; /* child */
    u3 rest[CE_ENGINES];       /* clocks until its next child may be chosen, or its result stands */
    ce_engines flushing;       /* rests because all was forgotten: sums that come are of nobody */
    u1 odd;                    /* a child is chosen in every other clock */
    ce_engine last;

    /* Clock 1: its operands are there. */
    struct ce_turn asked;
    ce_operands code;
    HLS_BRAM_READ_FIRST ce_operands operands[CE_ENGINES * CE_CHILDREN];

    /* Clock 2: without their codes, and what the children before made, but for sums. */
    struct ce_turn ready;
    u64 first, second;
    struct ce_pair before;

    /* Clock 3, of a sum: the second one goes into the adder. */
    struct ce_turn other;
    u64 other_m, other_a;

    /* Whose sums the adder has, the last one lowest. */
    struct ce_turn sums[FOLD_SUM_CLOCKS];
    uint(FOLD_SUM_CLOCKS) seconds;
};

HLS_RESET void ce_fold_reset(struct ce_fold *self);
HLS_MODULE void ce_fold(struct ce_fold *self, const struct ce_fold_in *in);

#endif
