// SPDX-License-Identifier: Apache-2.0
/* A wait in a helper that is no process. */
#include "hls.h"

enum process_outside_at { X_IDLE, X_RUN };

struct process_outside_in {
    u1 go;
    u8 x;
};
struct process_outside_out {
    u8 y;
};
struct process_outside {
    struct process_outside_out out;
    enum process_outside_at at;
};

HLS_RESET void process_outside_reset(struct process_outside *self)
{
    *self = (struct process_outside){.at = X_IDLE};
}

static void pause(struct process_outside *self, const struct process_outside_in *in)
{
    self->out.y += in->x;
    HLS_WAIT(X_RUN);
}

HLS_MODULE void process_outside(struct process_outside *self, const struct process_outside_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        pause(self, in);
        HLS_WAIT(X_RUN);
    }
}
