// SPDX-License-Identifier: Apache-2.0
/*
 * A matrix of requests, built input by input: each row is one expression per element, and its elements are rows, too.
 */
#include "hls.h"

enum { INPUTS = 6, OUTPUTS = 8 };

struct rows_in_row_in {
    u3 to[INPUTS];
    u6 valid;
    u6 again;
};

struct rows_in_row_out {
    u6 asks[OUTPUTS]; /* one bit per input */
};

struct rows_in_row {
    struct rows_in_row_out out;
    u6 offers;
    u3 row[INPUTS];
};

HLS_RESET void rows_in_row_reset(struct rows_in_row *self)
{
    *self = (struct rows_in_row){};
}

HLS_MODULE void rows_in_row(struct rows_in_row *self, const struct rows_in_row_in *in)
{
    for (int r = 0; r < OUTPUTS; r++) {
        self->out.asks[r] = 0;
    }
    for (int i = 0; i < INPUTS; i++) {
        u6 bit = (u6)((u6)1 << i);
        u1 valid = (in->valid & bit) != 0;
        u1 again = (in->again & bit) != 0 && (self->offers & bit) != 0;

        if (valid) {
            self->row[i] = in->to[i];
        }
        for (int r = 0; r < OUTPUTS; r++) {
            self->out.asks[r] |= (valid || again) && self->row[i] == r ? bit : (u6)0;
        }
        self->offers = valid || again ? self->offers | bit : self->offers & ~bit;
    }
}
