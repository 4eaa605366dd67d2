// SPDX-License-Identifier: Apache-2.0
/* A process in a reset function. */
#include "hls.h"

enum process_reset_at { X_IDLE, X_RUN };

struct process_reset_in {
    u1 go;
};
struct process_reset_out {
    u8 y;
};
struct process_reset {
    struct process_reset_out out;
    enum process_reset_at at;
};

HLS_RESET void process_reset_reset(struct process_reset *self)
{
    self->at = X_IDLE;
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    HLS_WAIT(X_IDLE);
    self->out.y = 0;
    HLS_WAIT(X_RUN);
    return;
}

HLS_MODULE void process_reset(struct process_reset *self, const struct process_reset_in *in)
{
    self->out.y += in->go;
}
