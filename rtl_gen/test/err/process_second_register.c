// SPDX-License-Identifier: Apache-2.0
/* A block RAM that two states read into two registers. */
#include "hls.h"

enum process_second_register_at { X_FIRST, X_SECOND };

struct process_second_register_in {
    u4 row;
};
struct process_second_register_out {
    u8 sum;
};
struct process_second_register {
    struct process_second_register_out out;
    enum process_second_register_at at;
    u8 first, second;
    u8 m[16] HLS_BRAM;
};

HLS_RESET void process_second_register_reset(struct process_second_register *self)
{
    self->out.sum = 0;
    self->at = X_FIRST;
    self->first = self->second = 0;
}

HLS_MODULE void process_second_register(struct process_second_register *self,
                                        const struct process_second_register_in *in)
{
    HLS_PROCESS(self->at, X_FIRST, X_SECOND);
    for (;;) {
        HLS_WAIT(X_FIRST);
        self->first = self->m[(u4)in->row];
        HLS_WAIT(X_SECOND);
        self->second = self->m[(u4)in->row];
        self->out.sum = self->first;
    }
}
