// SPDX-License-Identifier: Apache-2.0
/* Statements above the first wait, which no loop comes back to. */
#include "hls.h"

enum process_dead_at { X_IDLE, X_RUN };

struct process_dead_in {
    u1 go;
    u8 x;
};
struct process_dead_out {
    u8 y;
};
struct process_dead {
    struct process_dead_out out;
    enum process_dead_at at;
};

HLS_RESET void process_dead_reset(struct process_dead *self)
{
    *self = (struct process_dead){.at = X_IDLE};
}

HLS_MODULE void process_dead(struct process_dead *self, const struct process_dead_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    self->out.y = 1;
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        self->out.y += in->x;
        HLS_WAIT(X_RUN);
    }
}
