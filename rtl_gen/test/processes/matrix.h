// SPDX-License-Identifier: Apache-2.0
/* matrix.h - the product of two matrices in block RAMs, row by row. */
#ifndef TEST_MATRIX_H
#define TEST_MATRIX_H

#include "hls.h"

enum { MATRIX_SIZE = 8 };

enum matrix_at { MATRIX_IDLE, MATRIX_READ, MATRIX_MAC, MATRIX_GIVE };

struct matrix_in {
    u1 go, take;
    u1 write, second; /* into a, or b */
    u6 addr;
    u16 data;
};

struct matrix_out {
    u1 valid, ready;
    u40 sum; /* row by row */
};

struct matrix {
    struct matrix_out out;
    enum matrix_at at;
    u4 i, j, k;
    u16 a_word, b_word;
    u16 a[MATRIX_SIZE * MATRIX_SIZE] HLS_BRAM_READ_FIRST;
    u16 b[MATRIX_SIZE * MATRIX_SIZE] HLS_BRAM_READ_FIRST;
};

HLS_RESET void matrix_reset(struct matrix *self);
HLS_MODULE void matrix(struct matrix *self, const struct matrix_in *in);

#endif
