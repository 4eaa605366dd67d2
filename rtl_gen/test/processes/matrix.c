// SPDX-License-Identifier: Apache-2.0
/*
 * A matrix product as a process: two block RAMs, three loops around their reads and a product.
 */
#include "matrix.h"

HLS_RESET void matrix_reset(struct matrix *self)
{
    self->out = (struct matrix_out){.ready = 1};
    self->at = MATRIX_IDLE;
    self->i = self->j = self->k = 0;
    self->a_word = self->b_word = 0;
}

/* A word of each factor and their product in two clocks, a sum of products once it is taken. */
static void matrix_product(struct matrix *self, const struct matrix_in *in)
{
    HLS_PROCESS(self->at, MATRIX_IDLE, MATRIX_READ, MATRIX_MAC, MATRIX_GIVE);
    for (;;) {
        HLS_WAIT_UNTIL(MATRIX_IDLE, in->go);
        self->out.ready = 0;
        for (self->i = 0; self->i != MATRIX_SIZE; self->i++) {
            for (self->j = 0; self->j != MATRIX_SIZE; self->j++) {
                self->out.sum = 0;
                for (self->k = 0; self->k != MATRIX_SIZE; self->k++) {
                    HLS_WAIT(MATRIX_READ);
                    self->a_word = self->a[(u6)(self->i * MATRIX_SIZE + self->k)];
                    self->b_word = self->b[(u6)(self->k * MATRIX_SIZE + self->j)];
                    HLS_WAIT(MATRIX_MAC);
                    self->out.sum += (u40)self->a_word * self->b_word;
                }
                self->out.valid = 1;
                HLS_WAIT_UNTIL(MATRIX_GIVE, in->take);
                self->out.valid = 0;
            }
        }
        self->out.ready = 1;
    }
}

/* Words of a and b are written in any clock. */
HLS_MODULE void matrix(struct matrix *self, const struct matrix_in *in)
{
    matrix_product(self, in);
    if (in->write && !in->second)
        self->a[(u6)in->addr] = in->data;
    if (in->write && in->second)
        self->b[(u6)in->addr] = in->data;
}
