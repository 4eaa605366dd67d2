// SPDX-License-Identifier: Apache-2.0
/* A way round the loop that leaves out its only wait. */
#include "hls.h"

enum process_continue_at { X_IDLE, X_RUN };

struct process_continue_in {
    u1 go;
    u8 x;
};
struct process_continue_out {
    u8 y;
};
struct process_continue {
    struct process_continue_out out;
    enum process_continue_at at;
};

HLS_RESET void process_continue_reset(struct process_continue *self)
{
    *self = (struct process_continue){.at = X_IDLE};
}

HLS_MODULE void process_continue(struct process_continue *self,
                                 const struct process_continue_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        for (;;) {
            if (self->out.y == in->x)
                continue;
            self->out.y++;
            HLS_WAIT(X_RUN);
        }
    }
}
