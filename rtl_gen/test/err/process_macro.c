// SPDX-License-Identifier: Apache-2.0
/* A wait in a macro that is used twice. */
#include "hls.h"

#define STEP                                                                                       \
    self->out.y += in->x;                                                                          \
    HLS_WAIT(X_RUN)

enum process_macro_at { X_IDLE, X_RUN };

struct process_macro_in {
    u1 go;
    u8 x;
};
struct process_macro_out {
    u8 y;
};
struct process_macro {
    struct process_macro_out out;
    enum process_macro_at at;
};

HLS_RESET void process_macro_reset(struct process_macro *self)
{
    *self = (struct process_macro){.at = X_IDLE};
}

HLS_MODULE void process_macro(struct process_macro *self, const struct process_macro_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        STEP;
        STEP;
    }
}
