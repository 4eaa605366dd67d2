// SPDX-License-Identifier: Apache-2.0
/* A constant table that is no static one, used behind a wait. */
#include "hls.h"

enum process_constant_at { X_IDLE, X_RUN };

struct process_constant_in {
    u1 go;
    u8 x;
};
struct process_constant_out {
    u8 y;
};
struct process_constant {
    struct process_constant_out out;
    enum process_constant_at at;
};

HLS_RESET void process_constant_reset(struct process_constant *self)
{
    *self = (struct process_constant){.at = X_IDLE};
}

HLS_MODULE void process_constant(struct process_constant *self,
                                 const struct process_constant_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        constexpr u8 step[2] = {3, 5};
        self->out.y += step[0];
        HLS_WAIT(X_RUN);
        self->out.y += step[in->go];
    }
}
