// SPDX-License-Identifier: Apache-2.0
/* A state of the list that no wait has. */
#include "hls.h"

enum process_no_wait_at { X_IDLE, X_RUN };

struct process_no_wait_in {
    u1 go;
    u8 x;
};
struct process_no_wait_out {
    u8 y;
};
struct process_no_wait {
    struct process_no_wait_out out;
    enum process_no_wait_at at;
};

HLS_RESET void process_no_wait_reset(struct process_no_wait *self)
{
    *self = (struct process_no_wait){.at = X_IDLE};
}

HLS_MODULE void process_no_wait(struct process_no_wait *self, const struct process_no_wait_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        self->out.y += in->x;
    }
}
