// SPDX-License-Identifier: Apache-2.0
/* A state that stands in the enum and not in the list. */
#include "hls.h"

enum process_unlisted_at { X_IDLE, X_RUN, X_SLOW };

struct process_unlisted_in {
    u1 go;
    u8 x;
};
struct process_unlisted_out {
    u8 y;
};
struct process_unlisted {
    struct process_unlisted_out out;
    enum process_unlisted_at at;
};

HLS_RESET void process_unlisted_reset(struct process_unlisted *self)
{
    *self = (struct process_unlisted){.at = X_IDLE};
}

HLS_MODULE void process_unlisted(struct process_unlisted *self,
                                 const struct process_unlisted_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        self->out.y += in->x;
        HLS_WAIT(X_RUN);
    }
}
