// SPDX-License-Identifier: Apache-2.0
/* States that are numbers. */
#include "hls.h"

enum process_number_at { X_IDLE, X_RUN };

struct process_number_in {
    u1 go;
    u8 x;
};
struct process_number_out {
    u8 y;
};
struct process_number {
    struct process_number_out out;
    u1 at;
};

HLS_RESET void process_number_reset(struct process_number *self)
{
    *self = (struct process_number){.at = X_IDLE};
}

HLS_MODULE void process_number(struct process_number *self, const struct process_number_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        self->out.y += in->x;
        HLS_WAIT(X_RUN);
    }
}
