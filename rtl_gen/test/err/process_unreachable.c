// SPDX-License-Identifier: Apache-2.0
/* A wait behind which the C has no meaning. */
#include "hls.h"

enum process_unreachable_at { X_IDLE, X_RUN };

struct process_unreachable_in {
    u1 go;
    u8 x;
};
struct process_unreachable_out {
    u8 y;
};
struct process_unreachable {
    struct process_unreachable_out out;
    enum process_unreachable_at at;
};

HLS_RESET void process_unreachable_reset(struct process_unreachable *self)
{
    *self = (struct process_unreachable){.at = X_IDLE};
}

HLS_MODULE void process_unreachable(struct process_unreachable *self,
                                    const struct process_unreachable_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        self->out.y += in->x;
        HLS_WAIT(X_RUN);
        __builtin_unreachable();
    }
}
