// SPDX-License-Identifier: Apache-2.0
/*
 * array_2d: two dimensions, one of them no power of two, with dynamic row and column; row copy
 * and column sum.
 */
#include "hls.h"

struct array_2d_in {
    u2 row; /* 3 means: rotate the rows instead */
    u2 col;
    u8 data;
};
struct array_2d_out {
    u8 picked;
    u10 column;
};
struct array_2d {
    struct array_2d_out out;
    u8 grid[3][4];
};

HLS_RESET void array_2d_reset(struct array_2d *self)
{
    *self = (struct array_2d){.grid = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};
}

HLS_MODULE void array_2d(struct array_2d *self, const struct array_2d_in *in)
{
    self->out.column = 0;
    for (int r = 0; r < 3; r++) {
        self->out.column += self->grid[r][in->col];
    }
    if (in->row < 3) {
        self->out.picked = self->grid[in->row][in->col];
        self->grid[in->row][in->col] += in->data;
    } else {
        for (int c = 0; c < 4; c++) {
            u8 top = self->grid[0][c];
            self->grid[0][c] = self->grid[1][c];
            self->grid[1][c] = self->grid[2][c];
            self->grid[2][c] = top ^ in->data;
        }
    }
}
