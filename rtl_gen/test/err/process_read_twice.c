// SPDX-License-Identifier: Apache-2.0
/* A memory read twice in one state. */
#include "hls.h"

enum process_read_twice_at { X_IDLE, X_RUN };

struct process_read_twice_in {
    u1 go;
    u8 x;
};
struct process_read_twice_out {
    u8 y;
};
struct process_read_twice {
    struct process_read_twice_out out;
    enum process_read_twice_at at;
    u8 word;
    HLS_BRAM u8 m[256];
};

HLS_RESET void process_read_twice_reset(struct process_read_twice *self)
{
    self->out.y = self->word = 0;
    self->at = X_IDLE;
}

HLS_MODULE void process_read_twice(struct process_read_twice *self,
                                   const struct process_read_twice_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        self->m[in->x] = 0;
        HLS_WAIT(X_RUN);
        self->m[in->x] = 1;
        self->word = self->m[(u8)(in->x + 1)];
        self->out.y = self->word;
    }
}
