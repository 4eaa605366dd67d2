// SPDX-License-Identifier: Apache-2.0
/*
 * inst_matrix: a matrix of children, each connected with its row, its column and what its whole row
 * addresses to it: parts of vectors in equally spaced groups, up and down.
 */
#include "hls.h"

enum { INST_MATRIX_ROWS = 3, INST_MATRIX_COLS = 4, INST_MATRIX_ALL = 12 };

struct inst_matrix_node_in {
    u5 row[INST_MATRIX_COLS];
    u5 column[INST_MATRIX_ROWS];
    u5 to_me[INST_MATRIX_COLS];
    u5 mirrored;
    u5 first_of_row;
};
struct inst_matrix_node_out {
    u5 all;
    u5 to[INST_MATRIX_COLS];
};
struct inst_matrix_node {
    struct inst_matrix_node_out out;
};

struct inst_matrix_in {
    u5 seed;
};
struct inst_matrix_out {
    u5 sum;
};
struct inst_matrix {
    struct inst_matrix_out out;
    struct inst_matrix_node at[INST_MATRIX_ALL];
    u5 noise[INST_MATRIX_ALL];
};

HLS_RESET void inst_matrix_node_reset(struct inst_matrix_node *self)
{
    *self = (struct inst_matrix_node){.out.all = 1};
}

HLS_MODULE void inst_matrix_node(struct inst_matrix_node *self,
                                 const struct inst_matrix_node_in *in)
{
    u5 sum = in->mirrored;

    for (int r = 0; r < INST_MATRIX_ROWS; r++) {
        sum ^= (u5)(in->column[r] << r);
    }
    for (int c = 0; c < INST_MATRIX_COLS; c++) {
        self->out.to[c] = in->row[c] + in->first_of_row;
        sum += in->to_me[c];
    }
    self->out.all = sum;
}

HLS_RESET void inst_matrix_reset(struct inst_matrix *self)
{
    self->out = (struct inst_matrix_out){0};
    for (int i = 0; i < INST_MATRIX_ALL; i++) {
        self->noise[i] = (u5)i;
        inst_matrix_node_reset(&self->at[i]);
    }
}

HLS_MODULE void inst_matrix(struct inst_matrix *self, const struct inst_matrix_in *in)
{
    struct inst_matrix_node_in to[INST_MATRIX_ALL];

    self->out.sum = self->at[0].out.all ^ self->at[INST_MATRIX_ALL - 1].out.all;
    for (int i = 0; i < INST_MATRIX_ALL; i++) {
        int row = i / INST_MATRIX_COLS, col = i % INST_MATRIX_COLS;

        for (int c = 0; c < INST_MATRIX_COLS; c++) {
            to[i].row[c] = self->at[row * INST_MATRIX_COLS + c].out.all;
            to[i].to_me[c] = self->at[row * INST_MATRIX_COLS + c].out.to[col];
        }
        for (int r = 0; r < INST_MATRIX_ROWS; r++) {
            to[i].column[r] = self->at[r * INST_MATRIX_COLS + col].out.all;
        }
        to[i].mirrored = self->noise[row * INST_MATRIX_COLS + INST_MATRIX_COLS - 1 - col];
        to[i].first_of_row = self->noise[row * INST_MATRIX_COLS];
    }
    for (int i = 0; i < INST_MATRIX_ALL; i++) {
        self->noise[i] += in->seed;
    }
    for (int i = 0; i < INST_MATRIX_ALL; i++) {
        inst_matrix_node(&self->at[i], &to[i]);
    }
}
