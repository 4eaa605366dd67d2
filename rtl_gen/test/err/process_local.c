// SPDX-License-Identifier: Apache-2.0
/* A process by a local variable. */
#include "hls.h"

enum process_local_at { X_IDLE, X_RUN };

struct process_local_in {
    u1 go;
    u8 x;
};
struct process_local_out {
    u8 y;
};
struct process_local {
    struct process_local_out out;
    enum process_local_at at;
};

HLS_RESET void process_local_reset(struct process_local *self)
{
    *self = (struct process_local){.at = X_IDLE};
}

HLS_MODULE void process_local(struct process_local *self, const struct process_local_in *in)
{
    enum process_local_at at = self->at;
    HLS_PROCESS(at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        self->out.y += in->x;
        HLS_WAIT(X_RUN);
    }
}
