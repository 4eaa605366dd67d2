// SPDX-License-Identifier: Apache-2.0
/* A state that nothing enters. */
#include "hls.h"

enum process_never_at { X_IDLE, X_RUN, X_SLOW };

struct process_never_in {
    u1 go;
    u8 x;
};
struct process_never_out {
    u8 y;
};
struct process_never {
    struct process_never_out out;
    enum process_never_at at;
};

HLS_RESET void process_never_reset(struct process_never *self)
{
    *self = (struct process_never){.at = X_IDLE};
}

HLS_MODULE void process_never(struct process_never *self, const struct process_never_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN, X_SLOW);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        self->out.y += in->x;
        HLS_WAIT(X_RUN);
        continue;
        HLS_WAIT(X_SLOW);
    }
}
