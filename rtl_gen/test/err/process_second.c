// SPDX-License-Identifier: Apache-2.0
/* Two processes in one function. */
#include "hls.h"

enum process_second_bt { Y_IDLE, Y_RUN };
enum process_second_at { X_IDLE, X_RUN };

struct process_second_in {
    u1 go;
    u8 x;
};
struct process_second_out {
    u8 y;
};
struct process_second {
    struct process_second_out out;
    enum process_second_at at;
    enum process_second_bt bt;
};

HLS_RESET void process_second_reset(struct process_second *self)
{
    *self = (struct process_second){.at = X_IDLE};
}

HLS_MODULE void process_second(struct process_second *self, const struct process_second_in *in)
{
    {
        HLS_PROCESS(self->at, X_IDLE, X_RUN);
        for (;;) {
            HLS_WAIT_UNTIL(X_IDLE, in->go);
            self->out.y += in->x;
            HLS_WAIT(X_RUN);
        }
    }
    HLS_PROCESS(self->bt, Y_IDLE, Y_RUN);
    for (;;) {
        HLS_WAIT(Y_IDLE);
        HLS_WAIT(Y_RUN);
    }
}
