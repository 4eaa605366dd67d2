// SPDX-License-Identifier: Apache-2.0
/* A local variable that is used behind a wait. */
#include "hls.h"

enum process_scalar_at { X_IDLE, X_RUN };

struct process_scalar_in {
    u1 go;
    u8 x;
};
struct process_scalar_out {
    u8 y;
};
struct process_scalar {
    struct process_scalar_out out;
    enum process_scalar_at at;
};

HLS_RESET void process_scalar_reset(struct process_scalar *self)
{
    *self = (struct process_scalar){.at = X_IDLE};
}

HLS_MODULE void process_scalar(struct process_scalar *self, const struct process_scalar_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        u8 sum = in->x;
        HLS_WAIT(X_RUN);
        self->out.y = sum;
    }
}
