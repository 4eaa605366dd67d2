// SPDX-License-Identifier: Apache-2.0
/* A local array that is used behind a wait. */
#include "hls.h"

enum process_array_at { X_IDLE, X_RUN };

struct process_array_in {
    u1 go;
    u8 x;
};
struct process_array_out {
    u8 y;
};
struct process_array {
    struct process_array_out out;
    enum process_array_at at;
};

HLS_RESET void process_array_reset(struct process_array *self)
{
    *self = (struct process_array){.at = X_IDLE};
}

HLS_MODULE void process_array(struct process_array *self, const struct process_array_in *in)
{
    HLS_PROCESS(self->at, X_IDLE, X_RUN);
    for (;;) {
        u8 p[2];
        HLS_WAIT_UNTIL(X_IDLE, in->go);
        p[0] = in->x;
        p[1] = in->go;
        HLS_WAIT(X_RUN);
        self->out.y = p[in->go];
    }
}
