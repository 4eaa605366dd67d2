// SPDX-License-Identifier: Apache-2.0
/* The end of the function, behind the last wait. */
#include "hls.h"

enum process_ends_at { X_IDLE, X_RUN };

struct process_ends_in {
    u1 go;
    u8 x;
};
struct process_ends_out {
    u8 y;
};
struct process_ends {
    struct process_ends_out out;
    enum process_ends_at at;
};

HLS_RESET void process_ends_reset(struct process_ends *self)
{
    *self = (struct process_ends){.at = X_IDLE};
}

HLS_MODULE void process_ends(struct process_ends *self, const struct process_ends_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    HLS_WAIT(X_IDLE);
    self->out.y += in->x;
    HLS_WAIT(X_RUN);
    self->out.y += in->go;
}
