// SPDX-License-Identifier: Apache-2.0
/* A loop without a bound and without a wait. */
#include "hls.h"

enum process_endless_at { X_IDLE, X_RUN };

struct process_endless_in {
    u1 go;
    u8 x;
};
struct process_endless_out {
    u8 y;
};
struct process_endless {
    struct process_endless_out out;
    enum process_endless_at at;
};

HLS_RESET void process_endless_reset(struct process_endless *self)
{
    *self = (struct process_endless){.at = X_IDLE};
}

HLS_MODULE void process_endless(struct process_endless *self, const struct process_endless_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        while (self->out.y != in->x)
            self->out.y += 3;
        HLS_WAIT(X_RUN);
    }
}
